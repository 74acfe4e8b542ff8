#include "engine/session/history.h"

#include <algorithm>
#include <new>

namespace tp {
namespace {

// Beyond that two marks on a curve cannot be told apart.
constexpr std::uint64_t kGreatestStride = std::uint64_t{1} << 40;

}  // namespace

const History::State* History::find(Moment moment) const {
  const auto at = std::ranges::find(states_, moment, &State::moment);
  return at == states_.end() ? nullptr : &*at;
}

std::size_t History::bytes() const {
  std::size_t sum = 0;
  for (const State& state : states_) sum += state.bytes();
  return sum;
}

std::vector<Moment> History::moments() const {
  std::vector<Moment> moments;
  for (const State& state : states_) moments.push_back(state.moment);
  return moments;
}

bool History::keep(Moment moment, Reason reason, const Trainer& trainer) {
  if (State* known = const_cast<State*>(find(moment))) {
    known->reason = std::max(known->reason, reason);
    return true;
  }
  const ParameterStore<float>& parameters = trainer.model().parameters();
  const std::size_t count = parameters.count();
  const std::size_t size = 3 * count * sizeof(float);
  // Going back needs two: the moment one goes to, and the one that is left.
  if (2 * size > limit_) return false;
  if (reason == Reason::ordinary && moment.step % stride_ != 0) return false;
  while (bytes() + size > limit_) {
    if (!let_go(reason)) return false;
    if (reason == Reason::ordinary && moment.step % stride_ != 0) return false;
  }
  std::unique_ptr<float[]> numbers(new (std::nothrow) float[3 * count]);
  if (!numbers) return false;
  float* place = numbers.get();
  for (const std::span<const float> block :
       {trainer.values(), parameters.first_moments(), parameters.second_moments()}) {
    place = std::ranges::copy(block, place).out;
  }
  states_.push_back({moment, reason, trainer.state(), count, std::move(numbers)});
  return true;
}

bool History::let_go(Reason reason) {
  const auto ordinary = [&](const State& state) {
    return state.reason == Reason::ordinary && state.moment != protected_;
  };
  // Every other ordinary moment, until that frees something.
  while (std::ranges::any_of(states_, ordinary) && stride_ < kGreatestStride) {
    stride_ *= 2;
    const std::size_t freed = std::erase_if(states_, [&](const State& state) {
      return ordinary(state) && state.moment.step % stride_ != 0;
    });
    if (freed > 0) return true;
  }
  // Then the oldest of those with the weakest reason, if it is no stronger than this one.
  auto weakest = states_.end();
  for (auto at = states_.begin(); at != states_.end(); ++at) {
    if (at->moment == protected_ || at->reason > reason || at->reason == Reason::beginning)
      continue;
    if (weakest == states_.end() || at->reason < weakest->reason) weakest = at;
  }
  // A still does not replace another: the first ones tell the most.
  if (weakest == states_.end() || (reason == Reason::still && weakest->reason == Reason::still)) {
    return false;
  }
  states_.erase(weakest);
  return true;
}

void History::restore(Moment moment, Trainer& trainer) const {
  const State* state = find(moment);
  TP_CHECK(state != nullptr, "a moment that was not kept");
  ParameterStore<float>& parameters = trainer.model().parameters();
  TP_CHECK(state->count == parameters.count(), "a state of another model");
  const float* place = state->numbers.get();
  for (const std::span<float> block :
       {parameters.values(), parameters.first_moments(), parameters.second_moments()}) {
    std::copy_n(place, block.size(), block.begin());
    place += block.size();
  }
  trainer.restore(state->trainer);
}

std::span<const float> History::values(Moment moment) const {
  const State* state = find(moment);
  if (state == nullptr) return {};
  return {state->numbers.get(), state->count};
}

}  // namespace tp

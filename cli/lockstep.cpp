#include "cli/lockstep.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/run_settings.h"
#include "cli/textbook_step.h"

namespace tp::cli {

const Lockstep::Way Lockstep::kReferenceKernels = {
    "on the reference kernels", "reference and fast kernels", reference_kernels_for,
    [](Trainer& trainer) { return trainer.step(); }};
const Lockstep::Way Lockstep::kTextbook = {"in the textbook", "textbook and engine",
                                           fast_kernels_for, textbook_step};

Lockstep::Lockstep(std::unique_ptr<Trainer> follower, const Way& way)
    : way_(&way),
      follower_(std::move(follower)),
      differences_(follower_->model().parameters().entries().size()) {}

Result<Lockstep> Lockstep::create(Trainer& leader, std::shared_ptr<const Task> task,
                                  const ModelConfig& model, const Way& way) {
  auto made = Trainer::create(std::move(task), model, leader.config(), way.kernels, kMemoryLimit);
  if (!made) return made.error();
  ParameterStore<float>& from = leader.model().parameters();
  ParameterStore<float>& to = made.value()->model().parameters();
  std::ranges::copy(from.values(), to.values().begin());
  std::ranges::copy(from.first_moments(), to.first_moments().begin());
  std::ranges::copy(from.second_moments(), to.second_moments().begin());
  made.value()->restore(leader.state());
  return Lockstep(std::move(made.value()), way);
}

Status Lockstep::follow(Trainer& leader) {
  const Result<StepMetrics> step = way_->step(*follower_);
  if (!step) return Error{std::string(way_->name) + ", " + step.error().message};
  loss_difference_.note(std::abs(leader.metrics().loss - step.value().loss), step.value().step);
  const ParameterStore<float>& a = leader.model().parameters();
  const ParameterStore<float>& b = std::as_const(*follower_).model().parameters();
  for (std::size_t e = 0; e < differences_.size(); ++e) {
    const ParameterEntry& entry = a.entries()[e];
    for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
      differences_[e].note(std::abs(double{a.values()[i]} - double{b.values()[i]}),
                           step.value().step);
    }
  }
  return Done{};
}

void Lockstep::print(const Trainer& leader) const {
  const auto& entries = leader.model().parameters().entries();
  std::printf("%-50s %-20s %s\n", "tensor", "largest difference", "at step");
  double largest = 0;
  const auto print_row = [](const char* name, const Difference& difference) {
    std::printf("%-50s %-20.3g %llu\n", name, difference.largest,
                static_cast<unsigned long long>(difference.step));
  };
  for (std::size_t e = 0; e < entries.size(); ++e) {
    print_row(entries[e].name.c_str(), differences_[e]);
    largest = std::max(largest, differences_[e].largest);
  }
  print_row("(loss)", loss_difference_);
  std::printf("largest difference between %s: %.3g\n", way_->sides, largest);
}

}  // namespace tp::cli

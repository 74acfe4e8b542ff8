#include "cli/lockstep.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/run_settings.h"

namespace tp::cli {

Lockstep::Lockstep(std::unique_ptr<Trainer> follower)
    : follower_(std::move(follower)),
      differences_(follower_->model().parameters().entries().size()) {}

Result<Lockstep> Lockstep::create(Trainer& leader, std::shared_ptr<const Task> task,
                                  const ModelConfig& model, Trainer::KernelSet kernels) {
  auto made = Trainer::create(std::move(task), model, leader.config(), kernels, kMemoryLimit);
  if (!made) return made.error();
  ParameterStore<float>& from = leader.model().parameters();
  ParameterStore<float>& to = made.value()->model().parameters();
  std::ranges::copy(from.values(), to.values().begin());
  std::ranges::copy(from.first_moments(), to.first_moments().begin());
  std::ranges::copy(from.second_moments(), to.second_moments().begin());
  made.value()->restore(leader.state());
  return Lockstep(std::move(made.value()));
}

Status Lockstep::follow(Trainer& leader) {
  const Result<StepMetrics> step = follower_->step();
  if (!step) return Error{"on the reference kernels, " + step.error().message};
  const ParameterStore<float>& a = leader.model().parameters();
  const ParameterStore<float>& b = std::as_const(*follower_).model().parameters();
  for (std::size_t e = 0; e < differences_.size(); ++e) {
    const ParameterEntry& entry = a.entries()[e];
    for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
      const double apart = std::abs(double{a.values()[i]} - double{b.values()[i]});
      if (apart > differences_[e].largest) differences_[e] = {apart, step.value().step};
    }
  }
  return Done{};
}

void Lockstep::print(const Trainer& leader) const {
  const auto& entries = leader.model().parameters().entries();
  std::printf("%-50s %-20s %s\n", "tensor", "largest difference", "at step");
  double largest = 0;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    std::printf("%-50s %-20.3g %llu\n", entries[e].name.c_str(), differences_[e].largest,
                static_cast<unsigned long long>(differences_[e].step));
    largest = std::max(largest, differences_[e].largest);
  }
  std::printf("largest difference between reference and fast kernels: %.3g\n", largest);
}

}  // namespace tp::cli

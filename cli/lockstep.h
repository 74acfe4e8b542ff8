#pragma once

#include <memory>
#include <vector>

#include "engine/train/trainer.h"

namespace tp::cli {

// A second trainer that takes every step of a first one in another way, and how far their
// parameters ever were apart.
class Lockstep {
 public:
  struct Way {
    const char* name;   // "on the reference kernels"
    const char* sides;  // "reference and fast kernels"
    Trainer::KernelSet kernels;
    Result<StepMetrics> (*step)(Trainer& trainer);
  };
  static const Way kReferenceKernels, kTextbook;

  // Continues from where `leader` stands.
  static Result<Lockstep> create(Trainer& leader, std::shared_ptr<const Task> task,
                                 const ModelConfig& model, const Way& way);

  // After each step of the leader.
  Status follow(Trainer& leader);
  // The largest difference of each tensor over all steps, and the greatest of all.
  void print(const Trainer& leader) const;

 private:
  struct Difference {
    double largest = 0;
    std::uint64_t step = 0;  // where it occurred

    void note(double apart, std::uint64_t at) {
      if (apart > largest) *this = {apart, at};
    }
  };

  Lockstep(std::unique_ptr<Trainer> follower, const Way& way);

  const Way* way_;
  std::unique_ptr<Trainer> follower_;
  std::vector<Difference> differences_;  // by entry of the parameters
  Difference loss_difference_;
};

}  // namespace tp::cli

#pragma once

#include <memory>
#include <vector>

#include "engine/train/trainer.h"

namespace tp::cli {

// A second trainer that takes every step of a first one on the other set of kernels, and how far
// their parameters ever were apart.
class Lockstep {
 public:
  // Continues from where `leader` stands.
  static Result<Lockstep> create(Trainer& leader, std::shared_ptr<const Task> task,
                                 const ModelConfig& model, Trainer::KernelSet kernels);

  // After each step of the leader.
  Status follow(Trainer& leader);
  // The largest difference of each tensor over all steps, and the greatest of all.
  void print(const Trainer& leader) const;

 private:
  struct Difference {
    double largest = 0;
    std::uint64_t step = 0;  // where it occurred
  };

  explicit Lockstep(std::unique_ptr<Trainer> follower);

  std::unique_ptr<Trainer> follower_;
  std::vector<Difference> differences_;  // by entry of the parameters
};

}  // namespace tp::cli

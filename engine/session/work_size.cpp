#include "engine/session/work_size.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/train/parameter_layers.h"

namespace tp {

double training_operations(const Transformer<float>& model, const TrainConfig& train,
                           const Lengths& lengths, double sequences) {
  // Each product has two more behind it, for the gradients of its two factors.
  double sum = 3 * model.operations(lengths);
  // All but the last layer of a stack are computed once more.
  const auto again = [&](const Stack<float>& stack, int tokens) {
    sum += stack.operations(tokens, lengths.source, Cells::computed) -
           stack.layers().back().operations(tokens, lengths.source, Cells::computed);
  };
  if (train.recompute_layers && model.source()) again(model.source()->stack, lengths.source);
  if (train.recompute_layers && model.target()) again(model.target()->stack, lengths.target);
  return sum * sequences;
}

LargestPiece largest_piece(const ModelConfig& config, const TrainConfig& train) {
  const auto model = Transformer<float>::without_numbers(config);
  const int source = config.max_source_length, target = config.max_target_length;
  LargestPiece largest;
  const auto consider = [&](double operations, const char* name, bool grows_with_batch) {
    if (operations > largest.operations) largest = {operations, name, grows_with_batch};
  };
  // Back through a layer are two products for each; a layer that is computed again, three.
  const auto layers = [&](const Stack<float>& stack, int tokens, const char* name) {
    const bool again = train.recompute_layers && stack.depth() > 1;
    for (const Block<float>& layer : stack.layers()) {
      const double forward = layer.operations(tokens, source, Cells::computed);
      consider((again ? 3 : 2) * forward * train.batch, name, true);
    }
  };
  if (model->source()) layers(model->source()->stack, source, "encoder layer");
  if (model->target()) layers(model->target()->stack, target, "decoder layer");
  consider(2 * model->head().operations(model->target() ? target : source) * train.batch,
           "output layer", true);
  if (model->source()) {
    consider(2 * model->source()->input.operations(source) * train.batch, "embedding of patches",
             true);
  }
  if (model->target()) {
    // One token is written at a time, through all layers. Before the first one, every layer looks
    // at the whole source.
    const double token = model->target()->stack.operations(1, source, Cells::computed);
    consider(token + model->head().operations(1), "written token", false);
  }
  // A pass of the optimiser over one layer's parameters, and of clipping over all of them.
  constexpr double kUpdate = 16, kClip = 4;
  for (const ParameterLayer& one : parameter_layers(model->parameters())) {
    consider(kUpdate * static_cast<double>(one.count), "update", false);
  }
  consider(kClip * static_cast<double>(model->parameters().count()), "update", false);
  return largest;
}

Status check_work(const ModelConfig& config, const TrainConfig& train) {
  const LargestPiece piece = largest_piece(config, train);
  if (piece.operations <= kLargestPiece) return Done{};
  const double per_sequence = piece.operations / train.batch;
  const int batch = static_cast<int>(std::floor(kLargestPiece / per_sequence));
  if (!piece.grows_with_batch || batch < 1) {
    return Error{"one piece of work would take too long to be interrupted (" +
                     std::string(piece.name) +
                     "): lower d_model, d_ff, the layers or the longest sequence.",
                 "한 번에 계산할 양이 너무 많아 중간에 멈출 수 없습니다. d_model, d_ff, 레이어 수, "
                 "최대 길이 "
                 "중 하나를 줄여 주십시오."};
  }
  const int accumulation = (train.batch * train.accumulation + batch - 1) / batch;
  return Error{"a batch of " + std::to_string(train.batch) + " through one " + piece.name +
                   " would take too long to be interrupted: lower batch to " +
                   std::to_string(batch) + " and set accumulation to " +
                   std::to_string(accumulation) + " for the same step, or lower d_model or d_ff.",
               "배치가 너무 커서 중간에 멈출 수 없습니다. 배치: " + std::to_string(batch) +
                   ", 기울기 누적: " + std::to_string(accumulation) +
                   ". 이렇게 바꾸면 같은 스텝이 됩니다. 또는 d_model, d_ff 값을 줄여 주십시오."};
}

}  // namespace tp

#include "engine/train/answer_writer.h"

#include <algorithm>

namespace tp {
namespace {

// Of one piece: some milliseconds.
constexpr double kPieceOperations = 1e8;
constexpr int kMostAtOnce = 64;

}  // namespace

AnswerWriter::AnswerWriter(const Transformer<float>& model, const Task& task)
    : model_(model), most_tokens_(task.sizes().target + 1) {
  const double token = model.operations({model.config().max_source_length, 1});
  at_once_ = static_cast<int>(std::clamp(kPieceOperations / token, 1.0, double{kMostAtOnce}));
}

void AnswerWriter::begin(ConstMatrix<float> memory, std::vector<Block<float>::MemoryRows> rows) {
  const int count = static_cast<int>(rows.size());
  auto made = cached_scorer_of<float>(model_, memory, rows, count);
  TP_CHECK(made.ok(), "answers that do not fit into memory");
  scorer_ = std::move(made.value());
  answers_.assign(rows.size(), {});
  read_.assign(rows.size(), kBegin);
  open_.resize(rows.size());
  for (int i = 0; i < count; ++i) open_[i] = i;
}

bool AnswerWriter::advance() {
  const int columns = scorer_->vocabulary();
  logits_.resize(open_.size() * static_cast<std::size_t>(columns));
  const Matrix<float> logits(logits_.data(), static_cast<int>(open_.size()), columns);
  scorer_->step(read_, logits);
  const bool full = scorer_->length() >= scorer_->max_length();
  std::vector<int> origins, still_open;
  read_.clear();
  for (int row = 0; row < logits.rows; ++row) {
    const float* first = logits.row(row);
    const int token = static_cast<int>(std::max_element(first, first + columns) - first);
    std::vector<int>& answer = answers_[open_[row]];
    if (token != kEnd) answer.push_back(token);
    if (token == kEnd || std::ssize(answer) == most_tokens_ || full) continue;
    origins.push_back(row);
    still_open.push_back(open_[row]);
    read_.push_back(token);
  }
  if (origins.empty()) {
    scorer_.reset();
    return true;
  }
  if (origins.size() < open_.size()) scorer_->reorder(origins);
  open_ = std::move(still_open);
  return false;
}

}  // namespace tp

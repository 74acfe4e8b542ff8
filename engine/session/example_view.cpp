#include "engine/session/example_view.h"

#include <algorithm>

#include "engine/inspect/path_pattern.h"
#include "engine/session/shown_answer.h"

namespace tp {
namespace {

constexpr std::string_view kHead = ".head.", kWeights = ".weights";

// Of the attention that path `a` belongs to, up to its head.
std::string_view attention_of(std::string_view path) { return path.substr(0, path.find(kHead)); }

bool is_attention(std::string_view path) {
  return path.ends_with(kWeights) && path.find(kHead) != path.npos;
}

// How many columns each row may see: hidden ones have no score. A weight of 0 would not tell, since
// what is far from the row's best weighs nothing, too.
std::vector<std::int32_t> visible_columns(ConstMatrix<float> scores) {
  std::vector<std::int32_t> visible;
  for (int r = 0; r < scores.rows; ++r) {
    const float* row = scores.row(r);
    visible.push_back(static_cast<std::int32_t>(
        std::count_if(row, row + scores.columns, [](float score) { return score > -1e30f; })));
  }
  return visible;
}

ConstMatrix<float> matrix_of(const ParameterEntry& entry, const float* first) {
  const bool row = entry.shape.size() == 1;
  return {first, row ? 1 : entry.shape[0], row ? entry.shape[0] : entry.shape[1]};
}

}  // namespace

Result<std::unique_ptr<ExampleView>> ExampleView::create(std::shared_ptr<const Task> task,
                                                         const Transformer<float>& model,
                                                         std::size_t memory_limit) {
  auto activations =
      model.make_activations(batch_limits(model.config(), 1), GradientMemory::kept, memory_limit);
  if (!activations) return activations.error();
  return std::unique_ptr<ExampleView>(
      new ExampleView(std::move(task), model, std::move(activations.value())));
}

ExampleView::ExampleView(std::shared_ptr<const Task> task, const Transformer<float>& model,
                         std::unique_ptr<Activations<float>> activations)
    : task_(std::move(task)),
      activations_(std::move(activations)),
      batches_(*task_, model.config(), 1) {
  choose(0);
}

void ExampleView::choose(int index) {
  task_->sample(Split::held_out, kExamSeed, static_cast<std::uint64_t>(index), example_);
  show(index);
}

void ExampleView::show_typed(Example example) {
  example_ = std::move(example);
  show(kTypedExample);
}

void ExampleView::show(int index) {
  batches_.clear();
  batches_.add(example_);
  batches_.pack();
  shown_ = {};
  shown_.index = index;
  describe();
  found_ = false;
  begin_look();
}

void ExampleView::describe() {
  const TaskKind kind = task_->info().kind;
  const Vocabulary& words = task_->target_vocabulary();
  const std::span<const int> target = example_.target;
  if (kind == TaskKind::decoder_only) {
    shown_.read = words_of(target.first(target.size() - 1), words);
    shown_.written = words_of(target.subspan(1), words);
  } else {
    shown_.source = read_words(*task_, example_);
  }
  if (kind == TaskKind::encoder_decoder) {
    shown_.read = shown_.written = words_of(target, words);
    shown_.read.emplace(shown_.read.begin(), words.word(kBegin));
    shown_.written.emplace_back(words.word(kEnd));
  }
  for (const Link& link : example_.links) {
    shown_.links.push_back({link.output, link.source, link.scored});
  }
  shown_.source_text = task_->source_text(example_);
  if (shown_.index != kTypedExample) {
    shown_.answer_text = answer_text(*task_, example_, answer_of(example_));
  }
  shown_.drawn = task_->depict(example_);
  if (shown_.index == kTypedExample) std::swap(shown_.drawn.truth, shown_.drawn.predicted);
}

// ----------------------------------------------------------------------------- what is watched

void ExampleView::watch(const std::vector<WatchedPath>& paths, int asked,
                        const ParameterStore<float>& store) {
  asked_ = asked;
  paths_.clear();
  for (const WatchedPath& path : paths) {
    if (path.example == asked) paths_.push_back(path);
  }
  tensors_.clear();
  found_ = false;
  find_parameters(store);
  begin_look();
}

std::uint8_t ExampleView::wanted(const std::string& path) const {
  std::uint8_t bits = 0;
  for (const WatchedPath& watched : paths_) {
    if (fits_pattern(path, watched.pattern)) bits |= watched.wanted;
  }
  return bits;
}

void ExampleView::find_parameters(const ParameterStore<float>& store) {
  parameters_.clear();
  backward_ = false;
  std::size_t gradients = 0;
  for (const ParameterEntry& entry : store.entries()) {
    const ConstMatrix<float> shape = matrix_of(entry, nullptr);
    const Axis rows{AxisKind::feature, shape.rows}, columns{AxisKind::feature, shape.columns};
    // The values belong to no example.
    if (const std::uint8_t bits = asked_ < 0 ? wanted(entry.name) : 0) {
      parameters_.push_back(
          {entry.name, "parameter", {}, rows, columns, bits, shape, {}, entry.offset, false});
    }
    const std::string path = gradient_path(entry.name);
    if (const std::uint8_t bits = wanted(path)) {
      parameters_.push_back(
          {path, "gradient of a parameter", {}, rows, columns, bits, shape, {}, gradients, true});
      gradients += entry.count;
      backward_ = true;
    }
  }
  parameter_gradients_.resize(gradients);
}

void ExampleView::find_tensors(const Transformer<float>& model) {
  found_ = true;
  tensors_.clear();
  still_heads_.clear();
  const std::vector<TracedTensor<float>> forward =
      trace(model, *activations_, batches_.packed(), 0, TraceParts::forward);
  const auto add = [&](const TracedTensor<float>& traced, bool gradient) {
    const std::uint8_t bits = wanted(traced.path);
    if (bits == 0 || traced.values.data == nullptr) return;
    Watched watched{traced.path,
                    traced.operation,
                    traced.inputs,
                    traced.rows,
                    traced.columns,
                    bits,
                    traced.values,
                    {},
                    0,
                    gradient};
    if (!gradient && is_attention(traced.path)) {
      std::string scores = traced.path;
      scores.replace(scores.size() - kWeights.size(), kWeights.size(), ".scores");
      const auto found = std::ranges::find(forward, scores, &TracedTensor<float>::path);
      if (found != forward.end()) watched.scores = found->values;
    }
    tensors_.push_back(std::move(watched));
    backward_ |= gradient;
  };
  for (const TracedTensor<float>& traced : forward) add(traced, false);
  if (!paths_.empty()) {
    const std::vector<TracedTensor<float>> all =
        trace(model, *activations_, batches_.packed(), 0, TraceParts::forward_and_backward);
    for (std::size_t i = forward.size(); i < all.size(); ++i) add(all[i], true);
  }

  std::string_view last;  // attention between the sides goes before attention within one
  bool crosses = false;
  for (const TracedTensor<float>& traced : forward) {
    const bool cross = traced.rows.kind != traced.columns.kind;
    if (!is_attention(traced.path) || (crosses && !cross)) continue;
    if (attention_of(traced.path) != last) still_heads_.clear();
    last = attention_of(traced.path);
    crosses = cross;
    still_heads_.push_back(traced.values);
  }
}

// ----------------------------------------------------------------------------------------- a look

bool ExampleView::advance_look(Trainer& trainer, bool all_stages) {
  const int stages = trainer.model().stages();
  do {
    if (stage_ < stages) {
      forward_stage(trainer.model());
    } else {
      backward_stages(trainer, all_stages ? stages : 1);
    }
  } while (all_stages && !fresh_);
  return fresh_;
}

void ExampleView::forward_stage(const Transformer<float>& model) {
  model.forward_stage(stage_, batches_.packed(), {}, *activations_);
  if (++stage_ < model.stages()) return;
  model.loss(batches_.packed(), *activations_);
  if (!found_) find_tensors(model);
  fresh_ = !backward_ && !explains_;
}

void ExampleView::backward_stages(Trainer& trainer, int count) {
  Transformer<float>& model = trainer.model();
  const int stages = model.stages();
  const std::span<float> block = model.parameters().gradients();
  if (stage_ == stages) {
    gradients_.assign(block.size(), 0.0f);
    gradient_scale_ = static_cast<float>(trainer.state().loss_scale.scale);
  }
  // A step may be under way, whose gradients are in the store: they change places with those of the
  // example meanwhile.
  std::ranges::swap_ranges(block, gradients_);
  for (const int last = stage_ + count; stage_ < last; ++stage_) {
    model.backward_stage(stage_ - stages, *activations_, gradient_scale_);
  }
  std::ranges::swap_ranges(block, gradients_);
  if (stage_ < 2 * stages) return;
  keep_parameter_gradients(model.parameters());
  fresh_ = true;
}

void ExampleView::keep_parameter_gradients(const ParameterStore<float>& store) {
  std::size_t next = 0;
  for (const ParameterEntry& entry : store.entries()) {
    if (wanted(gradient_path(entry.name)) == 0) continue;
    std::copy_n(gradients_.begin() + static_cast<std::ptrdiff_t>(entry.offset), entry.count,
                parameter_gradients_.begin() + static_cast<std::ptrdiff_t>(next));
    next += entry.count;
  }
}

// ---------------------------------------------------------------------------------------- results

std::vector<WatchedTensor> ExampleView::tensors(const Trainer& trainer) const {
  std::vector<WatchedTensor> copies;
  for (const Watched& watched : tensors_) copies.push_back(copied(watched, watched.values));
  for (const Watched& watched : parameters_) {
    const float* block = watched.gradient ? parameter_gradients_.data() : trainer.values().data();
    copies.push_back(
        copied(watched, {block + watched.offset, watched.rows.size, watched.columns.size}));
  }
  return copies;
}

WatchedTensor ExampleView::copied(const Watched& watched, ConstMatrix<float> values) const {
  WatchedTensor tensor;
  tensor.path = watched.path;
  tensor.operation = watched.operation;
  tensor.example = asked_;
  tensor.row_axis = watched.rows.kind;
  tensor.column_axis = watched.columns.kind;
  tensor.rows = values.rows;
  tensor.columns = values.columns;
  std::vector<float>& numbers = tensor.values;
  numbers.reserve(static_cast<std::size_t>(values.rows) * static_cast<std::size_t>(values.columns));
  for (int r = 0; r < values.rows; ++r) {
    numbers.insert(numbers.end(), values.row(r), values.row(r) + values.columns);
  }
  if (watched.gradient && gradient_scale_ != 1) {
    for (float& number : numbers) number /= gradient_scale_;
  }
  if ((watched.wanted & (kWantStatistics | kWantHistogram)) != 0) {
    tensor.statistics = statistics_of(numbers);
  }
  if ((watched.wanted & kWantHistogram) != 0) {
    tensor.histogram = histogram_of(numbers, tensor.statistics->least, tensor.statistics->most);
  }
  if ((watched.wanted & kWantInputs) != 0) tensor.inputs = watched.inputs;
  if (watched.scores.data != nullptr) add_reading(watched, numbers, tensor);
  if ((watched.wanted & kWantValues) == 0) numbers.clear();
  return tensor;
}

void ExampleView::add_reading(const Watched& watched, std::span<const float> weights,
                              WatchedTensor& tensor) const {
  tensor.visible = visible_columns(watched.scores);
  std::vector<TargetCell> targets;
  if (watched.rows.kind != watched.columns.kind) {
    for (const Link& link : example_.links) {
      if (link.scored) targets.push_back({link.output, link.source});
    }
  }
  tensor.reading = read_head({weights, tensor.rows, tensor.columns, tensor.visible}, targets);
}

Result<Explanation> ExampleView::explained(const Transformer<float>& model, const Cell& cell) {
  TP_CHECK(explains_ && fresh_, "a look to be explained is whole and has gradients");
  explains_ = false;
  begin_look();  // a still may wait for the passes of other weights
  return explain(explained_pass(model), cell);
}

Result<std::unique_ptr<FiniteDifference>> ExampleView::difference(const Transformer<float>& model,
                                                                  const Explanation& explanation,
                                                                  std::size_t memory_limit) const {
  return FiniteDifference::create(explained_pass(model), moved_cell(explanation), memory_limit);
}

Still ExampleView::still() const {
  TP_CHECK(!still_heads_.empty(), "a model without attention");
  const ConstMatrix<float>& first = still_heads_.front();
  std::vector<std::span<const float>> heads;
  for (const ConstMatrix<float>& head : still_heads_) heads.push_back(head.flat());
  return {{}, first.rows, first.columns, mean_map(heads)};
}

}  // namespace tp

#include "cli/tensor_watch.h"

#include <algorithm>
#include <utility>

#include "engine/core/shown_name.h"
#include "engine/inspect/path_pattern.h"

namespace tp::cli {
namespace {

bool is_watched_family(std::string_view family) {
  return std::ranges::any_of(all_series(), [&](const SeriesInfo& info) {
    return info.source == SeriesSource::watch && info.name == family;
  });
}

std::string watched_families() {
  std::string names;
  for (const SeriesInfo& info : all_series()) {
    if (info.source != SeriesSource::watch) continue;
    names += (names.empty() ? "" : ", ") + std::string(info.name.substr(0, info.name.size() - 1));
  }
  return names;
}

// Hands on what is wanted of one tensor.
class Chosen : public SeriesSink {
 public:
  Chosen(std::vector<std::string_view> families, SeriesSink& to)
      : families_(std::move(families)), to_(to) {}

 private:
  void take(std::string_view family, std::string_view path, double value) override {
    if (std::ranges::find(families_, family) != families_.end()) to_.add(family, path, value);
  }

  std::vector<std::string_view> families_;
  SeriesSink& to_;
};

}  // namespace

Result<std::unique_ptr<TensorWatch>> TensorWatch::create(const std::vector<std::string>& wanted,
                                                         const std::shared_ptr<const Task>& task,
                                                         Trainer& trainer) {
  std::unique_ptr<TensorWatch> watch;
  if (wanted.empty()) return watch;
  watch = std::make_unique<TensorWatch>();
  std::vector<WatchedPath> paths;
  for (const std::string& text : wanted) {
    const std::size_t colon = text.rfind(':');
    const std::string family = colon == text.npos ? "" : text.substr(colon + 1) + ".";
    if (!is_watched_family(family)) {
      return Error{
          "--watch takes a pattern and a statistic, as in 'decoder.*.weights:entropy', and "
          "not " +
          shown_name(text) + ": the statistics are " + watched_families() + "."};
    }
    watch->wanted_.push_back({text.substr(0, colon), family});
    paths.push_back({watch->wanted_.back().pattern, kWantStatistics});
  }
  auto view = ExampleView::create(task, trainer.model(), kDefaultMemoryLimit);
  if (!view) return view.error();
  watch->view_ = std::move(view.value());
  watch->view_->watch(paths, -1, trainer.model().parameters());
  for (const Wanted& one : watch->wanted_) {
    if (watch->names(trainer, std::span(&one, 1)).empty()) {
      return Error{"--watch " + shown_name(one.pattern) + " finds no tensor with a series " +
                   one.family.substr(0, one.family.size() - 1) +
                   ": tp trace prints the paths, and attention weights alone have an entropy."};
    }
  }
  return watch;
}

std::vector<std::string> TensorWatch::names(Trainer& trainer, std::span<const Wanted> wanted) {
  SeriesValues values;
  measure(trainer, wanted, values);
  std::vector<std::string> names;
  for (const SeriesValue& value : values.list) names.push_back(value.name);
  return names;
}

void TensorWatch::measure(Trainer& trainer, std::span<const Wanted> wanted, SeriesSink& to) {
  const RoundedWeights working = trainer.working_weights();
  view_->weights_changed();
  view_->advance_look(trainer, true);
  for (const WatchedTensor& tensor : view_->tensors(trainer)) {
    std::vector<std::string_view> families;
    for (const Wanted& one : wanted) {
      if (fits_pattern(tensor.path, one.pattern)) families.push_back(one.family);
    }
    Chosen chosen(std::move(families), to);
    tensor_values(tensor.path, tensor.reading, tensor.statistics, chosen);
  }
}

}  // namespace tp::cli

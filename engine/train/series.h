#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/inspect/patterns.h"
#include "engine/inspect/statistics.h"
#include "engine/model/config.h"
#include "engine/train/series_list.h"
#include "engine/train/trainer.h"

// What a step, an exam and a look measure, under the names of the list.

namespace tp {

// Takes numbers, each under its name, or under that of its family and the path that follows.
class SeriesSink {
 public:
  virtual ~SeriesSink() = default;
  void add(std::string_view name, double value) { take(name, {}, value); }
  void add(std::string_view family, std::string_view path, double value) {
    take(family, path, value);
  }

 private:
  virtual void take(std::string_view name, std::string_view path, double value) = 0;
};

// What was measured; what a task or a step does not have is left out. `seconds` is what the last
// step took; 0: not known.
void step_values(const Trainer& trainer, double seconds, SeriesSink& to);
void exam_values(const Evaluation& exam, const ModelConfig& config, SeriesSink& to);
// Of a tensor of the shown example, or of a parameter.
void tensor_values(std::string_view path, const std::optional<HeadReading>& reading,
                   const std::optional<TensorStatistics>& statistics, SeriesSink& to);

struct SeriesValue {
  std::string name;
  double value;
};
class SeriesValues : public SeriesSink {
 public:
  std::vector<SeriesValue> list;

 private:
  void take(std::string_view name, std::string_view path, double value) override {
    list.push_back({std::string(name).append(path), value});
  }
};

// The columns of a run's table, behind the step: every series that may come, in the list's order.
std::vector<std::string> series_columns(const ModelConfig& config,
                                        const std::vector<ParameterLayer>& layers);

}  // namespace tp

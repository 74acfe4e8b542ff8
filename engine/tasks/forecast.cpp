#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

#include "engine/core/check.h"
#include "engine/core/maths.h"
#include "engine/core/shown_name.h"
#include "engine/tasks/csv_column.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/text_pieces.h"
#include "engine/tasks/window_split.h"

// 30 days of a price, as 9 patches of 6 days that overlap by 3; what are the next days' prices?
// Every window is shown with its mean at 0 and its deviation as 1: a cheap share and a dear one
// that move alike look alike.

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "forecast",
                            .kind = TaskKind::patch_regressor,
                            .material = Material::optional,
                            .summary = "Thirty days of a price: how does it go on?"};

struct Parameters {
  int days = 30;
  int patch = 6;
  int stride = 3;
  int horizon = 3;
  std::string column;  // of the user's table

  int patches() const { return (days - patch) / stride + 1; }
};

class ForecastTask : public Task {
 public:
  Parsed parse(std::string_view text) const override;
  std::string source_text(const Example& example) const override;
  std::string answer_text(const Answer& answer) const override {
    std::string numbers;
    for (float value : answer.values) append_number(value, numbers);
    return numbers;
  }

  Depiction depict(const Example& example) const override {
    Depiction drawn{.patch = parameters_.patch, .stride = parameters_.stride};
    for (int day = 0; day < parameters_.days; ++day) {
      drawn.values.push_back(static_cast<float>(price(example, day)));
    }
    for (float value : example.values) {
      drawn.truth.push_back(static_cast<float>(example.offset + example.scale * double{value}));
    }
    return drawn;
  }

  Metric metric() const override { return {.name = "squared_error", .more_is_better = false}; }
  double score(const Answer& expected, const Answer& produced) const override {
    TP_CHECK(produced.values.size() == expected.values.size(), "one number for each day");
    double sum = 0;
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      const double difference = double{produced.values[i]} - double{expected.values[i]};
      sum += difference * difference;
    }
    return sum / static_cast<double>(expected.values.size());
  }
  // Tomorrow is like today.
  std::optional<double> baseline(const Example& example) const override {
    const std::vector<float> today(example.values.size(), example.patches.back());
    return score(answer_of(example), {.values = today});
  }

 protected:
  explicit ForecastTask(const Parameters& parameters) : Task(kInfo), parameters_(parameters) {
    sizes_.source = parameters.patches();
    sizes_.patch_size = parameters.patch;
    sizes_.outputs = parameters.horizon;
  }

  const Parameters& parameters() const { return parameters_; }
  int covered() const { return parameters_.days + parameters_.horizon; }

  // From the days of a window and, where they are known, those that follow.
  void fill(std::span<const double> prices, Example& example) const {
    example.clear();
    const std::span<const double> past = prices.first(parameters_.days);
    double sum = 0, squares = 0;
    for (double price : past) sum += price;
    example.offset = sum / parameters_.days;
    for (double price : past) {
      squares += (price - example.offset) * (price - example.offset);
    }
    const double deviation = maths::sqrt(squares / parameters_.days);
    example.scale = deviation > 0 ? deviation : 1;
    const auto scaled = [&](double price) {
      return static_cast<float>((price - example.offset) / example.scale);
    };
    for (int p = 0; p < sizes_.source; ++p) {
      for (double price : past.subspan(p * parameters_.stride, parameters_.patch)) {
        example.patches.push_back(scaled(price));
      }
    }
    for (double price : prices.subspan(parameters_.days)) {
      example.values.push_back(scaled(price));
    }
  }

 private:
  // On a day of the window, as a person reads it.
  double price(const Example& example, int day) const {
    const int patch = std::min(day / parameters_.stride, sizes_.source - 1);
    const std::size_t place =
        static_cast<std::size_t>(patch) * parameters_.patch + (day - patch * parameters_.stride);
    return example.offset + example.scale * double{example.patches[place]};
  }
  static void append_number(double value, std::string& text) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%s%.4g", text.empty() ? "" : " ", value);
    text += buffer;
  }

  Parameters parameters_;
};

Parsed ForecastTask::parse(std::string_view text) const {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  std::vector<double> prices;
  for (std::string_view word : split_words(spaced)) {
    const std::optional<double> price = parse_decimal(word);
    if (!price) {
      const std::string days = std::to_string(parameters_.days);
      return {Error{"\"" + shown_text(word) + "\" is not a number: type " + days +
                        " prices separated by spaces.",
                    "수가 아닙니다: " + shown_text(word) + ". 필요한 가격의 수: " + days +
                        ". 빈칸으로 나누어 입력해 주십시오."}};
    }
    prices.push_back(*price);
  }
  if (static_cast<int>(prices.size()) != parameters_.days) {
    const std::string count = std::to_string(prices.size());
    const std::string days = std::to_string(parameters_.days);
    return {Error{"there are " + count + " prices: type " + days + ".",
                  "가격의 수가 다릅니다. 입력: " + count + ", 필요: " + days + "."}};
  }
  Example example;
  fill(prices, example);
  return {std::move(example)};
}

std::string ForecastTask::source_text(const Example& example) const {
  std::string numbers;
  for (int day = 0; day < parameters_.days; ++day) {
    append_number(price(example, day), numbers);
  }
  return numbers;
}

// A made-up share: two waves on a slope, and noise that lasts a little. Waves and slope can be
// learned, the noise cannot.
class GeneratedForecast final : public ForecastTask {
 public:
  explicit GeneratedForecast(const Parameters& parameters) : ForecastTask(parameters) {}

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    std::array<double, kLongest> prices;
    std::array<int, kLongest> cents;
    const int count = covered();
    do {
      draw(rng, std::span(cents).first(count));
    } while (split_of(std::span(cents).first(parameters().days)) != split);
    for (int day = 0; day < count; ++day) prices[day] = cents[day] / 100.0;
    fill(std::span(prices).first(count), example);
  }

  static constexpr int kLongest = 160;

 private:
  // log price = log start + slope day + waves + noise, noise = 0.6 * yesterday's + news
  static void draw(Rng& rng, std::span<int> cents) {
    constexpr double kTwoPi = 0x1.921fb54442d18p+2;
    struct Wave {
      double height, speed, phase;
    };
    const double start = rng.uniform(20, 200), slope = rng.uniform(-0.008, 0.008);
    Wave waves[2];
    for (Wave& wave : waves) {
      wave.height = rng.uniform(0.02, 0.08);
      wave.speed = kTwoPi / rng.uniform(7, 21);
      wave.phase = rng.uniform(0, kTwoPi);
    }
    double noise = 0;
    for (std::size_t day = 0; day < cents.size(); ++day) {
      const double time = static_cast<double>(day);
      noise = 0.6 * noise + 0.006 * rng.normal();
      double exponent = slope * time + noise;
      for (const Wave& wave : waves) {
        exponent += wave.height * maths::sin(wave.phase + wave.speed * time);
      }
      cents[day] = static_cast<int>(100 * start * maths::exp(exponent) + 0.5);
    }
  }
};

// Windows of a column of the user's; its last fifth is held out.
class TableForecast final : public ForecastTask {
 public:
  TableForecast(const Parameters& parameters, CsvColumn column, WindowSplit split)
      : ForecastTask(parameters), prices_(std::move(column.values)), split_(std::move(split)) {
    const std::string number = std::to_string(column.number);
    const std::string heading = column.heading.empty() ? "" : " (" + column.heading + ")";
    const std::string count = std::to_string(prices_.size());
    notes_.push_back({"column " + number + heading + " of the table: " + count + " numbers.",
                      "표에서 쓰는 열: " + number + heading + ", 수의 개수: " + count + "."});
  }

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    const std::vector<int>& held_out = split_.held_out_starts;
    const int start = split == Split::train
                          ? static_cast<int>(rng.below(split_.train_starts))
                          : held_out[rng.below(static_cast<std::uint32_t>(held_out.size()))];
    fill(std::span(prices_).subspan(start, covered()), example);
  }

 private:
  std::vector<double> prices_;
  WindowSplit split_;
};

class ForecastRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    return {integer("days", parameters_.days, 8, 120), integer("patch", parameters_.patch, 1, 30),
            integer("stride", parameters_.stride, 1, 30),
            integer("horizon", parameters_.horizon, 1, 30),
            free_text("column", parameters_.column, 80)};
  }
  TaskResult make(std::string_view material) const {
    const auto& [days, patch, stride, horizon, column] = parameters_;
    if (stride > patch || patch > days || (days - patch) % stride != 0) {
      return Error{"patches of " + std::to_string(patch) + " days, one every " +
                       std::to_string(stride) + ", do not cover " + std::to_string(days) +
                       " days: take stride at most patch, and days - patch a multiple of stride.",
                   "패치가 날짜를 고르게 덮지 않습니다. 간격은 패치 이하로, (날짜 - 패치)는 간격의 "
                   "배수로 정해 주십시오."};
    }
    if (material.empty()) {
      return std::unique_ptr<const Task>(std::make_unique<GeneratedForecast>(parameters_));
    }
    Result<CsvColumn> read = csv_column(material, column);
    if (!read) return read.error();
    return from_table(std::move(read.value()));
  }

 private:
  TaskResult from_table(CsvColumn column) const {
    std::vector<double>& prices = column.values;
    const int count = static_cast<int>(prices.size());
    const int covered = parameters_.days + parameters_.horizon;
    if (count < 2 * covered) {
      return Error{"the column has " + std::to_string(count) + " numbers: to train on " +
                       std::to_string(covered) + " at a time and hold some back takes " +
                       std::to_string(2 * covered) + ".",
                   "열에 든 수가 모자랍니다. 지금: " + std::to_string(count) +
                       ", 필요: " + std::to_string(2 * covered) + "."};
    }
    std::vector<std::uint64_t> items;
    for (double price : prices) items.push_back(std::bit_cast<std::uint64_t>(price));
    const int cut = count - std::max(count / 5, covered);
    WindowSplit split = split_windows(items, parameters_.days, covered, cut);
    if (split.held_out_starts.empty()) {
      return Error{
          "the end of the column only repeats what came before: nothing is left to hold "
          "back, so choose another column.",
          "열의 끝부분이 앞부분의 되풀이라서 검증용으로 남길 것이 없습니다. 다른 열을 골라 "
          "주십시오."};
    }
    return std::unique_ptr<const Task>(
        std::make_unique<TableForecast>(parameters_, std::move(column), std::move(split)));
  }

  Parameters parameters_;
};

}  // namespace

TaskEntry forecast_task() { return {kInfo, make_recipe<ForecastRecipe>}; }
TaskMaker forecast_maker() { return make_with<ForecastRecipe>; }

}  // namespace tp

#include <algorithm>
#include <array>

#include "engine/tasks/registry.h"
#include "engine/tasks/text_pieces.h"

// A small grey picture, cut into patches of 4 x 4, shows one shape somewhere.

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "shapes",
                            .kind = TaskKind::patch_classifier,
                            .material = Material::none,
                            .summary = "Which shape is in the picture?"};

constexpr int kPatch = 4;
constexpr int kSmallest = 5;  // below, a disc looks like a square

struct Parameters {
  int size = 16;
  double noise = 0.1;
};

// A grey between 0 (paper) and 1 (ink) as the model sees it: around 0, where learning is easiest.
float shown(double grey) { return static_cast<float>(2 * grey - 1); }

// A shape in a square of side x side pixels. In doubled coordinates from its centre (dx, dy) every
// test is in whole numbers.
struct Pixel {
  int x, y, side;
  int dx() const { return std::abs(2 * x - (side - 1)); }
  int dy() const { return std::abs(2 * y - (side - 1)); }
};
bool in_square(const Pixel&) { return true; }
bool in_frame(const Pixel& p) { return std::max(p.dx(), p.dy()) >= p.side - 1; }
bool in_disc(const Pixel& p) { return p.dx() * p.dx() + p.dy() * p.dy() <= (p.side - 1) * p.side; }
bool in_triangle(const Pixel& p) { return p.dx() <= p.y; }
bool in_plus(const Pixel& p) { return std::min(p.dx(), p.dy()) <= 1; }
bool in_cross(const Pixel& p) { return std::abs(p.dx() - p.dy()) <= 1; }

struct Shape {
  std::string_view name;
  bool (*covers)(const Pixel&);
};
constexpr Shape kShapes[] = {{"square", in_square},     {"frame", in_frame}, {"disc", in_disc},
                             {"triangle", in_triangle}, {"plus", in_plus},   {"cross", in_cross}};
constexpr int kShapeCount = static_cast<int>(std::size(kShapes));

class ShapesTask final : public Task {
 public:
  explicit ShapesTask(const Parameters& parameters)
      : Task(kInfo), size_(parameters.size), noise_(parameters.noise) {
    for (const Shape& shape : kShapes) classes_.emplace_back(shape.name);
    sizes_.source = (size_ / kPatch) * (size_ / kPatch);
    sizes_.patch_size = kPatch * kPatch;
    sizes_.outputs = kShapeCount;
  }

  // Held out are places: a shape of one size in one spot of the picture.
  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    example.clear();
    example.label = static_cast<int>(rng.below(kShapeCount));
    int side, left, top;
    do {
      side = kSmallest + static_cast<int>(rng.below(size_ * 3 / 4 - kSmallest + 1));
      left = static_cast<int>(rng.below(size_ - side + 1));
      top = static_cast<int>(rng.below(size_ - side + 1));
    } while (split_of(std::array{example.label, side, left, top}) != split);

    const double ink = rng.uniform(0.7, 1), paper = rng.uniform(0, 0.3);
    example.patches.resize(static_cast<std::size_t>(size_) * size_);
    for (int y = 0; y < size_; ++y) {
      for (int x = 0; x < size_; ++x) {
        const Pixel pixel = {x - left, y - top, side};
        const bool inside = pixel.x >= 0 && pixel.x < side && pixel.y >= 0 && pixel.y < side &&
                            kShapes[example.label].covers(pixel);
        const double value = (inside ? ink : paper) + noise_ * rng.normal();
        example.patches[place_of(x, y)] = shown(value);
      }
    }
  }

  // Rows of the picture separated by white space: # is ink, . is paper.
  Parsed parse(std::string_view text) const override {
    const std::vector<std::string_view> rows = split_words(text);
    const std::string wanted = std::to_string(size_);
    if (static_cast<int>(rows.size()) != size_) {
      return {Error{"the picture has " + std::to_string(rows.size()) + " rows: draw " + wanted +
                        ", each of " + wanted + " signs, # for ink and . for paper.",
                    "그림의 줄 수가 다릅니다. 입력: " + std::to_string(rows.size()) +
                        ", 필요: " + wanted + ". #은 칠한 칸, .은 빈칸입니다."}};
    }
    Example example;
    example.patches.resize(static_cast<std::size_t>(size_) * size_);
    for (int y = 0; y < size_; ++y) {
      const bool right_length = static_cast<int>(rows[y].size()) == size_;
      if (!right_length || rows[y].find_first_not_of("#.") != std::string_view::npos) {
        return {Error{"row " + std::to_string(y + 1) + " of the picture is not " + wanted +
                          " signs: use # for ink and . for paper.",
                      "칸 수가 다른 줄: " + std::to_string(y + 1) + ", 필요한 칸 수: " + wanted +
                          ". #과 . 만 써 주십시오."}};
      }
      for (int x = 0; x < size_; ++x) {
        example.patches[place_of(x, y)] = shown(rows[y][x] == '#' ? 0.85 : 0.15);
      }
    }
    return {std::move(example)};
  }

  std::string source_text(const Example& example) const override {
    std::string rows;
    for (int y = 0; y < size_; ++y) {
      if (y > 0) rows += ' ';
      for (int x = 0; x < size_; ++x) rows += example.patches[place_of(x, y)] > 0 ? '#' : '.';
    }
    return rows;
  }
  std::string answer_text(const Answer& answer) const override {
    return answer.label < 0 ? "" : classes_[answer.label];
  }
  Depiction depict(const Example& example) const override {
    Depiction drawn{.width = size_, .patch = kPatch};
    drawn.values.resize(example.patches.size());
    for (int y = 0; y < size_; ++y) {
      for (int x = 0; x < size_; ++x) {
        drawn.values[static_cast<std::size_t>(y) * size_ + x] =
            std::clamp((example.patches[place_of(x, y)] + 1) / 2, 0.0f, 1.0f);
      }
    }
    return drawn;
  }
  Metric metric() const override { return {.name = "right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return expected.label == produced.label ? 1 : 0;
  }

 private:
  // Patches one after the other, and within each its pixels, both row by row.
  std::size_t place_of(int x, int y) const {
    const int patch = (y / kPatch) * (size_ / kPatch) + x / kPatch;
    return static_cast<std::size_t>(patch) * kPatch * kPatch + (y % kPatch) * kPatch + x % kPatch;
  }

  int size_;
  double noise_;
};

class ShapesRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    return {integer("size", parameters_.size, 12, 32, kPatch),
            real("noise", parameters_.noise, 0, 0.5)};
  }
  TaskResult make(std::string_view) const {
    return std::unique_ptr<const Task>(std::make_unique<ShapesTask>(parameters_));
  }

 private:
  Parameters parameters_;
};

}  // namespace

TaskEntry shapes_task() { return {kInfo, make_recipe<ShapesRecipe>}; }
TaskMaker shapes_maker() { return make_with<ShapesRecipe>; }

}  // namespace tp

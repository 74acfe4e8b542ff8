#include "engine/core/small_sort.h"
#include "engine/tasks/symbols.h"

// k d a d -> a d d k

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "sort",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::none,
                            .summary = "Write the letters in order."};

class SortTask final : public SymbolTask {
 public:
  explicit SortTask(const SymbolParameters& parameters) : SymbolTask(kInfo, parameters) {}

 private:
  void solve(Example& example) const override {
    example.target = example.source;
    small_sort(example.target);
    // Either copy of a letter that occurs twice may be meant: both are right.
    const int length = static_cast<int>(example.source.size());
    for (int i = 0; i < length; ++i) {
      for (int j = 0; j < length; ++j) {
        if (example.source[j] == example.target[i]) example.add_link(i, j);
      }
    }
  }
};

}  // namespace

TaskEntry sort_task() { return {kInfo, make_recipe<SymbolRecipe<SortTask>>}; }
TaskMaker sort_maker() { return make_with<SymbolRecipe<SortTask>>; }

}  // namespace tp

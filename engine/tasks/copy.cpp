#include "engine/tasks/symbols.h"

// k d a m -> k d a m

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "copy",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::none,
                            .summary = "Write the letters once more."};

class CopyTask final : public SymbolTask {
 public:
  explicit CopyTask(const SymbolParameters& parameters) : SymbolTask(kInfo, parameters) {}

 private:
  void solve(Example& example) const override {
    example.target = example.source;
    const int length = static_cast<int>(example.source.size());
    for (int i = 0; i < length; ++i) example.add_link(i, i);
  }
};

}  // namespace

TaskEntry copy_task() { return {kInfo, make_recipe<SymbolRecipe<CopyTask>>}; }
TaskMaker copy_maker() { return make_with<SymbolRecipe<CopyTask>>; }

}  // namespace tp

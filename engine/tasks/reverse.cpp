#include "engine/tasks/symbols.h"

// k d a m -> m a d k

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "reverse",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::none,
                            .summary = "Write the letters backwards."};

class ReverseTask final : public SymbolTask {
 public:
  explicit ReverseTask(const SymbolParameters& parameters) : SymbolTask(kInfo, parameters) {}

 private:
  void solve(Example& example) const override {
    example.target.assign(example.source.rbegin(), example.source.rend());
    const int length = static_cast<int>(example.source.size());
    for (int i = 0; i < length; ++i) example.add_link(i, length - 1 - i);
  }
};

}  // namespace

TaskEntry reverse_task() { return {kInfo, make_recipe<SymbolRecipe<ReverseTask>>}; }
TaskMaker reverse_maker() { return make_with<SymbolRecipe<ReverseTask>>; }

}  // namespace tp

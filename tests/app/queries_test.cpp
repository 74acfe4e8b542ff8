// What a script asks of the app, with a session behind it.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "imgui_app/platform/native_window.h"

namespace tp::ui {
namespace {

using Json = nlohmann::json;

class Queries : public testing::Test {
 protected:
  void SetUp() override {
    window_ = std::make_unique<NativeWindow>(1280, 800, TP_FONT_FOLDER, false);
    ASSERT_TRUE(window_->ok()) << window_->error();
    app().surroundings.reduced_motion = true;  // nothing plays by itself
    window_->begin();
    window_->settle();
  }
  App& app() { return window_->app(); }
  Json answer(const std::function<std::string()>& look) {
    std::string found;
    for (int i = 0; i < 200 && found.empty(); ++i) {
      window_->settle();
      found = look();
    }
    return Json::parse(found, nullptr, false);
  }
  Json explain(const std::string& path, int row, int column) {
    const std::uint32_t id = app().ask_explanation(path, row, column);
    const Json found = answer([&] { return app().explanation_json(id); });
    EXPECT_EQ(found["id"], id);
    return found;
  }
  Json tensors(const std::string& pattern) {
    const std::uint32_t id = app().ask_tensors(pattern);
    return answer([&] { return app().tensors_json(pattern, id); });
  }

  std::unique_ptr<NativeWindow> window_;
};

TEST_F(Queries, ANumberIsExplainedAndItsTermsCanBeAskedFor) {
  const Json cell = explain("decoder.0.cross_attn.head.1.query", 1, 2);
  EXPECT_EQ(cell["operation"], "linear");
  EXPECT_EQ(cell["problem"], "");
  const Json& term = cell["terms"].back();
  EXPECT_EQ(explain(term["path"], term["row"], term["column"])["value"], term["value"]);
  EXPECT_EQ(explain(term["factor_path"], term["factor_row"], term["factor_column"])["value"],
            term["factor"]);
  EXPECT_NEAR(cell["gradient"].get<double>(), cell["finite_difference"].get<double>(), 1e-3);
  EXPECT_NE(explain("nothing", 0, 0)["problem"], "");
}

TEST_F(Queries, TensorsByPatternAgreeWithWhatIsExplained) {
  const Json found = tensors("decoder.0.cross_attn.head.?.weights");
  ASSERT_GT(found.size(), 1u);
  const Json& one = found[1];
  EXPECT_EQ(one["axes"], Json({"target token", "source token"}));
  EXPECT_EQ(one["tokens"]["columns"].size(), one["columns"].get<std::size_t>());
  const std::size_t columns = one["columns"];
  EXPECT_EQ(one["values"][2 * columns + 1], explain(one["path"], 2, 1)["value"]);
  EXPECT_TRUE(tensors("nothing").empty());
}

}  // namespace
}  // namespace tp::ui

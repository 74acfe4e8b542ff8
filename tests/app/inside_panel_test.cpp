// The panel Inside with a model that a session trains, in a real window.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "imgui_app/panels/inside_tree.h"
#include "imgui_app/platform/native_window.h"
#include "tests/app/panel_stage.h"

namespace tp::ui {
namespace {

using Json = nlohmann::json;

class Inside : public testing::Test {
 protected:
  void open(int width, int height, bool dark = true) {
    window_.reset();
    window_ = std::make_unique<NativeWindow>(width, height, TP_FONT_FOLDER, false);
    ASSERT_TRUE(window_->ok()) << window_->error();
    app().surroundings.reduced_motion = true;  // nothing plays by itself
    app().surroundings.dark = dark;
    window_->begin();
    set("panel", "inside");
    wait_for("tree_source");
  }
  App& app() { return window_->app(); }
  Json state() { return Json::parse(app().state_json(), nullptr, false); }
  void set(const std::string& name, const std::string& value) {
    const Status status = app().set(name, value);
    ASSERT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
    window_->settle();
  }
  void perform(const std::string& json) {
    const Status status = app().command(json);
    ASSERT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
    window_->settle();
  }
  bool has(const std::string& place) { return state()["shown"]["places"].contains(place); }
  void wait_for(const std::string& place) {
    for (int i = 0; i < 200 && !has(place); ++i) window_->settle();
    ASSERT_TRUE(has(place)) << place;
  }
  std::string readout(const std::string& name) {
    return state()["shown"]["readouts"].value(name, "");
  }
  void wait_for_readout(const std::string& name, const std::string& beginning) {
    for (int i = 0; i < 200 && !readout(name).starts_with(beginning); ++i) window_->settle();
    EXPECT_TRUE(readout(name).starts_with(beginning)) << name << ": " << readout(name);
  }

  // No text is cut off, shortened or over another one.
  void expect_tidy(const std::string& about) {
    const Json shown = state()["shown"], &texts = shown["texts"];
    // On a phone the lower bar lies over what is scrolled below it.
    const double bar = shown["places"].contains("bottom_bar")
                           ? shown["places"]["bottom_bar"]["y"].get<double>()
                           : 1e9;
    const auto in_bar = [&](const Json& text) {
      return text["clip"]["y"].get<double>() >= bar - 1;
    };
    const auto end = [](const Json& rect, const char* from, const char* size) {
      return rect[from].get<double>() + rect[size].get<double>();
    };
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Json& a = texts[i];
      const std::string text = a["text"];
      EXPECT_GE(a["x"].get<double>(), a["clip"]["x"].get<double>() - 1) << about << ": " << text;
      EXPECT_LE(end(a, "x", "width"), end(a["clip"], "x", "width") + 1) << about << ": " << text;
      EXPECT_FALSE(text.ends_with("…") && !text.ends_with(" …")) << about << ": " << text;
      for (std::size_t j = 0; j < i; ++j) {
        const Json& b = texts[j];
        if (in_bar(a) != in_bar(b)) continue;
        const double across = std::min(end(a, "x", "width"), end(b, "x", "width")) -
                              std::max(a["x"].get<double>(), b["x"].get<double>());
        const double down = std::min(end(a, "y", "height"), end(b, "y", "height")) -
                            std::max(a["y"].get<double>(), b["y"].get<double>());
        const double air = 0.25 * std::min(a["height"].get<double>(), b["height"].get<double>());
        EXPECT_TRUE(across <= 1 || down <= air)
            << about << ": " << text << " over " << b["text"].get<std::string>();
      }
    }
  }

  // Where TP_PICTURES names a folder.
  void picture(const std::string& name) {
    const char* folder = std::getenv("TP_PICTURES");
    if (folder == nullptr) return;
    int width = 0, height = 0;
    const std::vector<unsigned char> pixels = window_->pixels(width, height);
    std::ofstream file(std::string(folder) + "/" + name + ".ppm", std::ios::binary);
    file << "P6\n" << width << " " << height << "\n255\n";
    file.write(reinterpret_cast<const char*>(pixels.data()),
               static_cast<std::streamsize>(pixels.size()));
  }

  std::unique_ptr<NativeWindow> window_;
};

TEST_F(Inside, TheModelIsThereAsBlocksThatOpen) {
  open(1280, 800);
  for (const char* block : {"source", "encoder.0", "encoder.norm", "target", "decoder.0", "head"}) {
    EXPECT_TRUE(has(std::string("tree_") + block)) << block;
  }
  EXPECT_FALSE(has("tree_decoder.0.cross_attn"));
  perform(R"({"type":"fold","path":"decoder.0"})");
  EXPECT_TRUE(has("tree_decoder.0.cross_attn"));
  perform(R"({"type":"fold","path":"decoder.0"})");
  EXPECT_FALSE(has("tree_decoder.0.cross_attn"));
  EXPECT_FALSE(app().command(R"({"type":"fold","path":"decoder.9"})").ok());
  // The tensor of a link is in view.
  set("inside", "encoder.0.self_attn.head.1.query");
  EXPECT_TRUE(has("tree_encoder.0.self_attn.head.1.query"));
  wait_for_readout("microscope", "encoder.0.self_attn.head.1.query: 10 × 32");
}

TEST_F(Inside, EveryTensorCanBeLookedAt) {
  open(1280, 800);
  for (const char* path :
       {"source.embedded", "encoder.0.self_attn.head.0.raw_scores",
        "decoder.0.self_attn.head.0.scores", "decoder.0.cross_attn.head.1.weights",
        "decoder.0.cross_attn.context", "encoder.0.feed_forward.hidden",
        "encoder.0.feed_forward.activated", "encoder.0.residual1", "encoder.0.norm1.output",
        "encoder.0.norm1.mean", "head.logits", "head.probabilities", "src_embed.weight",
        "encoder.layers.0.self_attn.out_proj.weight"}) {
    set("inside", path);
    wait_for_readout("microscope", path);
    EXPECT_TRUE(has("microscope")) << path;
    EXPECT_TRUE(has("histogram")) << path;
    expect_tidy(path);
  }
  // Its gradient takes a backward pass of the example.
  set("inside", "encoder.0.residual1");
  set("inside_gradient", "true");
  wait_for_readout("microscope", "encoder.0.d_residual1");
}

TEST_F(Inside, ATypedPartOfAPathOffersWhatItMayBecome) {
  open(1280, 800);
  set("inside", "cross_attn.head.1.we");
  EXPECT_TRUE(has("inside_complete_decoder.0.cross_attn.head.1.weights"));
  ASSERT_TRUE(app().press("inside_complete_decoder.0.cross_attn.head.1.weights").ok());
  window_->settle();
  EXPECT_EQ(state()["settings"]["inside"], "decoder.0.cross_attn.head.1.weights");
  EXPECT_FALSE(has("inside_complete_decoder.0.cross_attn.head.1.weights"));
}

TEST_F(Inside, TwoTensorsAreComparedSideBySideOrSubtracted) {
  open(1280, 800);
  set("inside", "encoder.0.residual1");
  set("inside_compare", "other");
  set("inside_other", "encoder.0.residual2");
  wait_for("microscope_2");
  set("inside_difference", "true");
  EXPECT_FALSE(has("microscope_2"));
  expect_tidy("difference");
  // A tensor at two steps.
  set("inside_compare", "nothing");
  perform(R"({"type":"pin"})");
  set("inside_compare", "pinned");
  wait_for_readout("microscope",
                   "(encoder.0.residual1 − encoder.0.residual1): 10 × 64; mean 0.0000, std 0.0000");
  perform(R"({"type":"step"})");
  for (int i = 0; i < 200 && readout("microscope").find("std 0.0000") != std::string::npos; ++i) {
    window_->settle();
  }
  EXPECT_EQ(readout("microscope").find("std 0.0000"), std::string::npos) << readout("microscope");
}

TEST_F(Inside, ANumberSaysWhereItCameFromAndItsInputsAreAPressAway) {
  open(1280, 800);
  const std::string weights = "decoder.0.cross_attn.head.1.weights";
  set("inside", weights);
  set("cell", "3,2");
  for (int i = 0; i < 200 && readout("cell").empty(); ++i) window_->settle();
  EXPECT_NE(readout("cell").find("="), std::string::npos) << readout("cell");
  EXPECT_FALSE(readout("derivative").empty());
  EXPECT_TRUE(readout("finite_difference").empty());
  picture("inside-number-weights");
  ASSERT_TRUE(app().press("check_derivative").ok());
  for (int i = 0; i < 200 && readout("finite_difference").empty(); ++i) window_->settle();
  EXPECT_FALSE(readout("finite_difference").empty());
  expect_tidy("weights");
  // To a score, then to the query that it was made from, and on to the weight matrix.
  ASSERT_TRUE(app().press("term_0").ok());
  window_->settle();
  EXPECT_EQ(state()["settings"]["inside"], "decoder.0.cross_attn.head.1.scores");
  wait_for("term_0");
  expect_tidy("scores");
  ASSERT_TRUE(app().press("term_0").ok());
  window_->settle();
  wait_for_readout("microscope", "decoder.0.cross_attn.head.1.raw_scores");
  wait_for("term_0_factor");
  expect_tidy("raw scores");
  picture("inside-number-scores");
  ASSERT_TRUE(app().press("term_0").ok());
  window_->settle();
  wait_for_readout("microscope", "decoder.0.cross_attn.head.1.query");
  wait_for("term_0_factor");
  ASSERT_TRUE(app().press("term_0_factor").ok());
  window_->settle();
  wait_for_readout("microscope", "decoder.layers.0.multihead_attn.in_proj_weight");
  expect_tidy("parameter");
  picture("inside-number-parameter");
  // A cell that is not there is answered with a sentence.
  set("cell", "999,0");
  for (int i = 0; i < 50; ++i) window_->settle();
  expect_tidy("no such cell");
}

TEST_F(Inside, EveryTaskHasItsMap) {
  for (const int width : {1280, 390}) {
    open(width, 800);
    for (const char* task : {"translate", "text", "balance", "forecast", "shapes"}) {
      set("task", task);
      for (int i = 0; i < 300 && !(state()["task"] == task && has("microscope")); ++i) {
        window_->settle();
      }
      ASSERT_TRUE(has("microscope")) << task;
      set("cell", "1,0");
      for (int i = 0; i < 200 && readout("cell").empty(); ++i) window_->settle();
      EXPECT_FALSE(readout("cell").empty()) << task;
      EXPECT_TRUE(has("tree_head")) << task;
      expect_tidy(std::to_string(width) + " " + task);
      picture("inside-" + std::to_string(width) + "-" + task);
    }
  }
}

TEST_F(Inside, IsTidyAtEverySizeInBothLanguages) {
  struct Size {
    int width, height;
  };
  for (const Size size :
       {Size{1280, 800}, Size{1000, 700}, Size{600, 800}, Size{390, 844}, Size{320, 640}}) {
    for (const bool dark : {true, false}) {
      open(size.width, size.height, dark);
      for (const char* language : {"en", "ko"}) {
        set("language", language);
        set("inside", "decoder.0.cross_attn.head.0.weights");
        wait_for("microscope");
        set("cell", "3,2");
        window_->settle();
        const std::string about =
            std::to_string(size.width) + language + (dark ? "-dark" : "-light");
        expect_tidy(about);
        picture("inside-" + about);
        set("inside", "encoder.0.feed_forward.hidden");
        set("inside_numbers", "true");
        set("inside_size", "gradients");
        wait_for("microscope");
        expect_tidy(about + " numbers");
        picture("inside-" + about + "-numbers");
        set("inside_numbers", "false");
        set("inside_size", "activations");
      }
    }
  }
}

// In slow motion the rows light up one after the other, forward and back, each with its size.
TEST(InsideTree, SlowMotionWalksThroughTheMap) {
  Snapshot snapshot;
  snapshot.run = 1;
  snapshot.moment.step = 1;
  for (const char* path : {"source.output", "encoder.0.residual1", "head.logits"}) {
    const float size = static_cast<float>(snapshot.tensors.size() + 1);
    snapshot.tensors.push_back({.path = path,
                                .operation = "add",
                                .row_axis = AxisKind::source_token,
                                .column_axis = AxisKind::feature,
                                .rows = 1,
                                .columns = 2,
                                .values = {size, -size}});
  }
  const ModelMap map(snapshot.tensors);
  RunView run;
  run.take(std::move(snapshot));
  InsideTree tree;
  PanelStage stage(400, 400);
  ASSERT_TRUE(stage.ok()) << stage.error();
  stage.settings.pace = Pace::k1;
  const Rect rect{ImVec2(0, 0), ImVec2(400, 400)};
  std::vector<std::string> walk;
  const auto draw = [&](Ui& ui, Rect room) { tree.draw(ui, run, map, -1, room); };
  for (int i = 0; i < 200; ++i) {
    stage.frame(draw, rect);
    for (const DrawnText& text : stage.mirror.texts()) {
      if (text.text.starts_with("± ") && (walk.empty() || walk.back() != text.text)) {
        walk.push_back(text.text);
      }
    }
  }
  EXPECT_EQ(walk, (std::vector<std::string>{"± 1", "± 2", "± 3", "± 2", "± 1"}));
}

}  // namespace
}  // namespace tp::ui

#include "imgui_app/model/settings.h"

#include <algorithm>

namespace tp::ui {

Properties properties(Settings& s) {
  return {
      choice("text_size", s.text_size, {"100", "125", "150", "200"}),
      choice("language", s.language, {"en", "ko"}),
      choice("theme", s.theme, {"system", "dark", "light"}),
      toggle("embed", s.embed),
      free_text("caption", s.caption, 300),
      choice("panel", s.panel, {std::begin(kPanelNames), std::end(kPanelNames)}),
      choice("pace", s.pace, {"1", "5", "10", "30", "max"}),
      toggle("keep_training", s.keep_training),
      choice("attention_kind", s.attention.kind, {"cross", "encoder", "decoder"}),
      integer("attention_layer", s.attention.layer, 0, 64),
      integer("attention_head", s.attention.head, 0, 64),
      choice("attention_view", s.attention.view, {"map", "lines"}),
      toggle("attention_targets", s.attention.targets),
      toggle("attention_follow", s.attention.follow),
      integer("example", s.attention.example, 0, 999),
      choice("example_of", s.attention.of, {"held_out", "typed"}),
      choice("inside_view", s.inside.view,
             {std::begin(kInsideViewNames), std::end(kInsideViewNames)}),
      choice("inside_size", s.inside.size, {"activations", "gradients"}),
      free_text("inside", s.inside.path, 120),
      free_text("cell", s.inside.cell, 20),
      toggle("inside_numbers", s.inside.numbers),
      toggle("inside_gradient", s.inside.gradient),
      choice("inside_compare", s.inside.compare, {"nothing", "other", "pinned"}),
      free_text("inside_other", s.inside.other, 120),
      toggle("inside_difference", s.inside.difference),
      toggle("show_perplexity", s.curves.perplexity),
      toggle("show_token_accuracy", s.curves.token_accuracy),
      toggle("show_learning_rate", s.curves.learning_rate),
      toggle("show_gradient_norm", s.curves.gradient_norm),
      toggle("show_update_ratio", s.curves.update_ratio),
      toggle("curve_log", s.curves.logarithmic),
      real("curve_smoothing", s.curves.smoothing, 0, 0.98),
      toggle("curve_ghosts", s.curves.ghosts),
      free_text("try_input", s.attempt.input, 2000),
      real("temperature", s.attempt.temperature, 0, 2),
      integer("top_k", s.attempt.top_k, 0, 100),
      choice("pe_source", s.pe.source, {"model", "formula"}),
      choice("pe_side", s.pe.side, {"source", "target"}),
      integer("pe_positions", s.pe.positions, 2, 256),
      integer("pe_d_model", s.pe.d_model, 2, 512, 2),
      real("pe_base", s.pe.base, 2, 1e6, true),
      integer("pe_position", s.pe.position, 0, s.pe.positions - 1),
      integer("pe_dimension", s.pe.dimension, 0, s.pe.d_model - 1),
      free_text("pe_waves", s.pe.waves, 60),
      free_text("pe_sentence", s.pe.sentence, 400),
  };
}

ConstProperties properties(const Settings& s) { return read_only(s, properties); }

void normalise(Settings& s) {
  s.pe.position = std::clamp(s.pe.position, 0, s.pe.positions - 1);
  s.pe.dimension = std::clamp(s.pe.dimension, 0, s.pe.d_model - 1);
}

double scale_of(TextSize size) {
  constexpr double kScales[] = {1, 1.25, 1.5, 2};
  return kScales[static_cast<size_t>(size)];
}

double steps_per_second_of(Pace pace) {
  constexpr double kPaces[] = {1, 5, 10, 30, 0};
  return kPaces[static_cast<size_t>(pace)];
}

bool parse_waves(const std::string& text, int d_model, std::vector<int>& dimensions) {
  dimensions.clear();
  size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ' ' || text[i] == ',') {
      ++i;
      continue;
    }
    int value = 0;
    for (; i < text.size() && text[i] != ' ' && text[i] != ','; ++i) {
      if (text[i] < '0' || text[i] > '9') return false;
      value = value * 10 + (text[i] - '0');
      if (value >= d_model) return false;
    }
    if (std::find(dimensions.begin(), dimensions.end(), value) == dimensions.end()) {
      dimensions.push_back(value);
    }
  }
  return std::ssize(dimensions) <= kMostWaves;
}

}  // namespace tp::ui

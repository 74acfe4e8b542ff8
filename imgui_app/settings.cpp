#include "imgui_app/settings.h"

#include <algorithm>

namespace tp {

Properties properties(Settings& s) {
  return {
      choice("text_size", s.text_size, {"100", "125", "150", "200"}),
      choice("language", s.language, {"en", "ko"}),
      choice("theme", s.theme, {"system", "dark", "light"}),
      integer("pe_positions", s.pe.positions, 2, 256),
      integer("pe_d_model", s.pe.d_model, 2, 512, 2),
      real("pe_base", s.pe.base, 2, 1e6, true),
      integer("pe_position", s.pe.position, 0, s.pe.positions - 1),
      integer("pe_dimension", s.pe.dimension, 0, s.pe.d_model - 1),
      free_text("pe_waves", s.pe.waves, 60),
      free_text("pe_sentence", s.pe.sentence, 400),
  };
}

void normalise(Settings& s) {
  s.pe.position = std::clamp(s.pe.position, 0, s.pe.positions - 1);
  s.pe.dimension = std::clamp(s.pe.dimension, 0, s.pe.d_model - 1);
}

double scale_of(TextSize size) {
  constexpr double kScales[] = {1, 1.25, 1.5, 2};
  return kScales[static_cast<size_t>(size)];
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

}  // namespace tp

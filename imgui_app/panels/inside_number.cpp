#include "imgui_app/panels/inside_number.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "imgui_app/panels/inside_tree.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr std::size_t kMostTerms = 6;
constexpr double kAgain = 2000;  // milliseconds between two questions while the model trains

std::string cell_text(const std::string& path, int row, int column) {
  return path + "[" + std::to_string(row) + ", " + std::to_string(column) + "]";
}

// The last part of a path says what a term is where the others are at hand.
std::string short_cell(const std::string& path, Cell cell) {
  std::size_t first = path.rfind('.');
  if (first != path.npos && (path.ends_with(".weight") || path.ends_with(".bias"))) {
    first = path.rfind('.', first - 1);
  }
  return cell_text(path.substr(first + 1), cell.row, cell.column);
}

bool is_of(const Explanation& explanation, const std::string& path, Cell cell) {
  return explanation.path == path && explanation.row == cell.row &&
         explanation.column == cell.column;
}

// The length of the number that the text begins with, or 0. `first`: a minus belongs to it.
std::size_t number_length(const std::string& text, bool first, double& value) {
  const bool signed_one = text.starts_with('-');
  const std::size_t digit = signed_one ? 1 : 0;
  if (signed_one && !first) return 0;
  if (digit >= text.size() || text[digit] < '0' || text[digit] > '9') return 0;
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return static_cast<std::size_t>(end - text.c_str());
}

// The colour of the tensor that a number of the equation came from.
Colour colour_of(const Ui& ui, const Explanation& explanation, double value) {
  const auto is = [&](float other) {
    return std::abs(value - other) <= 1e-3 * std::abs(static_cast<double>(other)) + 1e-9;
  };
  if (is(explanation.value)) return kind_colour(ui.palette, kind_of(explanation.path));
  for (const ExplainedTerm& term : explanation.terms) {
    if (is(term.value)) return kind_colour(ui.palette, kind_of(term.path));
    if (!term.factor_path.empty() && is(term.factor)) {
      return kind_colour(ui.palette, kind_of(term.factor_path));
    }
  }
  return ui.palette.text;
}

// A word of the equation: numbers, and what is between them.
struct Piece {
  std::string text;
  FontRole role;
  Colour colour;
};
std::vector<Piece> pieces_of(const Ui& ui, const Explanation& explanation, std::string word) {
  std::vector<Piece> pieces;
  bool first = true;
  while (!word.empty()) {
    double value = 0;
    const std::size_t length = number_length(word, first, value);
    if (length > 0) {
      pieces.push_back(
          {word.substr(0, length), FontRole::kNumber, colour_of(ui, explanation, value)});
    } else if (pieces.empty() || pieces.back().role == FontRole::kNumber) {
      pieces.push_back({word.substr(0, 1), FontRole::kBody, ui.palette.muted});
    } else {
      pieces.back().text += word.front();
    }
    // In names as x2 a digit is no number.
    const char last = word[length > 0 ? length - 1 : 0];
    const bool letter = (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z') || last == '_';
    word.erase(0, std::max<std::size_t>(length, 1));
    first = last == '(' || last == ',';
    while (letter && !word.empty() && word.front() >= '0' && word.front() <= '9') {
      pieces.back().text += word.front();
      word.erase(0, 1);
    }
  }
  return pieces;
}

}  // namespace

// Once for a number, and while the model trains again and again.
void InsideNumber::ask(Ui& ui, const RunView& run, const std::string& path, Cell cell) {
  const Snapshot& now = run.now();
  const std::string question = std::to_string(now.run) + " " +
                               std::to_string(now.example ? now.example->index : -1) + " " +
                               cell_text(path, cell.row, cell.column);
  const bool is_new = question != asked_;
  // A script may have asked for another one in between. A derivative that was checked stays until
  // another number is chosen.
  const bool other = now.explained && now.explained->problem.empty() &&
                     !is_of(now.explained->explanation, path, cell);
  const bool old = other || (now.explained && !(now.explained->moment == now.moment) &&
                             !now.explained->explanation.finite_difference);
  if (!is_new && !(old && ui.time - asked_at_ >= kAgain)) {
    return;
  }
  asked_ = question;
  asked_at_ = ui.time;
  ui.commands.push_back(ui_command::Explain{path, cell.row, cell.column});
}

void InsideNumber::draw(Ui& ui, const RunView& run, const std::string& path, Rect rect) {
  const Rect inside = ui.panel(rect, ui.tr(Text::this_number));
  ImVec2 at = inside.min;
  const float width = inside.width();
  inputs_.clear();
  const auto say = [&](FontRole role, Colour colour, std::string_view text, float after) {
    at.y += ui.text(at, role, colour, text, {.wrap_width = width}).y + ui.px(after);
  };
  const auto finish = [&] { height_ = at.y + ui.px(12) - rect.min.y; };
  Cell cell;
  if (path.empty() || !parse_cell(ui.settings.inside.cell, cell.row, cell.column)) {
    say(FontRole::kBody, ui.palette.muted, ui.tr(Text::number_hint), 0);
    return finish();
  }
  ask(ui, run, path, cell);
  const std::string name = cell_text(path, cell.row, cell.column);
  say(FontRole::kLabel, kind_colour(ui.palette, kind_of(path)), name, 2);
  const std::optional<Explained>& answer = run.now().explained;
  if (!answer) return finish();
  if (!answer->problem.empty()) {
    say(FontRole::kLabel, ui.palette.warning, ui.said(answer->problem), 0);
    return finish();
  }
  const Explanation& explanation = answer->explanation;
  if (!is_of(explanation, path, cell)) {
    ui.animating = true;  // the answer is on its way
    return finish();
  }
  at.y += ui.text(at, FontRole::kFigure, ui.palette.text, number_text(explanation.value)).y;
  say(FontRole::kLabel, ui.palette.muted,
      fill(ui.tr(Text::number_at_step),
           {explanation.operation, std::to_string(answer->moment.step)}),
      8);
  at.y += draw_equation(ui, explanation, at, width) + ui.px(10);
  at.y += draw_terms(ui, explanation, at, width);
  at.y += draw_derivative(ui, explanation, at, width);
  ui.mirror.readout({"cell", name, explanation.equation});
  for (const ExplainedTerm& term : explanation.terms) {
    inputs_.push_back({term.path, {term.row, term.column}});
    if (!term.factor_path.empty()) {
      inputs_.push_back({term.factor_path, {term.factor_row, term.factor_column}});
    }
  }
  finish();
}

// Words in the face of text, numbers in that of numbers, each in the colour of its tensor.
float InsideNumber::draw_equation(Ui& ui, const Explanation& explanation, ImVec2 at, float width) {
  const ImVec2 blank = ui.measure(FontRole::kBody, " ");
  const std::string& text = explanation.equation;
  ImVec2 pen = at;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find(' ', first), text.size());
    const std::vector<Piece> pieces = pieces_of(ui, explanation, text.substr(first, end - first));
    const bool equals = end == first + 1 && text[first] == '=';
    first = end + 1;
    float length = 0;
    for (const Piece& piece : pieces) length += ui.measure(piece.role, piece.text).x;
    // A line for each way of writing it.
    if (pen.x > at.x && (equals || pen.x + length > at.x + width)) {
      pen = ImVec2(at.x, pen.y + blank.y);
    }
    for (const Piece& piece : pieces) {
      const ImVec2 size = ui.measure(piece.role, piece.text);
      ui.text(ImVec2(pen.x, pen.y + (blank.y - size.y) / 2), piece.role, piece.colour, piece.text);
      pen.x += size.x;
    }
    pen.x += blank.x;
  }
  return pen.y + blank.y - at.y;
}

// A cell that can be gone to. Returns the width used.
float InsideNumber::draw_cell(Ui& ui, const std::string& name, const std::string& path, Cell cell,
                              ImVec2 at, float most) {
  const std::string label = short_cell(path, cell);
  const float height = ui.px(ui.touch ? 44 : 24);
  const ImVec2 size = ui.measure(FontRole::kLabel, label);
  const float width = std::min(size.x, most);
  const Rect rect{at, ImVec2(at.x + width, at.y + height)};
  ImGui::SetCursorScreenPos(at);
  Action action{
      .name = name,
      .label = cell_text(path, cell.row, cell.column),
      .command =
          ui_command::Set{{{"inside", path},
                           {"inside_gradient", "false"},
                           {"cell", std::to_string(cell.row) + "," + std::to_string(cell.column)}}},
      .rect = rect};
  if (ImGui::InvisibleButton(name.c_str(), ImVec2(width, height))) {
    ui.commands.push_back(action.command);
  }
  const bool hovered = ImGui::IsItemHovered();
  const Colour colour = kind_colour(ui.palette, kind_of(path));
  const float y = at.y + (height - size.y) / 2;
  ui.text(ImVec2(at.x, y), FontRole::kLabel, colour, ui.in_one_line(FontRole::kLabel, label, most));
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tooltip(ui, action.label);
  }
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y + size.y), ImVec2(at.x + width, y + size.y),
                                      ui.colour(colour, hovered ? 1 : 0.4f));
  ui.mirror.action(std::move(action));
  return width;
}

// The largest first, the rest in one line.
float InsideNumber::draw_terms(Ui& ui, const Explanation& explanation, ImVec2 at, float width) {
  std::vector<const ExplainedTerm*> terms;
  for (const ExplainedTerm& term : explanation.terms) {
    if (!term.path.empty()) terms.push_back(&term);
  }
  if (terms.empty()) return 0;
  const float top = at.y, row = ui.px(ui.touch ? 44 : 24);
  const auto product = [](const ExplainedTerm* term) {
    return static_cast<double>(term->value) * term->factor;
  };
  // The few largest come to the front; of thousands the others stay as they are. A softmax grows
  // with its scores, and leaves out those that a mask hides.
  const bool scores = explanation.operation.starts_with("softmax");
  const auto size = [&](const ExplainedTerm* term) {
    if (!std::isfinite(product(term))) return scores ? product(term) : -1.0;
    return scores ? product(term) : std::abs(product(term));
  };
  const std::size_t shown = std::min(terms.size(), kMostTerms);
  for (std::size_t i = 0; i < shown; ++i) {
    std::size_t largest = i;
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      if (size(terms[j]) > size(terms[largest])) largest = j;
    }
    std::swap(terms[i], terms[largest]);
  }
  at.y += ui.text(at, FontRole::kLabel, ui.palette.muted, ui.tr(Text::number_from)).y + ui.px(2);
  for (std::size_t i = 0; i < shown; ++i) {
    const ExplainedTerm& term = *terms[i];
    const bool two = !term.factor_path.empty();
    const std::string number = number_text(two ? product(&term) : term.value);
    const ImVec2 extent = ui.measure(FontRole::kSmallNumber, number);
    const float room = width - extent.x - ui.px(12), times = ui.measure(FontRole::kLabel, " × ").x;
    const std::string name = "term_" + std::to_string(i);
    const float most = two ? (room - times) / 2 : room;
    const float used = draw_cell(ui, name, term.path, {term.row, term.column}, at, most);
    if (two) {
      const float line = ui.measure(FontRole::kLabel, " ").y;
      ui.text(ImVec2(at.x + used, at.y + (row - line) / 2), FontRole::kLabel, ui.palette.muted,
              " × ");
      draw_cell(ui, name + "_factor", term.factor_path, {term.factor_row, term.factor_column},
                ImVec2(at.x + used + times, at.y), most);
    }
    ui.text(ImVec2(at.x + width - extent.x, at.y + (row - extent.y) / 2), FontRole::kSmallNumber,
            ui.palette.text, number);
    at.y += row;
  }
  if (terms.size() > shown) {
    double rest = 0;
    bool added = false;  // products are; what a softmax reads is not
    for (std::size_t i = shown; i < terms.size(); ++i) {
      rest += product(terms[i]);
      added |= !terms[i]->factor_path.empty();
    }
    const std::string words = fill(ui.tr(added ? Text::number_more_sum : Text::number_more),
                                   {std::to_string(terms.size() - shown), number_text(rest)});
    at.y += ui.text(at, FontRole::kLabel, ui.palette.muted, words, {.wrap_width = width}).y;
  }
  return at.y + ui.px(10) - top;
}

float InsideNumber::draw_derivative(Ui& ui, const Explanation& explanation, ImVec2 at,
                                    float width) {
  if (!explanation.gradient) return 0;
  const float top = at.y, control = control_height(ui);
  const auto line = [&](Text name, double value) {
    const std::string number = number_text(value);
    const ImVec2 size = ui.measure(FontRole::kNumber, number);
    const float words = ui.text(at, FontRole::kLabel, ui.palette.muted, ui.tr(name),
                                {.wrap_width = width - size.x - ui.px(8)})
                            .y;
    ui.text(ImVec2(at.x + width - size.x, at.y), FontRole::kNumber, ui.palette.text, number);
    at.y += std::max(words, size.y) + ui.px(4);
    ui.mirror.readout(
        {name == Text::number_gradient ? "derivative" : "finite_difference", ui.tr(name), number});
  };
  line(Text::number_gradient, *explanation.gradient);
  if (explanation.finite_difference) line(Text::number_checked, *explanation.finite_difference);
  const char* label = ui.tr(Text::number_check);
  button(ui,
         {.name = "check_derivative",
          .label = label,
          .command = ui_command::Explain{explanation.path, explanation.row, explanation.column, 1},
          .rect = {at, ImVec2(at.x + std::min(width, button_width(ui, label)), at.y + control)}},
         ButtonLook::kFramed);
  return at.y + control - top;
}

}  // namespace tp::ui

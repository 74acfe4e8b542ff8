#include "imgui_app/panels/try_panel.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/core/number_text.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kSampleRow = 20, kBarRow = 18;

// A tick or a cross; the fonts have neither.
void draw_mark(Ui& ui, ImVec2 centre, bool right) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float r = ui.px(5), thickness = ui.px(2);
  const ImU32 colour = ui.colour(right ? ui.palette.right : ui.palette.wrong);
  if (right) {
    const ImVec2 tick[] = {ImVec2(centre.x - r, centre.y),
                           ImVec2(centre.x - r * 0.3f, centre.y + r * 0.7f),
                           ImVec2(centre.x + r, centre.y - r * 0.8f)};
    list.AddPolyline(tick, 3, colour, 0, thickness);
    return;
  }
  const float d = r * 0.75f;
  list.AddLine(ImVec2(centre.x - d, centre.y - d), ImVec2(centre.x + d, centre.y + d), colour,
               thickness);
  list.AddLine(ImVec2(centre.x - d, centre.y + d), ImVec2(centre.x + d, centre.y - d), colour,
               thickness);
}

// Words in boxes that wrap; a press types the word. Returns the height used.
float draw_known_words(Ui& ui, const std::vector<std::string>& words, ImVec2 at, float width,
                       float most) {
  const float row = ui.px(ui.touch ? 44 : 26);
  float x = at.x, y = at.y;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string shown = ui.fonts.drawable(words[i]);
    const float own = ui.measure(FontRole::kLabel, shown).x + ui.px(12);
    if (x + own > at.x + width && x > at.x) x = at.x, y += row + ui.px(2);
    if (y + row > at.y + most) break;
    button(ui,
           {.name = "word_" + std::to_string(i),
            .label = shown,
            .command = ui_command::TypeWord{words[i]},
            .rect = {ImVec2(x, y), ImVec2(x + own, y + row)}},
           ButtonLook::kQuiet);
    x += own + ui.px(2);
  }
  return y + row - at.y;
}

// Marks and spaces as something that can be seen.
std::string shown_token(const Ui& ui, const std::string& token) {
  if (token == "<eos>") return ui.tr(Text::end_mark);
  return ui.fonts.drawable(token == " " ? "▁" : token);
}

// The true answer, as far as it is known, and whether the model's is the same.
struct Verdict {
  std::optional<std::string> expected;
  bool judged = false, right = false;  // numbers are never exactly right
};

// What somebody types as a picture or as numbers has no known answer, but the example shown has.
Verdict verdict_of(const TryResult& tried, const Snapshot& now) {
  if (tried.expected) return {tried.expected, tried.done, tried.right};
  const std::optional<ShownExample>& example = now.example;
  const bool continues = example && example->source.empty();  // any text may be right
  if (!example || continues || tried.input != example->source_text) return {};
  return {example->answer_text, tried.done && now.vocabulary > 0,
          tried.output == example->answer_text};
}

// The tokens written so far, each with its mark, in at most `most` of height; … ends what does not
// fit. Returns the height used.
float draw_steps(Ui& ui, const TryResult& tried, const Verdict& verdict, ImVec2 at, float width,
                 float most) {
  const float row = ui.px(28), gap = ui.px(4), mark = ui.px(24);
  const float last =
      at.y + std::max(std::floor((most + gap) / (row + gap)) - 1, 0.0f) * (row + gap);
  const float dots = ui.measure(FontRole::kNumber, "…").x + ui.px(4);
  float x = at.x, y = at.y;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const TryStep& step : tried.steps) {
    const bool right = step.right && (tried.expected || !verdict.judged || verdict.right);
    const std::string shown = shown_token(ui, step.token);
    const ImVec2 size = ui.measure(FontRole::kNumber, shown);
    const float own = size.x + ui.px(12);
    if (x + own > at.x + width && x > at.x && y + row <= last) x = at.x, y += row + gap;
    // In the last row, the dots or the mark come behind it.
    const bool final_one = &step == &tried.steps.back();
    if (y + row > last && x > at.x &&
        x + own + (final_one ? (verdict.judged ? mark : 0) : dots + mark) > at.x + width) {
      ui.text(ImVec2(x, y + (row - size.y) / 2), FontRole::kNumber, ui.palette.muted, "…");
      x += dots;
      break;
    }
    const Rect box{ImVec2(x, y), ImVec2(x + own, y + row)};
    list.AddRectFilled(box.min, box.max, ui.colour(ui.palette.raised), ui.px(4));
    if (tried.expected || verdict.judged) {
      list.AddRectFilled(ImVec2(box.min.x, box.max.y - ui.px(3)), box.max,
                         ui.colour(right ? ui.palette.right : ui.palette.wrong), ui.px(2));
    }
    ui.text(ImVec2(x + ui.px(6), y + (row - size.y) / 2), FontRole::kNumber,
            right || !verdict.expected ? ui.palette.text : ui.palette.wrong, shown,
            {.max_width = std::max(own - ui.px(12), size.x)});
    x += own + ui.px(4);
  }
  if (verdict.judged) draw_mark(ui, ImVec2(x + ui.px(10), y + row / 2), verdict.right);
  return y + row - at.y;
}

// The chances of the next token. Returns the height used.
float draw_bars(Ui& ui, const TryStep& step, ImVec2 at, float width, int most) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float row = ui.px(kBarRow), name = ui.px(76), number = ui.px(52);
  float y = at.y;
  for (int i = 0; i < std::min<int>(most, static_cast<int>(step.candidates.size())); ++i) {
    const Candidate& c = step.candidates[static_cast<std::size_t>(i)];
    const std::string shown = shown_token(ui, c.token);
    const ImVec2 size = ui.measure(FontRole::kNumber, shown);
    ui.text(ImVec2(at.x, y + (row - size.y) / 2), FontRole::kNumber, ui.palette.text, shown,
            {.max_width = name - ui.px(6)});
    const float room = width - name - number;
    list.AddRectFilled(
        ImVec2(at.x + name, y + ui.px(4)),
        ImVec2(at.x + name + std::max(room * static_cast<float>(c.probability), 1.0f),
               y + row - ui.px(4)),
        ui.colour(c.token == step.token ? ui.palette.accent : ui.palette.edge), ui.px(2));
    const std::string value = percent_text(c.probability);
    const ImVec2 value_size = ui.measure(FontRole::kSmallNumber, value);
    ui.text(ImVec2(at.x + width - value_size.x, y + (row - value_size.y) / 2),
            FontRole::kSmallNumber, ui.palette.muted, value);
    y += row;
  }
  return y - at.y;
}

float draw_sample(Ui& ui, const Sample& sample, ImVec2 at, float width) {
  const float row = ui.px(kSampleRow), room = width - ui.px(22);
  // The answer matters more, but without the question it says nothing.
  const float answer = ui.measure(FontRole::kSmallNumber, " → " + sample.produced).x;
  const std::string source =
      ui.in_one_line(FontRole::kSmallNumber, sample.source, std::max(room - answer, room * 0.3f));
  const float rest = room - ui.measure(FontRole::kSmallNumber, source + " → ").x;
  const std::string text =
      source + " → " + ui.in_one_line(FontRole::kSmallNumber, sample.produced, rest);
  const ImVec2 size = ui.measure(FontRole::kSmallNumber, text);
  draw_mark(ui, ImVec2(at.x + ui.px(8), at.y + row / 2), sample.right);
  ui.text(ImVec2(at.x + ui.px(22), at.y + (row - size.y) / 2), FontRole::kSmallNumber,
          sample.right ? ui.palette.right : ui.palette.text, text, {.max_width = room});
  return row;
}

}  // namespace

float TryPanel::height_for(const Ui& ui, float) const { return ui.px(ui.touch ? 640 : 600); }

void TryPanel::draw(Ui& ui, const RunView& run, Rect rect, bool complete) {
  const Rect inside = ui.panel(rect, ui.tr(Text::choice_panel_try));
  ui.mirror.place("try", rect);
  const Snapshot& now = run.now();
  const Properties table = properties(ui.settings);
  const float control = control_height(ui), width = inside.width();
  ImVec2 at = inside.min;
  const float roll = button_width(ui, ui.tr(Text::roll)) + ui.px(20);
  const std::string hint = now.example ? now.example->source_text : ui.tr(Text::try_hint);
  text_box(ui, *find_property(table, "try_input"), hint,
           {at, ImVec2(inside.max.x - roll - ui.px(8), at.y + control)});
  button(ui,
         {.name = "roll",
          .label = ui.tr(Text::roll),
          .command = ui_command::Roll{},
          .rect = {ImVec2(inside.max.x - roll, at.y), ImVec2(inside.max.x, at.y + control)}},
         ButtonLook::kFramed, Icon::kDice);
  at.y += control + ui.px(8);
  if (complete) {
    const float half = (width - ui.px(24)) / 2;
    const float used = slider(ui, *find_property(table, "temperature"), at, half);
    slider(ui, *find_property(table, "top_k"), ImVec2(inside.max.x - half, at.y), half);
    at.y += used + ui.px(4);
  }
  // As many samples as leave room for an answer.
  const float answer = ui.px(96);
  const int fitting =
      static_cast<int>((inside.max.y - at.y - answer - ui.px(24)) / ui.px(kSampleRow));
  const int samples = std::clamp(fitting, 0, std::min(6, static_cast<int>(now.samples.size())));
  const float samples_height =
      samples == 0 ? 0 : ui.px(24) + ui.px(kSampleRow) * static_cast<float>(samples);
  const float bottom = inside.max.y - samples_height;
  if (!now.tried) {
    ui.text(at, FontRole::kLabel, ui.palette.muted, ui.tr(Text::try_waiting),
            {.wrap_width = width});
  } else if (!now.tried->problem.empty()) {
    const TryResult& tried = *now.tried;
    const std::string sentence = ui.said(tried.problem);
    at.y += ui.text(at, FontRole::kBody, ui.palette.warning, sentence, {.wrap_width = width}).y;
    ui.mirror.readout({"try_problem", ui.tr(Text::try_output), ui.said(tried.problem)});
    if (!tried.known_words.empty()) {
      at.y += ui.text(ImVec2(at.x, at.y + ui.px(4)), FontRole::kLabel, ui.palette.muted,
                      ui.tr(Text::try_known_words))
                  .y +
              ui.px(6);
      draw_known_words(ui, tried.known_words, at, width, bottom - at.y);
    }
  } else {
    const TryResult& tried = *now.tried;
    at.y += ui.text(at, FontRole::kLabel, ui.palette.muted, ui.tr(Text::try_output)).y + ui.px(2);
    const Verdict verdict = verdict_of(tried, now);
    const bool corrected = tried.done && verdict.expected && !verdict.right;
    const float line = ui.measure(FontRole::kLabel, " ").y;
    if (tried.steps.empty()) {  // numbers, all at once
      at.y += ui.text(at, FontRole::kNumber, ui.palette.text, tried.output, {.max_width = width}).y;
    } else {
      const float most = bottom - at.y - (corrected ? line : 0) - ui.px(4);
      at.y += draw_steps(ui, tried, verdict, at, width, most);
    }
    at.y += ui.px(4);
    if (corrected) {
      const std::string text = fill(ui.tr(Text::try_expected), {*verdict.expected});
      at.y += ui.text(at, FontRole::kLabel, ui.palette.text, text, {.max_width = width}).y;
    }
    std::string spoken = tried.output;
    if (verdict.judged) {
      spoken += std::string(" · ") + ui.tr(verdict.right ? Text::try_right : Text::try_wrong);
    }
    ui.mirror.readout({"try_output", ui.tr(Text::try_output), spoken});
    const int most = static_cast<int>((bottom - at.y - ui.px(22)) / ui.px(kBarRow));
    if (!tried.steps.empty() && most > 0) {
      at.y += ui.text(at, FontRole::kLabel, ui.palette.muted, ui.tr(Text::try_next)).y;
      draw_bars(ui, tried.steps.back(), at, width, std::min(most, complete ? 8 : 4));
    }
  }
  if (samples == 0) return;
  // The title counts the rows below it.
  const auto right = std::ranges::count_if(
      std::span(now.samples).first(static_cast<std::size_t>(samples)), &Sample::right);
  ImVec2 sample_at(inside.min.x, bottom);
  const std::string title =
      fill(ui.tr(Text::try_samples), {std::to_string(right), std::to_string(samples)});
  sample_at.y += ui.text(sample_at, FontRole::kLabel, ui.palette.muted, title).y + ui.px(4);
  std::string spoken = title;
  for (const Sample& sample : std::span(now.samples).first(static_cast<std::size_t>(samples))) {
    sample_at.y += draw_sample(ui, sample, sample_at, width);
    spoken += "; " + sample.source + " → " + sample.produced + " " +
              ui.tr(sample.right ? Text::try_right : Text::try_wrong);
  }
  ui.mirror.readout({"samples", ui.tr(Text::try_samples_title), spoken});
}

void TryPanel::draw_strip(Ui& ui, const RunView& run, Rect rect) {
  if (run.now().samples.empty()) return;
  draw_sample(ui, run.now().samples.front(),
              ImVec2(rect.min.x, rect.min.y + (rect.height() - ui.px(kSampleRow)) / 2),
              rect.width());
}

std::unique_ptr<Panel> make_try_panel(RunEditor&) { return std::make_unique<TryPanel>(); }

}  // namespace tp::ui

#include "imgui_app/panels/attention_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/number_text.h"
#include "imgui_app/widgets/attention_lines.h"
#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/depiction.h"
#include "imgui_app/widgets/filmstrip.h"

namespace tp::ui {
namespace {

constexpr int kBoth[] = {0, 1};

bool fits(Lit lit, std::size_t rows, std::size_t columns) {
  return lit.row < static_cast<int>(rows) && lit.column < static_cast<int>(columns);
}

// Token i as a sentence names it; its number where the word is not known.
std::string named(const Ui& ui, std::span<const ShownToken> tokens, int i) {
  if (tokens[static_cast<std::size_t>(i)].patch >= 0) {
    return fill(ui.tr(Text::patch_number), {std::to_string(i + 1)});
  }
  const std::string text = ui.fonts.drawable(tokens[static_cast<std::size_t>(i)].text);
  return text.empty() ? "#" + std::to_string(i + 1) : text;
}

Text pattern_sentence(AttentionPattern pattern) {
  constexpr Text kSentences[] = {
      Text::caption_none,          Text::caption_uniform,  Text::caption_diagonal,
      Text::caption_anti_diagonal, Text::caption_previous, Text::caption_next,
      Text::caption_local,         Text::caption_first,    Text::caption_focused};
  const auto i = static_cast<std::size_t>(pattern);
  return kSentences[i < std::size(kSentences) ? i : 0];
}

Text kind_text(ShownAttention kind) {
  constexpr Text kNames[] = {Text::attention_cross, Text::attention_encoder,
                             Text::attention_decoder};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

float AttentionPanel::height_for(const Ui& ui, float width) const {
  if (rows_.empty()) return ui.px(480);
  return attention_layout(ui, contents_, picture(ui), {ImVec2(0, 0), ImVec2(width, 0)}).height;
}

bool AttentionPanel::point_at(const RunView& run, std::optional<Cell> cell) {
  const bool there = !run.attention().empty() && !rows_.empty();
  const bool inside = !cell || (there && cell->row >= 0 && cell->column >= 0 &&
                                fits({cell->row, cell->column}, rows_.size(), columns_.size()));
  if (inside) pointed_ = cell;
  return inside;
}

void AttentionPanel::draw(Ui& ui, const RunView& run, Rect rect) {
  const AttentionChoice choice = choose_attention(run.attention(), ui.settings.attention);
  if (choice.map() == nullptr) {
    draw_empty(ui, run, rect);
    return;
  }
  follow_run(ui, run, choice);
  ui.animating |= blend_.advance(ui.time);
  ui.card(rect);
  const AttentionLayout layout = attention_layout(ui, contents_, picture(ui), rect);
  draw_heading(ui, choice, layout);
  draw_picture(ui, choice, layout);
  if (layout.film.width() > 0) {
    filmstrip(ui, run.now().stills, run.now().moment, pictures_, layout.film);
  }
  if (layout.film_title.width() > 0) {
    ui.text(layout.film_title.min, FontRole::kLabel, ui.palette.muted, ui.tr(Text::film_title));
  }
  if (layout.chips.width() > 0) {
    head_chips(ui, {.choice = choice, .shown_head = head_, .version = pictures_}, layout.chip_plan,
               layout.chips);
  }
  draw_caption(ui, choice, layout.caption);
}

void AttentionPanel::draw_empty(Ui& ui, const RunView& run, Rect rect) {
  const Rect inside = ui.panel(rect, ui.tr(Text::attention_title));
  const bool none = run.now().state == RunState::empty;
  const char* words = ui.tr(none ? Text::attention_no_run : Text::attention_waiting);
  const float wrap = std::min(inside.width(), ui.px(360));
  const ImVec2 size = ui.measure(FontRole::kBody, words, wrap);
  ui.text(ImVec2(inside.min.x + (inside.width() - size.x) / 2,
                 inside.min.y + std::max(0.0f, (inside.height() - size.y) / 2)),
          FontRole::kBody, ui.palette.muted, words, {.wrap_width = wrap});
  ui.mirror.readout({"attention", ui.tr(Text::attention_title), words});
  rows_.clear(), columns_.clear();
  locked_ = lit_ = {};
  pointed_.reset();
  version_ = -1;
}

// Takes over what is new in the run or was chosen otherwise.
void AttentionPanel::follow_run(Ui& ui, const RunView& run, const AttentionChoice& choice) {
  const Snapshot& now = run.now();
  const AttentionLayer& map = *choice.map();
  contents_.typed = !ui.settings.attempt.input.empty();
  const int better = watch_.look(now.run, now.moment, map);
  head_ = choice.head == 0 && ui.settings.attention.follow ? better : choice.head;
  const std::string subject = std::to_string(now.run) + " " +
                              std::to_string(static_cast<int>(map.kind)) + " " +
                              std::to_string(choice.layer) + " " + std::to_string(head_) + " " +
                              std::to_string(now.example ? now.example->index : -1);
  const bool known = version_ == run.maps_version() && subject == subject_ &&
                     std::ssize(rows_) == map.rows && std::ssize(columns_) == map.columns;
  if (known) return;
  version_ = run.maps_version();
  ++pictures_;
  subject_ = subject;
  kind_ = map.kind;
  const ShownExample* example = now.example ? &*now.example : nullptr;
  of_typed_ = example != nullptr && example->index == kTypedExample;
  const std::vector<ShownToken> rows = std::exchange(rows_, row_tokens(map, example));
  const std::vector<ShownToken> columns = std::exchange(columns_, column_tokens(map, example));
  for (const auto* tokens : {&rows_, &columns_}) {
    for (const ShownToken& token : *tokens) ui.fonts.want(token.text);
  }
  targets_ = targets_of(map, example);
  const bool patches = !columns_.empty() && columns_.front().patch >= 0;
  drawn_ = patches ? example->drawn : Depiction{};
  const AttentionContents contents = contents_;
  contents_ = {.kinds = static_cast<int>(choice.kinds.size()),
               .layers = static_cast<int>(choice.layers.size()),
               .heads = map.heads,
               .targets = !targets_.empty(),
               .typed = contents_.typed,
               .drawn = drawn_.is_picture() ? 1.0f
                        : drawn_.is_line()  ? 2.5f
                                            : 0.0f};
  if (!fits(locked_, rows_.size(), columns_.size())) locked_ = {};
  if (pointed_ && !fits({pointed_->row, pointed_->column}, rows_.size(), columns_.size())) {
    pointed_.reset();
  }
  if (!fits(lit_, rows_.size(), columns_.size())) lit_ = {};
  // Flat out the next ones are there before these have arrived, and each picture on the way would
  // take time from training where a processor draws.
  const bool flat_out = run.running() && ui.settings.pace == Pace::kFlatOut;
  blend_.aim(shown_weights(choice), subject, ui.time, ui.reduced_motion || flat_out);
  // A new token may need a glyph, and the layout another height.
  ui.animating |= rows != rows_ || columns != columns_ || contents != contents_;
}

std::span<const float> AttentionPanel::shown_weights(const AttentionChoice& choice) const {
  return weights_of(*choice.map(), head_);
}

AttentionPicture AttentionPanel::picture(const Ui& ui) const {
  return {
      .image = weight_image(blend_.values(), static_cast<int>(rows_.size()),
                            static_cast<int>(columns_.size()), blend_.version()),
      .rows = rows_,
      .columns = columns_,
      .targets = ui.settings.attention.targets ? std::span(targets_) : std::span<const ShownLink>(),
      .causal = kind_ == AttentionKind::decoder_self,
      .row_title =
          ui.tr(kind_ == AttentionKind::encoder_self ? Text::axis_reads : Text::axis_writes),
      .column_title = ui.tr(Text::axis_looks_at),
      .lit = lit_,
      .drawn = &drawn_};
}

void AttentionPanel::draw_heading(Ui& ui, const AttentionChoice& choice,
                                  const AttentionLayout& layout) {
  const Rect& heading = layout.heading;
  const float middle = (heading.min.y + heading.max.y) / 2;
  const ImVec2 title_size = ui.measure(FontRole::kHeading, ui.tr(Text::attention_title));
  ui.text(ImVec2(heading.min.x, middle - title_size.y / 2), FontRole::kHeading, ui.palette.text,
          ui.tr(Text::attention_title));
  const HeadReading reading = reading_of(*choice.map(), head_);
  if (std::isfinite(reading.on_target)) {
    const std::string share = fill(ui.tr(Text::on_target), {percent_text(reading.on_target)});
    const ImVec2 size = ui.measure(FontRole::kBody, share);
    ui.text(ImVec2(heading.min.x + title_size.x + ui.px(12), middle - size.y / 2 + ui.px(1)),
            FontRole::kBody, ui.palette.muted, share);
  }
  const Properties table = properties(ui.settings);
  if (layout.kind.width() > 0) {
    std::vector<int> offered;
    for (const ShownAttention kind : choice.kinds) offered.push_back(static_cast<int>(kind));
    segments(ui, *find_property(table, "attention_kind"), layout.kind, offered,
             static_cast<int>(choice.kind));
  }
  if (layout.view.width() > 0) {
    segments(ui, *find_property(table, "attention_view"), layout.view);
  }
  if (layout.png.width() > 0) {
    button(ui,
           {.name = "attention_png",
            .label = ui.tr(Text::download_png),
            .command = ui_command::DownloadPng{"attention"},
            .rect = layout.png},
           ButtonLook::kQuiet);
  }
  if (layout.of.width() > 0) {
    segments(ui, *find_property(table, "example_of"), layout.of, kBoth, of_typed_);
  }
  if (layout.example.width() <= 0) return;
  const int next = (ui.settings.attention.example + 1) % 1000;
  ui_command::Set another = ui_command::set("example", std::to_string(next));
  if (of_typed_) another.values.emplace_back("example_of", "held_out");
  button(ui,
         {.name = "another_example",
          .label = ui.tr(Text::another_example),
          .command = another,
          .rect = layout.example},
         ButtonLook::kFramed, Icon::kDice);
}

void AttentionPanel::draw_picture(Ui& ui, const AttentionChoice& choice,
                                  const AttentionLayout& layout) {
  lit_ = pointed_ ? Lit{pointed_->row, pointed_->column} : locked_.any() ? locked_ : lit_;
  const AttentionPicture shown = picture(ui);
  PictureAnswer answer;
  if (ui.settings.attention.view == AttentionView::kLines) {
    const ImVec2 end(layout.picture.x + layout.axes.left + layout.side,
                     layout.picture.y + layout.axes.top + layout.side);
    answer = attention_lines(ui, shown, {layout.picture, end});
  } else {
    answer = attention_map(ui, shown, layout.picture, layout.side);
  }
  if (layout.whole.width() > 0) {
    const Lit part = draw_whole(ui, choice, layout.whole);
    if (part.any()) answer.hovered = part;
  }
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (answer.hovered.any() && (moved.x != 0 || moved.y != 0 || answer.pressed)) pointed_.reset();
  if (answer.pressed) locked_ = locked_ == answer.hovered ? Lit{} : answer.hovered;
  const Lit next = pointed_        ? Lit{pointed_->row, pointed_->column}
                   : locked_.any() ? locked_
                                   : answer.hovered;
  if (next != lit_) ui.animating = true;  // seen in the next frame
  lit_ = next;

  ui.mirror.place("attention",
                  {layout.picture, ImVec2(layout.picture.x + layout.axes.left + layout.side,
                                          layout.picture.y + layout.axes.top + layout.side)});
  if (layout.legend.width() > 0) weight_legend(ui, layout.legend);
  if (layout.targets.width() > 0) {
    const Properties table = properties(ui.settings);
    check_box(ui, *find_property(table, "attention_targets"), layout.targets);
  }
  if (lit_.any()) {
    ui.mirror.readout({"attention_cell", ui.tr(Text::attention_cell), describe_lit(ui, choice)});
  }
}

// The whole drawing: the patches pointed at are outlined, and those that a row looks at are tinted
// by their weight. A patch that is pointed at here is a row of the map.
Lit AttentionPanel::draw_whole(Ui& ui, const AttentionChoice& choice, Rect rect) {
  ui.mirror.place("attention_whole", rect);
  draw_depiction(ui, drawn_, rect);
  if (lit_.row >= 0 && lit_.column < 0) {
    const std::span<const float> weights =
        shown_weights(choice).subspan(static_cast<std::size_t>(lit_.row) * columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Rect part = patch_in(drawn_, static_cast<int>(c), rect);
      ImGui::GetWindowDrawList()->AddRectFilled(part.min, part.max,
                                                ui.colour(ui.palette.positive, 0.8f * weights[c]));
    }
  }
  if (rows_.front().patch >= 0) light_patch(ui, drawn_, lit_.row, rect, 2);
  light_patch(ui, drawn_, lit_.column, rect, 1);
  ImGui::SetCursorScreenPos(rect.min);
  ImGui::InvisibleButton("attention whole", ImVec2(rect.width(), rect.height()));
  if (ImGui::IsItemHovered() && !ui.touch && rows_.front().patch >= 0) {
    for (const ShownToken& token : rows_) {
      if (patch_in(drawn_, token.patch, rect).contains(ImGui::GetIO().MousePos)) {
        return {token.patch, -1};
      }
    }
  }
  return {};
}

std::string AttentionPanel::describe_lit(const Ui& ui, const AttentionChoice& choice) const {
  const AttentionLayer& map = *choice.map();
  const std::span<const float> weights = shown_weights(choice);
  const auto weight = [&](int row, int column) {
    return weights[static_cast<std::size_t>(row) * columns_.size() +
                   static_cast<std::size_t>(column)];
  };
  const bool reads = kind_ == AttentionKind::encoder_self;
  if (lit_.row >= 0 && lit_.column >= 0) {
    const std::string row = named(ui, rows_, lit_.row), column = named(ui, columns_, lit_.column);
    if (hidden_from(map, lit_.row, lit_.column)) {
      return fill(ui.tr(Text::cell_hidden), {row, column});
    }
    return fill(ui.tr(reads ? Text::cell_reads : Text::cell_writes),
                {row, column, signed_number(weight(lit_.row, lit_.column), 2)});
  }
  if (lit_.row >= 0) {
    int most = 0;
    for (int c = 1; c < static_cast<int>(columns_.size()); ++c) {
      if (weight(lit_.row, c) > weight(lit_.row, most)) most = c;
    }
    return fill(ui.tr(reads ? Text::row_reads : Text::row_writes),
                {named(ui, rows_, lit_.row), named(ui, columns_, most),
                 signed_number(weight(lit_.row, most), 2)});
  }
  int most = 0;
  for (int r = 1; r < static_cast<int>(rows_.size()); ++r) {
    if (weight(r, lit_.column) > weight(most, lit_.column)) most = r;
  }
  return fill(ui.tr(Text::column_most), {named(ui, columns_, lit_.column), named(ui, rows_, most),
                                         signed_number(weight(most, lit_.column), 2)});
}

// In words, for those who cannot see the map.
std::string AttentionPanel::describe(const Ui& ui, const AttentionChoice& choice) const {
  const HeadReading reading = reading_of(*choice.map(), head_);
  std::string words =
      fill(ui.tr(Text::attention_readout),
           {ui.tr(kind_text(choice.kind)), std::to_string(choice.layer + 1),
            std::to_string(choice.layers.size()),
            head_ == 0 ? fill(ui.tr(Text::mean_over), {std::to_string(choice.map()->heads)})
                       : fill(ui.tr(Text::head_number), {std::to_string(head_)}),
            pattern_name(ui, reading.pattern), entropy_text(reading.entropy)});
  if (std::isfinite(reading.on_target)) {
    words += "; " + fill(ui.tr(Text::on_target), {percent_text(reading.on_target)});
  }
  return words;
}

void AttentionPanel::draw_caption(Ui& ui, const AttentionChoice& choice, Rect rect) {
  std::string heads;
  for (int head = 0; head <= choice.map()->heads; ++head) {
    const HeadReading reading = reading_of(*choice.map(), head);
    heads += (heads.empty() ? "" : "; ") +
             fill(ui.tr(Text::head_tooltip),
                  {head_name(ui, choice, choice.layer, head), pattern_name(ui, reading.pattern),
                   entropy_text(reading.entropy)});
  }
  ui.mirror.readout({"attention", ui.tr(Text::attention_title), describe(ui, choice)});
  ui.mirror.readout({"attention_heads", ui.tr(Text::setting_attention_head), heads});

  const HeadReading reading = reading_of(*choice.map(), head_);
  const bool took_over = head_ != choice.head;
  std::string words =
      took_over ? fill(ui.tr(Text::head_took_over), {std::to_string(head_)}) + " " : "";
  words += fill(ui.tr(Text::caption_of), {head_name(ui, choice, choice.layer, head_),
                                          ui.tr(pattern_sentence(reading.pattern))});
  ui.mirror.readout({"attention_caption", ui.tr(Text::attention_caption), words});
  if (lit_.any()) words = describe_lit(ui, choice);
  ui.text(rect.min, FontRole::kLabel, lit_.any() ? ui.palette.text : ui.palette.muted, words,
          {.wrap_width = rect.width()});
}

std::unique_ptr<Panel> make_attention_panel(RunEditor&) {
  return std::make_unique<AttentionPanel>();
}

}  // namespace tp::ui

#include "imgui_app/app/app.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/draw/style.h"

namespace tp::ui {
namespace {

constexpr float kPhone = 480;

}  // namespace

App::App(Platform& platform)
    : platform_(platform),
      lettering_(platform),
      link_([&platform](std::vector<std::byte> bytes) { platform.send(std::move(bytes)); }),
      panels_(make_panels(link_.editor())) {}

bool App::frame(double milliseconds) {
  time_ = milliseconds;
  load_fonts();
  Ui ui = begin_frame();
  draw_page(ui);
  finish_frame();

  if (ui.changed) settings_changed();
  for (const UiCommand& command : ui.commands) {
    if (Status status = perform(command); !status) notice(status.error().message);
  }
  link_.tell(settings, watching_, time_);

  ++frames_;
  ++version_;
  unsettled_ = lettering_.fonts().stale() ? kSettling : std::max(unsettled_ - 1, 0);
  return unsettled_ > 0 || ui.animating;
}

Ui App::begin_frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(std::round(surroundings.width * surroundings.ratio),
                          std::round(surroundings.height * surroundings.ratio));
  io.DisplayFramebufferScale = ImVec2(1, 1);
  io.DeltaTime = 1.0f / 60;
  if (std::exchange(style_dirty_, false)) {
    apply_style(palette(), scale());
    graphics_.set_colours(palette());
  }
  mirror_.begin_frame();
  graphics_.begin_frame();
  ImGui::NewFrame();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("page", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  ImGui::PushFont(lettering_.fonts()[FontRole::kBody]);
  const bool phone = io.DisplaySize.x < kPhone * scale();
  return {.settings = settings,
          .palette = palette(),
          .fonts = lettering_.fonts(),
          .mirror = mirror_,
          .heatmaps = graphics_.heatmaps(),
          .language = lettering_.shown(),
          .scale = scale(),
          .touch = surroundings.touch || phone,
          .dom_text_fields = platform_.has_dom_text_fields(),
          .time = time_,
          .reduced_motion = surroundings.reduced_motion,
          .phone = phone};
}

void App::finish_frame() {
  ImGui::PopFont();
  ImGui::End();
  ImGui::Render();
  graphics_.finish_frame(palette().page);
}

bool App::create_graphics() {
  if (!graphics_.create()) return false;
  style_dirty_ = true;
  unsettled_ = kSettling;
  return true;
}

void App::provide_font(FontFile file, std::vector<unsigned char> bytes) {
  lettering_.fonts().provide(file, std::move(bytes));
  if (frames_ > 0 && graphics_.there()) load_fonts();  // now, not while a picture is due
  unsettled_ = kSettling;
}

void App::font_failed(FontFile file) {
  lettering_.failed(file, settings);
  notices_.add(tr(Text::korean_font_failed, lettering_.shown()));
  settings_changed();
}

void App::load_fonts() {
  const Language before = lettering_.shown();
  if (lettering_.update(settings, scale())) {
    if (lettering_.fonts().builds() > 1) graphics_.renew_fonts();
    unsettled_ = kSettling;
  }
  if (before == lettering_.shown()) return;
  link_.run().speak(lettering_.shown());
  ++version_;
}

bool App::dark() const {
  return settings.theme == Theme::kSystem ? surroundings.dark : settings.theme == Theme::kDark;
}

float App::scale() const {
  return surroundings.ratio * static_cast<float>(scale_of(settings.text_size));
}

// ------------------------------------------------------------------------------------ the session

void App::begin() {
  link_.begin(!settings.embed && !surroundings.reduced_motion);
  link_.tell(settings, watching_, time_);
}

void App::snapshot_arrived(std::span<const std::byte> bytes) {
  Result<Snapshot> read = decode_snapshot(bytes);
  if (!read) return session_failed(read.error().message);
  notices_.follow(run().now(), read.value(), language());
  link_.take(std::move(read.value()), settings.attempt, time_);
  link_.run().speak(lettering_.shown());
  experiments_.follow(run(), link_.editor().running());
  diagnosis_ = diagnose(run(), link_.editor().running(), link_.editor().preset());
  if (const auto file = link_.take_saved_file()) platform_.save_file(file->name, file->bytes);
  // Words of the run may need other glyphs.
  if (run().now().example) lettering_.fonts().want(run().now().example->source_text);
  for (const std::string& word : run().now().known_words) lettering_.fonts().want(word);
  unsettled_ = std::max(unsettled_, 1);
  ++version_;
}

void App::session_failed(std::string_view why) {
  link_.fail();
  notice(fill(tr(Text::engine_failed, language()), {why}));
}

void App::load_file(std::string_view name, std::vector<std::byte> bytes) {
  if (!link_.load_file(name, std::move(bytes))) notice(tr(Text::file_not_known, language()));
}

void App::offer_kept_run(std::string_view task, std::uint64_t step) {
  kept_run_.emplace(task, step);
  unsettled_ = kSettling;
}

void App::notice(std::string text, NoticeTone tone) {
  notices_.add(std::move(text), tone);
  unsettled_ = kSettling;
  ++version_;
}

}  // namespace tp::ui

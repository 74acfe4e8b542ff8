// The app and its session: what is sent when, and what becomes of what arrives.

#include <algorithm>

#include "engine/core/utf8.h"
#include "imgui_app/app/app.h"

namespace tp::ui {
namespace {

constexpr double kTryAgainMs = 600;  // an answer is asked for again this often while it learns

// The first eight bytes of a model's file are the length of the JSON that follows them. Nobody's
// text begins like that: as such a number, eight letters are far too large.
bool is_model(std::string_view bytes) {
  constexpr std::uint64_t kLongestHeader = 100'000'000;
  if (bytes.size() < 9 || bytes[8] != '{') return false;
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length <= kLongestHeader;
}

// Something that can be read, and not a picture or a program that happens to be UTF-8.
bool is_text(std::string_view bytes) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const auto control = [&](char c) { return static_cast<unsigned char>(c) < ' ' && !blank(c); };
  return is_valid_utf8(bytes) && !std::ranges::all_of(bytes, blank) &&
         std::ranges::none_of(bytes, control);
}

}  // namespace

void App::send(CommandBody what) {
  ++sent_;
  if (std::holds_alternative<Start>(what)) started_ = sent_;
  platform_.send(encode(Command{sent_, std::move(what)}));
}

bool App::answered(std::uint32_t id) const {
  return !begun_ || run_.now().answered >= id || !last_error_.empty();
}

void App::begin() {
  begun_ = true;
  send(editor_.start(plays_by_itself()));
  sync_session();
}

bool App::plays_by_itself() const { return !settings.embed && !surroundings.reduced_motion; }

void App::start(std::string_view task, std::string_view preset, bool play) {
  const Properties table = editor_.properties();
  set_property(*find_property(table, "preset"), preset);
  set_property(*find_property(table, "task"), task);
  for (CommandBody& command : editor_.changed(play)) send(std::move(command));
}

// Which parts of a snapshot are on the screen.
std::uint32_t App::watched() const {
  std::uint32_t bits = 0;
  const bool all = wide_ && !settings.embed;
  const Panel panel = settings.panel;
  const bool columns = panel != Panel::kPositions && panel != Panel::kSetup;
  if (panel == Panel::kAttention || (all && columns)) bits |= kWatchAttention;
  if (panel == Panel::kTry || (columns && !settings.embed)) bits |= kWatchSamples;
  if (panel == Panel::kPositions) bits |= kWatchPositions;
  return bits;
}

// Tells the session what changed of the page's own settings.
void App::sync_session() {
  if (!begun_) return;
  const double pace = steps_per_second_of(settings.pace);
  if (pace != told_.pace) send(SetPace{told_.pace = pace});
  const std::uint32_t watch = watched();
  if (watch != told_.watch) {
    told_.watch = watch;
    send(Watch{watch});
  }
  if (run_.now().run == 0) return;  // the rest is about a run
  if (settings.attention.example != told_.example) {
    told_.example = settings.attention.example;
    send(ChooseExample{told_.example});
  }
  const TrySettings& attempt = settings.attempt;
  if (attempt.input != told_.input || attempt.temperature != told_.temperature ||
      attempt.top_k != told_.top_k) {
    try_input(false);
  }
}

void App::try_input(bool again) {
  const TrySettings& attempt = settings.attempt;
  told_.input = attempt.input;
  told_.temperature = attempt.temperature;
  told_.top_k = attempt.top_k;
  const std::optional<ShownExample>& example = run_.now().example;
  const std::string text = !attempt.input.empty() ? attempt.input
                           : example              ? example->source_text
                                                  : std::string();
  if (text.empty()) return;
  if (!again) ++rolls_;
  tried_at_ = time_;
  tried_step_ = run_.now().moment.step;
  send(TryInput{text, attempt.temperature, attempt.top_k, static_cast<std::uint32_t>(rolls_)});
}

void App::snapshot_arrived(std::span<const std::byte> bytes) {
  Result<Snapshot> read = decode_snapshot(bytes);
  if (!read) return session_failed(read.error().message);
  Snapshot& snapshot = read.value();
  const std::uint32_t run_before = run_.now().run;
  const int example_before = run_.now().example ? run_.now().example->index : -1;
  tell_problems(snapshot);
  if (!snapshot.file.empty()) {
    if (keeping_ != 0) {
      kept_file_ = std::move(snapshot.file);
      keeping_ = 0;
    } else {
      platform_.save_file(snapshot.file_name, snapshot.file);
    }
    snapshot.file.clear();
  }
  const std::string config = snapshot.config;
  const std::uint32_t refused = snapshot.refused;
  // A file that was asked for has become a run, or not.
  const bool decided =
      adopt_ != 0 && snapshot.answered >= adopt_ && (!config.empty() || !snapshot.error.empty());
  run_.take(std::move(snapshot));
  const bool is_new = run_.now().run != run_before;
  if (is_new) {
    told_.example = 0;  // every run begins with it
    fonts_.want(run_.now().example ? run_.now().example->source_text : "");
  }
  settings_arrived(config, refused, is_new, decided);
  if (decided) {
    adopt_ = 0;
    offered_material_.clear();
  }
  for (const std::string& word : run_.now().known_words) fonts_.want(word);
  const int example = run_.now().example ? run_.now().example->index : -1;
  const bool fresh = is_new || example != example_before;
  const bool older = run_.now().moment.step != tried_step_ && time_ - tried_at_ > kTryAgainMs &&
                     (!run_.now().tried || run_.now().tried->done);
  if (fresh || (older && (watched() & kWatchSamples) != 0)) try_input(!fresh);
  unsettled_ = std::max(unsettled_, 1);
  ++version_;
}

void App::tell_problems(const Snapshot& snapshot) {
  const Snapshot& before = run_.now();
  const bool failed = snapshot.state == RunState::failed;
  const bool moved = snapshot.moment != before.moment;
  if (before.run != 0 && snapshot.run != before.run) notices_.clear();  // they were about another
  // What stopped the run is said until it goes on from a good state, or stops again.
  if (moved) std::erase(notices_, std::exchange(failure_, {}));
  const auto tell = [&](const Sentence& sentence) {
    if (!sentence.empty()) notice(in_language(sentence, drawable_language()));
  };
  tell(snapshot.error);
  if (failed && !snapshot.error.empty() && (moved || before.state != RunState::failed)) {
    failure_ = in_language(snapshot.error, drawable_language());
  }
  tell(snapshot.warning);
}

// What the run has for settings, or that those of the last start were refused. `adopt`: it was made
// of a file.
void App::settings_arrived(const std::string& config, std::uint32_t refused, bool is_new,
                           bool adopt) {
  if (run_.now().answered < started_) return;  // of a run that another is about to replace
  if (refused != 0 && refused == started_) {
    if (run_.now().state != RunState::empty) return editor_.refused(config);
    if (auto another = editor_.fall_back(plays_by_itself())) send(std::move(*another));
    return;
  }
  if (config.empty()) return;
  editor_.running_with(config, is_new && adopt);
  if (!is_new) return;
  if (adopt && !offered_material_.empty()) editor_.set_material(offered_material_);
  // What was set while it started.
  for (CommandBody& command : editor_.changed(run_.running())) send(std::move(command));
}

void App::session_failed(std::string_view why) {
  last_error_ = fill(tr(Text::engine_failed, drawable_language()), {why});
  notice(last_error_);
}

void App::notice(std::string text) {
  if (std::ranges::find(notices_, text) == notices_.end()) notices_.push_back(std::move(text));
  if (notices_.size() > 3) notices_.erase(notices_.begin());
  unsettled_ = kSettling;
  ++version_;
}

// The controls follow when the session has taken it; what it refuses changes nothing.
void App::load_file(std::string_view name, std::vector<std::byte> bytes) {
  const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  CommandBody command;
  if (is_model(content)) {
    offered_material_.clear();
    command = Load{std::string(name), std::move(bytes)};
  } else if (is_text(content)) {
    // For the task that is chosen if it takes one.
    const bool takes_text = editor_.draft().material() != Material::none;
    offered_material_ = content;
    command = Start{takes_text ? editor_.draft().json() : RunSettings("pairs", "default").json(),
                    offered_material_};
  } else {
    return notice(tr(Text::file_not_known, drawable_language()));
  }
  send(std::move(command));
  adopt_ = sent_;
}

void App::seen(bool visible) {
  if (visible && rests_) {
    send(Play{});
  } else if (!visible && run_.running() && !settings.keep_training) {
    send(Pause{});
    rests_ = true;
    return;
  }
  rests_ = false;
}

void App::offer_kept_run(std::string_view task, std::uint64_t step) {
  kept_run_.emplace(task, step);
  unsettled_ = kSettling;
}

void App::request_keeping() {
  if (!begun_ || run_.now().moment.step == 0) return;
  send(Save{});
  keeping_ = sent_;
}

void App::rewind_by(int places) {
  std::vector<Moment> kept;
  for (const Moment& moment : run_.now().kept) {
    if (moment.branch == run_.now().moment.branch) kept.push_back(moment);
  }
  std::ranges::sort(kept, {}, &Moment::step);
  if (kept.empty()) return;
  auto at =
      std::ranges::lower_bound(kept, run_.now().moment.step, {}, &Moment::step) - kept.begin();
  if (places > 0 && at < std::ssize(kept) &&
      kept[static_cast<std::size_t>(at)].step > run_.now().moment.step) {
    --places;
  }
  at = std::clamp<std::ptrdiff_t>(at + places, 0, std::ssize(kept) - 1);
  const Moment& moment = kept[static_cast<std::size_t>(at)];
  send(Rewind{moment.branch, moment.step});
}

}  // namespace tp::ui

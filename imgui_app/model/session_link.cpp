#include "imgui_app/model/session_link.h"

#include <algorithm>

#include "engine/core/small_sort.h"
#include "engine/core/utf8.h"

namespace tp::ui {
namespace {

constexpr std::size_t kProse = 400;  // bytes; fewer are rather lines that lack their tabs
constexpr double kTryAgainMs = 600;  // an answer is asked for again this often while it learns

// The first eight bytes of a model's file are the length of the JSON that follows them. No text
// begins like that: as such a number, eight letters are far too large.
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

void watch_too(Watch& all, const Watch& more) {
  for (const WatchedPath& path : more.paths) {
    if (std::ranges::find(all.paths, path) == all.paths.end()) all.paths.push_back(path);
  }
  all.samples |= more.samples;
  all.stills |= more.stills;
}

void SessionLink::begin(bool play) {
  begun_ = true;
  plays_by_itself_ = play;
  restart(play);
}

void SessionLink::send(CommandBody what) {
  ++sent_;
  if (std::holds_alternative<Start>(what)) started_ = sent_;
  send_(encode(Command{sent_, std::move(what)}));
}

void SessionLink::send_all(std::vector<CommandBody> commands) {
  for (CommandBody& command : commands) send(std::move(command));
}

void SessionLink::settings_changed() {
  std::vector<CommandBody> commands = editor_.changed(run_.running());
  if (begun_) send_all(std::move(commands));
}

void SessionLink::start(std::string_view task, std::string_view preset, bool play) {
  const Properties table = editor_.properties();
  set_property(*find_property(table, "preset"), preset);
  set_property(*find_property(table, "task"), task);
  send_all(editor_.changed(play));
}

void SessionLink::drive(CommandBody what) {
  rests_ = false;
  send(std::move(what));
}

void SessionLink::rewind_by(int places) {
  std::vector<Moment> kept;
  for (const Moment& moment : run_.now().kept) {
    if (moment.branch == run_.now().moment.branch) kept.push_back(moment);
  }
  small_sort(kept, &Moment::step);  // nearly in order already
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

void SessionLink::rewind_to_parent() {
  const BranchCurves* shown = run_.branch(run_.now().moment.branch);
  const BranchCurves* parent = shown ? run_.branch(shown->branch.parent) : nullptr;
  if (parent != nullptr) send(Rewind{parent->branch.id, parent->branch.last_step});
}

void SessionLink::seen(bool visible, bool keep_training) {
  if (visible && rests_) {
    send(Play{});
  } else if (!visible && run_.running() && !keep_training) {
    send(Pause{});
    rests_ = true;
    return;
  }
  rests_ = false;
}

void SessionLink::tell(const Settings& settings, const Watch& watch, double time) {
  if (!begun_) return;
  const double pace = steps_per_second_of(settings.pace);
  if (pace != told_.pace) send(SetPace{told_.pace = pace});
  if (watch != told_.watch) send(*(told_.watch = watch));
  if (run_.now().run == 0) return;  // the rest is about a run
  const bool typed = settings.attention.of == ExampleOf::kTyped && !settings.attempt.input.empty();
  const int example = typed ? kTypedExample : settings.attention.example;
  if (example != told_.example) send(ChooseExample{told_.example = example});
  if (settings.attempt.input != told_.attempt.input) typed_for_ = editor_.task_name();
  if (settings.attempt != told_.attempt) try_input(settings.attempt, time, false);
}

void SessionLink::try_input(const TrySettings& attempt, double time, bool again) {
  told_.attempt = attempt;
  const std::optional<ShownExample>& example = run_.now().example;
  const std::string text = !attempt.input.empty() ? attempt.input
                           : example              ? example->source_text
                                                  : std::string();
  if (text.empty()) return;
  if (!again) ++tries_;
  tried_at_ = time;
  send(TryInput{text, attempt.temperature, attempt.top_k, tries_});
}

void SessionLink::take(Snapshot snapshot, TrySettings& attempt, double time) {
  const std::uint32_t run_before = run_.now().run;
  const int example_before = run_.now().example ? run_.now().example->index : -1;
  if (!snapshot.file.empty()) {
    if (keeping_ != 0) {
      kept_file_ = std::move(snapshot.file);
      keeping_ = 0;
    } else {
      saved_file_ = {snapshot.file_name, std::move(snapshot.file)};
    }
    snapshot.file.clear();
  }
  const std::string config = snapshot.config;
  const std::uint32_t refused = snapshot.refused;
  // A file that was asked for has become a run, or not.
  const bool decided =
      adopt_ != 0 && snapshot.answered >= adopt_ && (!config.empty() || !snapshot.error.empty());
  run_.take(std::move(snapshot));
  const Snapshot& now = run_.now();
  const bool is_new = now.run != run_before;
  if (is_new) {
    told_.example = 0;  // every run begins with it
    if (!typed_for_.empty() && typed_for_ != now.task) attempt.input.clear();
    typed_for_ = now.task;
  }
  settings_arrived(config, refused, is_new, decided);
  if (decided) adopt_ = 0;
  const bool fresh = is_new || (now.example ? now.example->index : -1) != example_before;
  // At rest, the answer is that of the moment shown.
  const bool due = !run_.running() || time - tried_at_ > kTryAgainMs;
  const bool older = now.tried && now.tried->done && now.tried->problem.empty() &&
                     now.tried->moment != now.moment && due;
  const bool watched = (told_.watch && told_.watch->samples) || told_.example == kTypedExample;
  if (fresh || (older && watched)) try_input(attempt, time, !fresh);
}

// What the run has for settings, or that those of the last start were refused. `adopt`: it was made
// of a file.
void SessionLink::settings_arrived(const std::string& config, std::uint32_t refused, bool is_new,
                                   bool adopt) {
  if (run_.now().answered < started_) return;  // of a run that another is about to replace
  if (refused != 0 && refused == started_) {
    if (run_.now().state != RunState::empty) {
      editor_.refused(config);
      return send_all(editor_.changed(run_.running()));  // what still waits is sized up again
    }
    if (auto another = editor_.fall_back(plays_by_itself_)) send(std::move(*another));
    return;
  }
  if (config.empty()) return;
  editor_.running_with(config, is_new && adopt);
  if (!is_new) return;
  if (!run_.now().material.empty()) editor_.set_material(run_.now().material);
  send_all(editor_.changed(run_.running()));  // what was set while it started
}

bool SessionLink::load_file(std::string_view name, std::vector<std::byte> bytes) {
  const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_model(content)) {
    send(Load{std::string(name), std::move(bytes)});
  } else if (is_text(content)) {
    // For the task that is chosen if it takes one; else lines with tabs are pairs, and prose is
    // text.
    const bool takes_text = editor_.draft().material() != Material::none;
    const bool prose = content.find('\t') == content.npos && content.size() >= kProse;
    send(Start{takes_text ? editor_.draft().json()
                          : RunSettings(prose ? "text" : "pairs", "default").json(),
               text_of_file(content)});
  } else {
    return false;
  }
  adopt_ = sent_;
  return true;
}

void SessionLink::request_keeping() {
  if (!begun_ || run_.now().moment.step == 0) return;
  send(Save{});
  keeping_ = sent_;
}

}  // namespace tp::ui

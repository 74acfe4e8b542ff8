#include "imgui_app/model/session_link.h"

#include <gtest/gtest.h>

#include "engine/session/session.h"
#include "imgui_app/model/notices.h"

namespace tp::ui {
namespace {

// The link and a session in one process, with a clock that the test moves.
class Conversation : public testing::Test {
 protected:
  void set(std::string_view name, std::string_view text) {
    const Properties table = link_.editor().properties();
    ASSERT_EQ(set_property(*find_property(table, name), text), PropertyProblem::kNone) << name;
    link_.settings_changed();
  }
  // A page that was begun, with a small model so that it is quick.
  void begin(bool play = false) {
    set("d_model", "16");
    set("d_ff", "16");
    link_.begin(play);
    settle();
  }
  void tell() { link_.tell(settings_, watching_, now_); }
  void settle() {
    for (int i = 0; i < 100'000; ++i) {
      tell();
      const bool resting = session_.work(0) != 0;
      const std::vector<std::byte> bytes = session_.take_snapshot();
      if (!bytes.empty()) take(bytes);
      if (resting && bytes.empty() && link_.answered(link_.sent())) return;
    }
    FAIL() << "it never comes to rest";
  }
  void take(const std::vector<std::byte>& bytes) {
    Result<Snapshot> read = decode_snapshot(bytes);
    ASSERT_TRUE(read.ok());
    notices_.follow(link_.run().now(), read.value(), Language::kEnglish);
    link_.take(std::move(read.value()), settings_.attempt, now_);
  }
  template <class Kind>
  long count() const {
    return std::ranges::count_if(
        sent_, [](const CommandBody& what) { return std::holds_alternative<Kind>(what); });
  }

  double now_ = 0;
  Settings settings_;
  Watch watching_;
  Notices notices_;
  std::vector<CommandBody> sent_;
  Session session_{{.now = [this] { return now_; }}};
  SessionLink link_{[this](std::vector<std::byte> bytes) {
    sent_.push_back(decode_command(bytes).value().what);
    session_.receive(bytes);
  }};
};

TEST_F(Conversation, NothingIsSentBeforeItBegins) {
  set("heads", "4");
  tell();
  EXPECT_TRUE(sent_.empty());
  EXPECT_TRUE(link_.answered(link_.sent()));
  begin();
  EXPECT_EQ(count<Start>(), 1);
  EXPECT_EQ(link_.run().now().run, 1u);
  EXPECT_EQ(link_.editor().running().text_of("heads"), "4");
}

TEST_F(Conversation, WhatWasToldOnceIsNotToldAgain) {
  begin();
  const std::size_t before = sent_.size();
  tell();
  tell();
  EXPECT_EQ(sent_.size(), before);
  settings_.pace = Pace::k30;
  watching_.samples = true;
  settings_.attention.example = 3;
  tell();
  tell();
  ASSERT_EQ(sent_.size(), before + 3);
  EXPECT_EQ(sent_[before], CommandBody(SetPace{30}));
  EXPECT_TRUE(std::holds_alternative<Watch>(sent_[before + 1]));
  EXPECT_EQ(sent_[before + 2], CommandBody(ChooseExample{3}));
}

TEST_F(Conversation, ACommandIsAnsweredWhenItsEffectIsThere) {
  begin();
  link_.drive(Step{});
  const std::uint32_t id = link_.sent();
  EXPECT_FALSE(link_.answered(id));
  settle();
  EXPECT_TRUE(link_.answered(id));
  EXPECT_EQ(link_.run().now().moment.step, 1u);
  link_.drive(Step{});
  link_.fail();  // the session is gone
  EXPECT_TRUE(link_.answered(link_.sent()));
}

TEST_F(Conversation, RefusedSettingsWaitBesideTheOthersAndTheRunStays) {
  begin();
  const std::string running = link_.editor().running().json();
  set("d_model", "4096");
  set("heads", "3");
  set("positions", "rotary");
  const std::string edited = link_.editor().draft().json();
  link_.restart(false);
  settle();
  EXPECT_EQ(link_.run().now().run, 1u);
  EXPECT_EQ(link_.editor().running().json(), running);
  EXPECT_EQ(link_.editor().draft().json(), edited);
  EXPECT_EQ(link_.editor().waiting(), (std::vector<std::string>{"d_model", "heads", "positions"}));
  ASSERT_TRUE(link_.run().now().estimate.has_value());
  EXPECT_FALSE(link_.run().now().estimate->problem.empty());
  ASSERT_EQ(notices_.all().size(), 1u);
  EXPECT_NE(notices_.all()[0].text.find("heads"), std::string::npos);
}

TEST_F(Conversation, ALinkThatCannotRunFallsBackToWhatCan) {
  set("d_model", "16");
  set("heads", "3");
  link_.begin(false);
  settle();
  EXPECT_EQ(count<Start>(), 2);
  EXPECT_EQ(link_.run().now().run, 1u);
  EXPECT_EQ(link_.editor().draft().json(), link_.editor().preset().json());
}

TEST_F(Conversation, AnAnswerIsAskedForAgainWhileItLearnsAndIsWatched) {
  begin();
  const long first = count<TryInput>();
  EXPECT_EQ(first, 1);
  link_.drive(Step{});
  now_ = 700;
  settle();
  EXPECT_EQ(count<TryInput>(), first);  // it is not watched
  watching_.samples = true;
  link_.drive(Step{});
  now_ = 800;
  settle();
  EXPECT_GT(count<TryInput>(), first);
  const long second = count<TryInput>();
  link_.drive(Play{});
  now_ = 900;  // too soon, while it learns
  settle();
  EXPECT_GT(link_.run().now().moment.step, 2u);
  EXPECT_EQ(count<TryInput>(), second);
  link_.drive(Pause{});  // at rest the answer is of the moment shown
  settle();
  EXPECT_EQ(count<TryInput>(), second + 1);
  EXPECT_EQ(link_.run().now().tried->moment, link_.run().now().moment);
  settings_.attempt.temperature = 1;
  settle();
  EXPECT_EQ(count<TryInput>(), second + 2);
  const auto& last = std::get<TryInput>(sent_.back());
  EXPECT_EQ(last.temperature, 1);
  EXPECT_EQ(last.text, link_.run().now().example->source_text);
}

TEST_F(Conversation, AfterGoingBackTheAnswerIsOfThatMoment) {
  watching_.samples = true;
  begin();
  for (int i = 0; i < 3; ++i) {
    link_.drive(Step{});
    settle();
  }
  EXPECT_EQ(link_.run().now().tried->moment.step, 3u);
  for (const int step : {3, 0, 2, 0}) link_.send(Rewind{0, static_cast<std::uint64_t>(step)});
  settle();
  EXPECT_EQ(link_.run().now().moment.step, 0u);
  EXPECT_EQ(link_.run().now().tried->moment.step, 0u);
  EXPECT_TRUE(link_.run().now().tried->done);
}

TEST_F(Conversation, AnotherTaskClearsWhatWasTyped) {
  begin();
  settings_.attempt.input = "abcdefghij";
  settle();
  link_.restart(false);
  settle();
  EXPECT_EQ(settings_.attempt.input, "abcdefghij");  // the same task
  EXPECT_EQ(link_.run().now().tried->input, "abcdefghij");
  set("task", "sort");
  settle();
  EXPECT_EQ(settings_.attempt.input, "");
  EXPECT_EQ(link_.run().now().tried->input, link_.run().now().example->source_text);
  // What comes with a task is for that task.
  set("task", "add");
  settings_.attempt.input = "1+2";
  settle();
  EXPECT_EQ(link_.run().now().task, "add");
  EXPECT_EQ(settings_.attempt.input, "1+2");
}

TEST_F(Conversation, TheMapCanBeOfWhatIsTyped) {
  begin();
  settings_.attention.of = ExampleOf::kTyped;
  settle();
  EXPECT_EQ(link_.run().now().example->index, 0);  // nothing is typed
  settings_.attempt.input = "abcdefghij";
  settle();
  EXPECT_EQ(link_.run().now().example->index, kTypedExample);
  EXPECT_EQ(link_.run().now().example->source_text, "a b c d e f g h i j");
  link_.drive(Step{});
  settle();
  EXPECT_EQ(link_.run().now().tried->moment.step, 1u);  // though no samples are watched
  link_.restart(false);
  settle();
  EXPECT_EQ(link_.run().now().example->index, kTypedExample);
  settings_.attempt.input.clear();
  settle();
  EXPECT_EQ(link_.run().now().example->index, 0);
  EXPECT_EQ(link_.run().now().tried->input, link_.run().now().example->source_text);
}

TEST_F(Conversation, AFileIsForThePersonOrForTheNextVisit) {
  begin();
  link_.request_keeping();  // nothing has been learned
  EXPECT_EQ(count<Save>(), 0);
  link_.drive(Step{});
  settle();
  link_.send(Save{});
  settle();
  const auto saved = link_.take_saved_file();
  ASSERT_TRUE(saved.has_value());
  EXPECT_FALSE(link_.take_saved_file().has_value());
  EXPECT_TRUE(link_.take_kept_file().empty());
  link_.request_keeping();
  settle();
  EXPECT_FALSE(link_.take_saved_file().has_value());
  EXPECT_EQ(link_.take_kept_file().size(), saved->bytes.size());
  EXPECT_TRUE(link_.take_kept_file().empty());

  // It comes back with its settings, into a page that has others.
  set("task", "sort");
  settle();
  EXPECT_EQ(link_.run().now().task, "sort");
  ASSERT_TRUE(link_.load_file("run.safetensors", saved->bytes));
  settle();
  EXPECT_EQ(link_.run().now().task, "reverse");
  EXPECT_EQ(link_.run().now().moment.step, 1u);
  EXPECT_EQ(link_.editor().task_name(), "reverse");
  EXPECT_EQ(link_.editor().draft().text_of("d_model"), "16");
}

TEST_F(Conversation, WhatIsNeitherModelNorTextIsNotSent) {
  begin();
  const std::size_t before = sent_.size();
  for (const std::string_view content : {"", " \n", "\xff\xfe", "a\1b"}) {
    const auto* first = reinterpret_cast<const std::byte*>(content.data());
    EXPECT_FALSE(link_.load_file("x", {first, first + content.size()}));
  }
  EXPECT_EQ(sent_.size(), before);
}

// A text saved on another system is the same text.
TEST_F(Conversation, LineEndsAndTheByteOrderMarkOfAFileMakeNoDifference) {
  begin();
  std::string lines = "\uFEFF";
  for (int i = 0; i < 20; ++i) lines += "n " + std::to_string(i) + "\tm\r\n";
  const auto* first = reinterpret_cast<const std::byte*>(lines.data());
  ASSERT_TRUE(link_.load_file("pairs.txt", {first, first + lines.size()}));
  const auto* start = std::get_if<Start>(&sent_.back());
  ASSERT_NE(start, nullptr);
  EXPECT_TRUE(start->material.starts_with("n 0\tm\nn 1\tm\n"));
}

TEST_F(Conversation, TheArrowsGoFromOneSavedMomentToTheNext) {
  begin();
  for (int i = 0; i < 3; ++i) {
    link_.drive(Step{});
    settle();
  }
  ASSERT_EQ(link_.run().now().moment, (Moment{0, 3}));
  const std::vector<Moment> saved = link_.run().now().kept;
  link_.rewind_by(-1);
  settle();
  const Moment earlier = link_.run().now().moment;
  EXPECT_LT(earlier.step, 3u);
  EXPECT_NE(std::ranges::find(saved, earlier), saved.end());
  link_.rewind_by(-100);
  settle();
  EXPECT_EQ(link_.run().now().moment.step, 0u);
  link_.rewind_by(100);
  settle();
  EXPECT_EQ(link_.run().now().moment.step, 3u);  // the moment that was left is saved, too
}

TEST_F(Conversation, AHiddenPageRestsUnlessAsked) {
  begin(true);
  ASSERT_TRUE(link_.run().running());
  link_.seen(false, true);
  EXPECT_EQ(count<Pause>(), 0);
  link_.seen(false, false);
  EXPECT_EQ(count<Pause>(), 1);
  link_.seen(true, false);
  EXPECT_EQ(count<Play>(), 1);
  link_.seen(true, false);
  EXPECT_EQ(count<Play>(), 1);
}

TEST(WatchToo, IsAUnion) {
  Watch all{.paths = {{"a.*"}}, .samples = true};
  watch_too(all, {.paths = {{"a.*"}, {"a.*", kWantStatistics}, {"b"}}, .stills = true});
  EXPECT_EQ(all, (Watch{{{"a.*"}, {"a.*", kWantStatistics}, {"b"}}, true, true}));
}

std::vector<std::string> texts(const Notices& notices) {
  std::vector<std::string> all;
  for (const Notice& notice : notices.all()) all.push_back(notice.text);
  return all;
}

TEST(Notices, KeepTheNewestThreeOnceEach) {
  Notices notices;
  for (const char* text : {"a", "b", "b", "c", "d"}) notices.add(text);
  EXPECT_EQ(texts(notices), (std::vector<std::string>{"b", "c", "d"}));
  EXPECT_TRUE(notices.close(1));
  EXPECT_FALSE(notices.close(2));
  EXPECT_EQ(texts(notices), (std::vector<std::string>{"b", "d"}));
}

TEST(Notices, GoodNewsGoesByItselfAndProblemsStay) {
  Notices notices;
  notices.add("wrong");
  notices.add("saved", NoticeTone::kGood);
  notices.expire(1e9);  // nobody has seen it yet
  EXPECT_EQ(notices.all().size(), 2u);
  EXPECT_FALSE(notices.seen(0, 100));
  EXPECT_TRUE(notices.seen(1, 100));
  EXPECT_FALSE(notices.seen(1, 200));
  notices.expire(99 + Notices::kGoodNewsMs);
  EXPECT_EQ(notices.all().size(), 2u);
  notices.hold(1, 1000);
  notices.expire(100 + Notices::kGoodNewsMs);
  EXPECT_EQ(notices.all().size(), 2u);
  notices.expire(1000 + Notices::kGoodNewsMs);
  EXPECT_EQ(texts(notices), std::vector<std::string>{"wrong"});
}

TEST(Notices, WhatStoppedTheRunGoesWhenItContinues) {
  Notices notices;
  notices.add("other");
  Snapshot running, failed;
  running.run = failed.run = 1;
  running.state = RunState::running;
  failed.state = RunState::failed;
  failed.moment.step = 4;
  failed.error = {"the loss is not finite", "loss"};
  notices.follow(running, failed, Language::kEnglish);
  EXPECT_EQ(notices.all().size(), 2u);
  Snapshot on = running;
  on.moment.step = 3;
  notices.follow(failed, on, Language::kEnglish);
  EXPECT_EQ(texts(notices), std::vector<std::string>{"other"});
  Snapshot next = on;
  next.run = 2;
  notices.follow(on, next, Language::kEnglish);
  EXPECT_TRUE(notices.all().empty());
}

}  // namespace
}  // namespace tp::ui

#include "imgui_app/model/run_editor.h"

#include <gtest/gtest.h>

namespace tp::ui {
namespace {

void set(RunEditor& editor, std::string_view name, std::string_view text) {
  const Properties table = editor.properties();
  ASSERT_EQ(set_property(*find_property(table, name), text), PropertyProblem::kNone) << name;
}

// The session takes what the command starts.
void taken(RunEditor& editor, const CommandBody& command) {
  ASSERT_TRUE(std::holds_alternative<Start>(command));
  editor.running_with(std::get<Start>(command).config, false);
}

RunEditor first_run() {
  RunEditor editor;
  taken(editor, editor.start(true));
  return editor;
}

TEST(RunEditor, WhatCanChangeLiveIsToldAndTheRestWaits) {
  RunEditor editor = first_run();
  set(editor, "learning_rate", "0.01");
  set(editor, "heads", "4");
  const std::vector<CommandBody> commands = editor.changed(true);
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Retune>(commands[0]));
  EXPECT_TRUE(std::holds_alternative<EstimateRun>(commands[1]));
  EXPECT_EQ(editor.waiting(), std::vector<std::string>{"heads"});
}

TEST(RunEditor, APresetThatIsRefusedLeavesTheRunAlone) {
  RunEditor editor = first_run();
  const std::string running = editor.running().json();
  set(editor, "preset", "large");
  ASSERT_EQ(editor.changed(true).size(), 1u);
  // Whatever else is set meanwhile: nothing of the preset goes to the run that is there.
  EXPECT_TRUE(editor.changed(true).empty());
  editor.refused(running);
  EXPECT_EQ(editor.preset_name(), "first-look");
  EXPECT_EQ(editor.draft().json(), running);
  EXPECT_EQ(editor.running().json(), running);
  EXPECT_TRUE(editor.waiting().empty());
  EXPECT_TRUE(editor.changed(true).empty());
  EXPECT_EQ(editor.start(false).config, running);
}

TEST(RunEditor, ATaskThatIsRefusedGoesBackToTheOneThatRuns) {
  RunEditor editor = first_run();
  const std::string running = editor.running().json();
  set(editor, "task", "sort");
  ASSERT_EQ(editor.changed(true).size(), 1u);
  editor.refused(running);
  EXPECT_EQ(editor.task_name(), "reverse");
  EXPECT_EQ(editor.preset_name(), "first-look");
}

TEST(RunEditor, ATextBelongsToTheTaskThatRunsWithIt) {
  RunEditor editor = first_run();
  editor.set_material("its text");
  EXPECT_EQ(editor.start(false).material, "its text");
  set(editor, "task", "sort");
  EXPECT_EQ(std::get<Start>(editor.changed(true).at(0)).material, "");
}

TEST(RunEditor, WhatIsSetWhileARunStartsIsToldWhenItIsThere) {
  RunEditor editor = first_run();
  set(editor, "task", "sort");
  const std::vector<CommandBody> start = editor.changed(true);
  ASSERT_EQ(start.size(), 1u);
  set(editor, "learning_rate", "0.01");
  EXPECT_TRUE(editor.changed(true).empty());
  taken(editor, start[0]);
  const std::vector<CommandBody> later = editor.changed(true);
  ASSERT_EQ(later.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Retune>(later[0]));
}

TEST(RunEditor, WithoutARunTheSettingsGoFirstThenThePresetThenTheTask) {
  RunEditor editor;
  set(editor, "task", "sort");
  editor.changed(false);
  set(editor, "preset", "small");
  editor.changed(false);
  set(editor, "heads", "3");
  editor.start(true);
  const auto now = [&] {
    return std::string(editor.task_name()) + " " + std::string(editor.preset_name()) + " " +
           editor.draft().text_of("heads");
  };
  for (const char* expected : {"sort small 4", "sort default 4", "reverse first-look 2"}) {
    const std::optional<Start> command = editor.fall_back(true);
    ASSERT_TRUE(command.has_value());
    EXPECT_EQ(command->config, editor.draft().json());
    EXPECT_TRUE(command->play);
    EXPECT_EQ(now(), expected);
  }
  EXPECT_FALSE(editor.fall_back(true).has_value());
}

}  // namespace
}  // namespace tp::ui

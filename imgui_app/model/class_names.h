#pragma once

#include "engine/session/snapshot.h"
#include "imgui_app/strings/strings.h"

namespace tp::ui {

// The answers of a task that classifies, in a language: its classes have names that are words,
// where others write the tokens that they were trained on.
void name_classes(Snapshot& now, Language language);

}  // namespace tp::ui

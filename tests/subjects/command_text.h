#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "imgui_app/model/ui_command.h"

// A command as a script would write it.

namespace tp::ui {

class JsonOfArguments : public ArgumentVisitor {
 public:
  nlohmann::ordered_json json;
  void whole(std::string_view name, int& value, Need need) override {
    if (need == Need::kRequired || value >= 0) json[std::string(name)] = value;
  }
  void number(std::string_view name, double& value) override {
    if (value == static_cast<int>(value)) {
      json[std::string(name)] = static_cast<int>(value);
    } else {
      json[std::string(name)] = value;
    }
  }
  void text(std::string_view name, std::string& value) override { json[std::string(name)] = value; }
  void settings(SettingValues& values) override {
    if (values.size() == 1) {
      json["name"] = values[0].first;
      json["value"] = values[0].second;
    } else {
      for (const auto& [name, value] : values) json["values"][name] = value;
    }
  }
};

inline std::string as_json(UiCommand command) {
  JsonOfArguments arguments;
  arguments.json["type"] = std::string(kUiCommands[command.index()].name);
  visit_arguments(command, arguments);
  return arguments.json.dump();
}

}  // namespace tp::ui

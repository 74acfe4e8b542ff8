#include "imgui_app/model/ui_command.h"

#include <cstdint>

#include "engine/core/json.h"

namespace tp::ui {
namespace {

class JsonArguments : public ArgumentVisitor {
 public:
  explicit JsonArguments(const Json& json) : json_(json) {}
  bool ok() const { return ok_; }

  void whole(std::string_view name, int& value, Need need) override {
    const Json* found = find(name);
    if (found == nullptr && need == Need::kOptional) return;
    const std::int64_t given =
        found != nullptr && found->is_number_integer() ? found->get<std::int64_t>() : -1;
    if (given < 0 || given >= 1 << 30) return fail();
    value = static_cast<int>(given);
  }
  void number(std::string_view name, double& value) override {
    const Json* found = find(name);
    if (found == nullptr || !found->is_number()) return fail();
    value = found->get<double>();
  }
  void text(std::string_view name, std::string& value) override {
    const Json* found = find(name);
    if (found == nullptr || !found->is_string()) return fail();
    value = found->get<std::string>();
  }
  void settings(SettingValues& values) override {
    if (const Json* several = find("values")) {
      if (!several->is_object() || several->empty()) return fail();
      for (const auto& [name, value] : several->items()) add(values, name, value);
      return;
    }
    std::string name;
    text("name", name);
    if (const Json* value = find("value")) return add(values, name, *value);
    fail();
  }

 private:
  const Json* find(std::string_view name) const {
    const auto found = json_.find(std::string(name));
    return found == json_.end() ? nullptr : &*found;
  }
  void add(SettingValues& values, const std::string& name, const Json& value) {
    if (value.is_structured() || value.is_null()) return fail();
    values.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  void fail() { ok_ = false; }

  const Json& json_;
  bool ok_ = true;
};

template <std::size_t... kRows>
UiCommand make(std::size_t row, std::index_sequence<kRows...>) {
  UiCommand made;
  static_cast<void>(((row == kRows && (made.emplace<kRows>(), true)) || ...));
  return made;
}

// A key as it is printed on keyboards.
std::string printed(std::string_view key, Language language) {
  if (key == " ") return tr(Text::key_space, language);
  if (key == "ArrowLeft") return "←";
  if (key == "ArrowRight") return "→";
  if (key == "-") return "−";
  if (key.size() == 1 && key[0] >= 'a' && key[0] <= 'z') {
    return std::string(1, static_cast<char>(key[0] - 'a' + 'A'));
  }
  return std::string(key);
}

}  // namespace

ui_command::Set ui_command::set(std::string_view name, std::string value) {
  Set set;
  set.values.emplace_back(name, std::move(value));
  return set;
}

void visit_arguments(UiCommand& command, ArgumentVisitor& visitor) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.arguments(visitor); }) one.arguments(visitor);
      },
      command);
}

UiCommand make_command(std::size_t row) {
  return make(row, std::make_index_sequence<std::variant_size_v<UiCommand>>());
}

std::optional<UiCommand> read_command(std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object()) return std::nullopt;
  JsonArguments arguments(json);
  std::string type;
  arguments.text("type", type);
  for (std::size_t row = 0; row < kUiCommands.size(); ++row) {
    if (kUiCommands[row].name != type) continue;
    UiCommand command = make_command(row);
    visit_arguments(command, arguments);
    if (arguments.ok()) return command;
    break;
  }
  return std::nullopt;
}

std::vector<KeyLine> key_sheet(Language language, int panels) {
  std::vector<KeyLine> lines;
  for (const UiCommandRow& row : kUiCommands) {
    if (!row.sheet) continue;
    const bool numbers = row.sheet == Text::key_tabs;
    const std::string key =
        numbers ? "1 – " + std::to_string(panels) : printed(row.keys[0], language);
    if (lines.empty() || lines.back().what != *row.sheet) {
      lines.push_back({key, *row.sheet});
    } else if (lines.back().keys != key) {
      lines.back().keys += "  " + key;
    }
  }
  return lines;
}

}  // namespace tp::ui

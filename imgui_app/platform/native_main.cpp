// The desktop app. Settings are flags, named as in links: playground --language ko --pe-d-model 64

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "imgui_app/platform/native_window.h"

namespace {

struct Arguments {
  std::string screenshot;
  int width = 1280, height = 800;
  unsigned long step = 0;  // of the run, before the screenshot
  std::vector<std::pair<std::string, std::string>> settings;
};

// Prints a sentence and answers false when the arguments make no sense.
bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag.rfind("--", 0) != 0 || i + 1 == argc) {
      std::fprintf(stderr, "\"%s\": write --setting value, for example --language ko\n", argv[i]);
      return false;
    }
    const std::string value = argv[++i];
    if (flag == "--screenshot") {
      arguments.screenshot = value;
    } else if (flag == "--at-step") {
      arguments.step = std::strtoul(value.c_str(), nullptr, 10);
    } else if (flag == "--size") {
      if (std::sscanf(value.c_str(), "%dx%d", &arguments.width, &arguments.height) != 2 ||
          arguments.width < 200 || arguments.height < 200 || arguments.width > 8192 ||
          arguments.height > 8192) {
        std::fprintf(stderr, "--size wants WIDTHxHEIGHT from 200x200 to 8192x8192\n");
        return false;
      }
    } else {
      arguments.settings.emplace_back(flag.substr(2), value);
    }
  }
  return true;
}

bool write_ppm(const std::string& path, tp::ui::NativeWindow& window) {
  int width = 0, height = 0;
  const std::vector<unsigned char> pixels = window.pixels(width, height);
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << width << " " << height << "\n255\n";
  file.write(reinterpret_cast<const char*>(pixels.data()),
             static_cast<std::streamsize>(pixels.size()));
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) return 2;
  const std::string folder = std::filesystem::absolute(argv[0]).parent_path() / "fonts";
  tp::ui::NativeWindow window(arguments.width, arguments.height, folder,
                              arguments.screenshot.empty());
  if (!window.ok()) {
    std::fprintf(stderr, "%s\n", window.error().c_str());
    return 1;
  }
  for (const auto& [name, value] : arguments.settings) {
    const tp::Status status = window.app().set(name, value);
    if (!status) {
      std::fprintf(stderr, "%s\n", status.error().message.c_str());
      return 2;
    }
  }
  window.begin();
  if (arguments.screenshot.empty()) {
    window.run();
    return 0;
  }
  window.settle();
  while (window.app().run().now().moment.step < arguments.step) window.settle();
  if (write_ppm(arguments.screenshot, window)) return 0;
  std::fprintf(stderr, "%s could not be written\n", arguments.screenshot.c_str());
  return 1;
}

#include "engine/train/checkpoint_folder.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace tp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint-", kSuffix = ".safetensors";
constexpr std::size_t kDigits = 8;  // so that names sort like steps

bool is_checkpoint(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
  const std::string_view digits =
      name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  return digits.size() == kDigits &&
         digits.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Status CheckpointFolder::save(const Trainer& trainer, const std::string& config) const {
  std::string number = std::to_string(trainer.state().steps);
  number.insert(0, kDigits - std::min(kDigits, number.size()), '0');
  const fs::path path = fs::path(folder_) / (std::string(kPrefix) + number + std::string(kSuffix));
  if (Status status = save_checkpoint(path.string(), trainer, config); !status) return status;
  const std::vector<std::string> all = list();
  const auto extra = static_cast<std::ptrdiff_t>(all.size()) - std::max(keep_, 1);
  for (std::ptrdiff_t i = 0; i < extra; ++i) {
    std::error_code ignored;  // one too many does no harm
    fs::remove(all[i], ignored);
  }
  return Done{};
}

std::vector<std::string> CheckpointFolder::list() const {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    if (is_checkpoint(at->path().filename().string())) paths.push_back(at->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::vector<Error>> CheckpointFolder::resume(const std::string& config,
                                                    Trainer& trainer) const {
  const std::vector<std::string> paths = list();
  std::vector<Error> unreadable;
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
    const Result<Safetensors> file = Safetensors::read(*path);
    if (!file) {
      unreadable.push_back(file.error());
      continue;
    }
    const Status status = load_checkpoint(file.value(), config, trainer);
    if (status) return unreadable;
    unreadable.push_back({"'" + *path + "': " + status.error().message});
  }
  if (!unreadable.empty()) return unreadable.front();
  return Error{"there is no checkpoint in '" + folder_ + "': start the run without resuming."};
}

}  // namespace tp

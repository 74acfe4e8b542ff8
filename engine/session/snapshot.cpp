#include "engine/session/snapshot.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/session/archive.h"
#include "engine/session/snapshot_fields.h"

namespace tp {
namespace {

constexpr MessageKind kSnapshot = {0x50414e53, 8, "snapshot"};  // SNAP

template <class T>
bool is_told(const T& number) {
  return number != T{};
}
template <class T>
bool is_told(const std::vector<T>& list) {
  return !list.empty();
}
template <class T>
bool is_told(const std::optional<T>& value) {
  return value.has_value();
}

template <class T>
void merge_field(Newest, T& known, T& news, bool) {
  known = std::move(news);
}
template <class T>
void merge_field(OfRun, T& known, T& news, bool new_run) {
  if (new_run || is_told(news)) known = std::move(news);
}
template <class T>
void merge_field(Lasting, T& known, T& news, bool) {
  if (is_told(news)) known = std::move(news);
}
template <class T>
void merge_field(Appended, std::vector<T>& known, std::vector<T>& news, bool new_run) {
  if (new_run) known.clear();
  known.insert(known.end(), std::move_iterator(news.begin()), std::move_iterator(news.end()));
}

void merge_field(ByPath, std::vector<WatchedTensor>& known, std::vector<WatchedTensor>& news,
                 bool new_run) {
  if (new_run) known.clear();
  // The new ones come last, in their order: that of computation.
  std::erase_if(known, [&](const WatchedTensor& old) {
    return std::ranges::any_of(news, [&](const WatchedTensor& tensor) {
      return tensor.path == old.path && tensor.example == old.example;
    });
  });
  std::ranges::move(news, std::back_inserter(known));
}

}  // namespace

const WatchedTensor* find_tensor(const Snapshot& snapshot, std::string_view path, int example) {
  for (const WatchedTensor& tensor : snapshot.tensors) {
    if (tensor.path == path && tensor.example == example) return &tensor;
  }
  return nullptr;
}

std::span<const std::string> tokens_along(AxisKind axis, const ShownExample& example) {
  if (axis == AxisKind::source_token) return example.source;
  if (axis == AxisKind::target_token) return example.read;
  return {};
}

void merge(Snapshot& known, Snapshot news) {
  const bool new_run = known.run != news.run;
  for_each_field(
      [&](auto member, auto rule) { merge_field(rule, known.*member, news.*member, new_run); });
}

std::vector<std::byte> encode(const Snapshot& snapshot) {
  return encode_message(kSnapshot, snapshot);
}

Result<Snapshot> decode_snapshot(std::span<const std::byte> bytes) {
  return decode_message<Snapshot>(kSnapshot, bytes);
}

}  // namespace tp

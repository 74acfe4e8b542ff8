#include <gtest/gtest.h>

#include <limits>

#include "engine/session/command_fields.h"
#include "engine/session/series_log.h"
#include "engine/session/snapshot_fields.h"
#include "tests/session/every_field.h"
#include "tests/subjects/series_points.h"

namespace tp::test {
namespace {

template <std::size_t... kKind>
std::vector<Command> every_command(std::index_sequence<kKind...>) {
  return {{static_cast<std::uint32_t>(kKind) + 7,
           filled<std::variant_alternative_t<kKind, CommandBody>>()}...};
}
std::vector<Command> every_command() {
  return every_command(std::make_index_sequence<std::variant_size_v<CommandBody>>());
}

// What is added to a struct and not to its list of fields would be lost on the way.
template <std::size_t... kKind>
bool commands_list_all_members(std::index_sequence<kKind...>) {
  return (lists_all_members<std::variant_alternative_t<kKind, CommandBody>>() && ...);
}
TEST(Codec, EveryMemberIsListed) {
  EXPECT_TRUE(lists_all_members<Snapshot>());
  EXPECT_TRUE(
      commands_list_all_members(std::make_index_sequence<std::variant_size_v<CommandBody>>()));
}

TEST(Codec, EveryFieldOfASnapshotIsFilledWithSomethingElseThanItsDefault) {
  Snapshot snapshot = filled<Snapshot>(), empty;
  for_each_field(
      [&](auto member, auto) { EXPECT_NE(bytes_of(snapshot.*member), bytes_of(empty.*member)); });
}

TEST(Codec, CommandsComeBack) {
  for (const Command& command : every_command()) {
    EXPECT_EQ(decode_command(encode(command)).value(), command) << text_of(command.what).name;
  }
  EXPECT_EQ(decode_command(encode(Command{})).value(), Command{});
}

TEST(Codec, ACommandOfNoKnownKindIsRefused) {
  std::vector<std::byte> bytes = encode(Command{});
  ASSERT_EQ(bytes.back(), std::byte{0});  // the kind
  bytes.back() = std::byte{std::variant_size_v<CommandBody>};
  EXPECT_FALSE(decode_command(bytes).ok());
}

// Equality of snapshots is that of their bytes: numbers that are none are not equal.
TEST(Codec, SnapshotsComeBack) {
  Snapshot snapshot = filled<Snapshot>();
  snapshot.series[1].values[0] = std::numeric_limits<double>::quiet_NaN();
  const Snapshot back = decode_snapshot(encode(snapshot)).value();
  EXPECT_EQ(encode(back), encode(snapshot));
  EXPECT_NE(encode(back), encode(Snapshot{}));
  EXPECT_EQ(back.tried->steps[0].candidates[1].token, snapshot.tried->steps[0].candidates[1].token);
  EXPECT_EQ(back.weights_hash, snapshot.weights_hash);
  EXPECT_EQ(back.error, snapshot.error);
  EXPECT_EQ(encode(decode_snapshot(encode(Snapshot{})).value()), encode(Snapshot{}));
}

template <class Decode>
void refuses_damage(std::vector<std::byte> bytes, Decode decode, int least_refused) {
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode(std::span(bytes).first(length)).ok()) << length;
  }
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  EXPECT_FALSE(decode(longer).ok());
  // A flipped bit is refused or is another message; it is never the end of the program.
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= std::byte{1} << bit;
      refused += !decode(bytes).ok();
      bytes[i] ^= std::byte{1} << bit;
    }
  }
  EXPECT_GE(refused, least_refused);
  // A count of four thousand million, wherever one may stand.
  for (std::size_t i = 6; i + 4 <= bytes.size(); ++i) {
    std::vector<std::byte> many = bytes;
    std::fill_n(many.begin() + static_cast<std::ptrdiff_t>(i), 4, std::byte{0xff});
    (void)decode(many);
  }
  bytes[4] ^= std::byte{2};  // the version
  const auto other = decode(bytes);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("version"), std::string::npos);
}

TEST(Codec, DamagedBytesAreRefused) {
  // The magic number, the version, and most other kinds.
  constexpr int kHeader = 32 + 16 + 4;
  for (const Command& command : every_command()) {
    refuses_damage(encode(command), decode_command, kHeader);
  }
  refuses_damage(encode(filled<Snapshot>()), decode_snapshot, 101);
  EXPECT_FALSE(decode_command(encode(filled<Snapshot>())).ok());
}

// --------------------------------------------------------------------------------------------------
// merge

using Bytes = std::vector<std::byte>;

// What every field must be after `news` came to what was known, by its rule.
Bytes expected(Newest, const auto&, const auto& news, bool) { return bytes_of(news); }
Bytes expected(OfRun, const auto& known, const auto& news, bool new_run) {
  const bool told = bytes_of(news) != bytes_of(std::decay_t<decltype(news)>{});
  return bytes_of(told || new_run ? news : known);
}
Bytes expected(Lasting, const auto& known, const auto& news, bool) {
  return expected(OfRun{}, known, news, false);
}
Bytes expected(Appended, auto known, const auto& news, bool new_run) {
  if (new_run) return bytes_of(news);
  known.insert(known.end(), news.begin(), news.end());
  return bytes_of(known);
}
// Both say the same paths, or the news say nothing.
Bytes expected(ByPath, const auto& known, const auto& news, bool new_run) {
  return expected(OfRun{}, known, news, new_run);
}

TEST(Merge, EveryFieldFollowsItsRule) {
  const Snapshot full = filled<Snapshot>();
  for (const bool new_run : {false, true}) {
    for (const bool says_everything : {false, true}) {
      Snapshot news = says_everything ? full : Snapshot{};
      news.run = full.run + (new_run ? 1 : 0);
      Snapshot merged = full;
      merge(merged, news);
      int place = 0;
      for_each_field([&](auto member, auto rule) {
        EXPECT_EQ(bytes_of(merged.*member), expected(rule, full.*member, news.*member, new_run))
            << "field " << place << (new_run ? ", a new run" : "");
        ++place;
      });
    }
  }
}

// The rules themselves, by name.
TEST(Merge, WhatStaysAndWhatANewRunClears) {
  Snapshot known = filled<Snapshot>();
  Snapshot news;
  news.run = known.run;
  merge(known, news);
  EXPECT_NE(known.config, "");
  EXPECT_TRUE(known.example && known.tried && known.estimate);
  EXPECT_EQ(known.series.size(), 2u);
  EXPECT_EQ(known.series_names.size(), 2u);
  EXPECT_TRUE(known.error.empty() && known.file.empty() && known.branches.empty());
  ++news.run;
  merge(known, news);
  EXPECT_EQ(known.config, "");
  EXPECT_TRUE(known.series.empty() && known.series_names.empty() && known.tensors.empty() &&
              !known.example && !known.tried);
  EXPECT_TRUE(known.estimate);
}

TEST(Merge, ASeriesGrowsByName) {
  SeriesLog log;
  Snapshot known, news;
  log.add("a", 0.5);
  log.end_row(1);
  log.tell(known);
  log.add("b.", "x", 1.5);
  log.add("a", 2.5);
  log.end_row(2);
  log.tell(news);
  merge(known, news);
  EXPECT_EQ(known.series_names, (std::vector<std::string>{"a", "b.x"}));
  EXPECT_EQ(steps_of(known, "a"), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(values_of(known, "a"), (std::vector<double>{0.5, 2.5}));
  EXPECT_EQ(values_of(known, "b.x"), (std::vector<double>{1.5}));
  ++news.run;
  merge(known, news);
  EXPECT_EQ(values_of(known, "a"), (std::vector<double>{2.5}));
}

// What one snapshot tells: names when there are new ones, and a table for each set of series.
TEST(SeriesLog, WhatIsMeasuredTogetherIsOneTable) {
  SeriesLog log;
  EXPECT_TRUE(log.empty());
  log.end_row(0);
  EXPECT_TRUE(log.empty()) << "nothing was measured";
  for (std::uint64_t step = 1; step <= 3; ++step) {
    log.add("loss", 1.0 / static_cast<double>(step));
    log.add("update_ratio.", "head", static_cast<double>(step));
    log.end_row(step);
    if (step == 2) {
      log.add("heldout_loss", 7);
      log.end_row(step);
    }
  }
  EXPECT_FALSE(log.empty());
  Snapshot first, second;
  log.tell(first);
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(first.series_names,
            (std::vector<std::string>{"loss", "update_ratio.head", "heldout_loss"}));
  ASSERT_EQ(first.series.size(), 2u);
  EXPECT_EQ(first.series[0].steps, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(first.series[0].values, (std::vector<double>{1, 1, 0.5, 2, 1.0 / 3, 3}));
  EXPECT_EQ(first.series[1].series, (std::vector<std::uint32_t>{2}));
  log.add("loss", 4);  // a step that lacks something
  log.end_row(4);
  log.tell(second);
  EXPECT_TRUE(second.series_names.empty()) << "nothing new";
  ASSERT_EQ(second.series.size(), 1u);
  EXPECT_EQ(second.series[0].series, (std::vector<std::uint32_t>{0}));
}

TEST(Merge, ATensorTakesThePlaceOfTheOneOfItsPath) {
  Snapshot known, news;
  known.tensors = {{.path = "a", .rows = 1}, {.path = "b", .rows = 2}};
  news.tensors = {{.path = "b", .rows = 3}, {.path = "b", .example = 5, .rows = 4}};
  merge(known, news);
  ASSERT_EQ(known.tensors.size(), 3u);
  EXPECT_EQ(find_tensor(known, "a")->rows, 1);
  EXPECT_EQ(find_tensor(known, "b")->rows, 3);
  EXPECT_EQ(find_tensor(known, "b", 5)->rows, 4);
  EXPECT_EQ(find_tensor(known, "c"), nullptr);
}

}  // namespace
}  // namespace tp::test

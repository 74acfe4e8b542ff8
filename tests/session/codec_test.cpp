#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/session/command.h"
#include "engine/session/snapshot.h"

namespace tp::test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// One of every kind.
std::vector<Command> full_commands() {
  const CommandBody bodies[] = {
      Pause{},
      Start{"{}", "a\tb", true},
      Play{},
      Step{20},
      SetPace{2.5},
      Retune{R"({"clip": 1})"},
      Watch{5},
      ChooseExample{-3},
      TryInput{"나는 학교에 간다", 0.7, 5, 1u << 31},
      Rewind{2, 1ull << 40},
      Save{},
      Load{"x.safetensors", {std::byte{1}, std::byte{0}, std::byte{255}}},
      EstimateRun{"{}"},
  };
  std::vector<Command> commands;
  for (const CommandBody& body : bodies) {
    EXPECT_EQ(body.index(), commands.size());
    commands.push_back({static_cast<std::uint32_t>(commands.size()) + 7, body});
  }
  EXPECT_EQ(commands.size(), std::variant_size_v<CommandBody>);
  return commands;
}

Snapshot full_snapshot() {
  Snapshot s;
  s.run = 3;
  s.state = RunState::solved;
  s.moment = {1, 290};
  s.total_steps = 400;
  s.steps_per_second = 9.9;
  s.weights_hash = 0xfedcba9876543210u;
  s.answered = 12;
  s.refused = 11;
  s.config = "{}";
  s.task = "reverse";
  s.vocabulary = 32;
  s.parameters = 1234;
  s.bytes = 5678;
  s.flops = 1e8;
  s.known_words = {"a", "b", ""};
  s.points = {{1, 3.4, 0.1, 1e-3, 2.5, 1e-3, true}, {2, 3.3, kNone, 1e-3, 2.4, 1e-3, false}};
  s.exams = {{50, 200, 2.5, 0.5, 0.8, 0.9, kNone, 0.3, 0.2}};
  s.events = {{40, EventKind::rewound, "learning_rate", "0.1", "0.2"}};
  s.branches = {{0, -1, 0, 300}, {1, 0, 100, 290}};
  s.kept = {{0, 0}, {1, 150}};
  s.history_bytes = 1;
  s.history_limit = 2;
  s.example = ShownExample{4, {"x"}, {"<bos>", "x"}, {"x", "<eos>"}, {{0, 0, false}}, "x", "x"};
  s.attention = {{AttentionKind::decoder_self,
                  1,
                  1,
                  2,
                  2,
                  {1, 0, 0.5f, 0.5f},
                  {{0.5, kNone, 0.1, AttentionPattern::focused}}}};
  s.stills = {{{0, 25}, 1, 2, {0.25f, 0.75f}}};
  s.positions = {{"source", 1, 2, {1, 2}}};
  s.samples = {{"a b", "b a", "b b", false}};
  s.tried = TryResult{.id = 9,
                      .input = "abc",
                      .problem = {"no", "아니요"},
                      .unknown_word = "q",
                      .known_words = {"a"},
                      .source = {"a", "b"},
                      .steps = {{"b", 0.9, true, {{"b", 0.9}, {"c", 0.1}}}},
                      .output = "b",
                      .expected = "b a",
                      .right = false,
                      .done = true};
  s.estimate = Estimate{5, {"too large", "너무 큽니다"}, 1, 2, 3};
  s.file = {std::byte{9}};
  s.file_name = "model.safetensors";
  s.error = {"wrong", "잘못"};
  s.warning = {"left out", "제외"};
  return s;
}

TEST(Codec, CommandsComeBack) {
  for (const Command& command : full_commands()) {
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
  const Snapshot snapshot = full_snapshot();
  const Snapshot back = decode_snapshot(encode(snapshot)).value();
  EXPECT_EQ(encode(back), encode(snapshot));
  EXPECT_EQ(back.tried->steps[0].candidates[1].token, "c");
  EXPECT_EQ(back.weights_hash, snapshot.weights_hash);
  EXPECT_EQ(back.error, snapshot.error);
  EXPECT_TRUE(std::isnan(back.points[1].token_accuracy));
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
  for (const Command& command : full_commands()) {
    refuses_damage(encode(command), decode_command, kHeader);
  }
  refuses_damage(encode(full_snapshot()), decode_snapshot, 101);
  EXPECT_FALSE(decode_command(encode(full_snapshot())).ok());
}

}  // namespace
}  // namespace tp::test

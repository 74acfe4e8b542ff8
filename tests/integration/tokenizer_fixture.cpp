// Writes what tests/browser/tokenizers.test.mjs compares with Hugging Face's tokenizers:
//
//   tokenizer_fixture FOLDER [STRINGS [SEED]]
//
// leaves there NAME.json, a tokenizer.json of each kind trained on the sample, and cases.json:
//   {"strings": [text, ...],
//    "tokenizers": {NAME: {"ids": [[id, ...] of each string],
//                          "decoded": [text of each list of ids],
//                          "drawn": [{"ids": [id, ...], "shown": text, "skipped": text}, ...]}}}
// where `drawn` are ids at random, as a model that has learned nothing would give them.

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/core/rng.h"
#include "engine/io/file.h"
#include "tests/subjects/tokenizer_subjects.h"

namespace tp {
namespace {

constexpr std::uint64_t kDrawn = 300;

nlohmann::json cases_of(const Tokenizer& tokenizer, const std::vector<std::string>& strings,
                        std::uint64_t seed) {
  nlohmann::json cases;
  for (const std::string& string : strings) {
    const std::vector<int> ids = tokenizer.encode(string);
    cases["ids"].push_back(ids);
    cases["decoded"].push_back(tokenizer.decode(ids, Tokenizer::Special::kShow));
  }
  for (std::uint64_t i = 0; i < kDrawn; ++i) {
    Rng rng(seed, i);
    std::vector<int> ids(1 + rng.below(12));
    for (int& id : ids)
      id = static_cast<int>(rng.below(static_cast<std::uint32_t>(tokenizer.size())));
    cases["drawn"].push_back({{"ids", ids},
                              {"shown", tokenizer.decode(ids, Tokenizer::Special::kShow)},
                              {"skipped", tokenizer.decode(ids, Tokenizer::Special::kSkip)}});
  }
  return cases;
}

bool write(const std::string& path, const std::string& text) {
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(text))};
  const Status status = write_file(path, parts);
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return status.ok();
}

int run(const std::string& folder, std::size_t count, std::uint64_t seed) {
  const std::vector<std::string> strings = tokenizer_strings(count, seed);
  nlohmann::json cases = {{"strings", strings}};
  for (const NamedTokenizerOptions& subject : tokenizer_subjects()) {
    const std::string name(subject.name);
    const Tokenizer tokenizer = trained_subject(subject.options.kind);
    if (!write(folder + "/" + name + ".json", tokenizer.json())) return 1;
    cases["tokenizers"][name] = cases_of(tokenizer, strings, seed);
  }
  return write(folder + "/cases.json", cases.dump()) ? 0 : 1;
}

}  // namespace
}  // namespace tp

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: tokenizer_fixture FOLDER [STRINGS [SEED]]\n");
    return 2;
  }
  const auto number = [&](int i, unsigned long otherwise) {
    return argc > i ? std::strtoul(argv[i], nullptr, 10) : otherwise;
  };
  return tp::run(argv[1], number(2, 1'000), number(3, 4));
}

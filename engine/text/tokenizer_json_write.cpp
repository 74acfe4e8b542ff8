// Writing tokenizer.json, by hand: the vocabulary in the order of its ids, one entry a line.

#include <nlohmann/json.hpp>

#include "engine/core/check.h"
#include "engine/text/tokenizer_json.h"

namespace tp {
namespace {

std::string json_text(std::string_view text) { return nlohmann::json(text).dump(); }

// The entries between brackets, each on a line of its own.
template <class Entry>
std::string lines(char open, std::size_t count, char close, const Entry& entry) {
  std::string text(1, open);
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "\n      " : ",\n      ") + entry(i);
  }
  return text + (count == 0 ? "" : "\n    ") + close;
}

}  // namespace

const TokenizerFormat& format_of(TokenizerKind kind) {
  for (const TokenizerFormat& format : kTokenizerFormats) {
    if (format.kind == kind) return format;
  }
  TP_CHECK(false, "a tokenizer has one of four kinds");
  return kTokenizerFormats[0];
}

std::string Tokenizer::json() const {
  const TokenizerFormat& format = format_of(kind());
  const std::string added = lines('[', parts_.special.size(), ']', [&](std::size_t i) {
    const int id = parts_.special[i];
    return "{\"id\":" + std::to_string(id) + ",\"content\":" + json_text(spelling(id)) +
           R"(,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true})";
  });
  const std::string vocabulary =
      lines('{', static_cast<std::size_t>(size()), '}', [&](std::size_t i) {
        const int id = static_cast<int>(i);
        return json_text(spelling(id)) + ":" + std::to_string(id);
      });
  const std::string unknown =
      parts_.unknown == kNoToken ? "null" : json_text(spelling(parts_.unknown));

  std::string model = "\n    \"type\":" + json_text(format.model);
  if (uses_merges(kind())) {
    const std::string merges = lines('[', parts_.merges.size(), ']', [&](std::size_t i) {
      const Merge& merge = parts_.merges[i];
      return "[" + json_text(spelling(merge.left)) + "," + json_text(spelling(merge.right)) + "]";
    });
    model += ",\n    \"dropout\":null,\n    \"unk_token\":" + unknown +
             ",\n    \"continuing_subword_prefix\":null,\n    \"end_of_word_suffix\":null"
             ",\n    \"fuse_unk\":false,\n    \"byte_fallback\":false,\n    \"ignore_merges\":false"
             ",\n    \"vocab\":" +
             vocabulary + ",\n    \"merges\":" + merges;
  } else {
    model += ",\n    \"vocab\":" + vocabulary + ",\n    \"unk_token\":" + unknown;
  }

  std::string text = "{\n  \"version\":\"1.0\",\n  \"truncation\":null,\n  \"padding\":null";
  text += ",\n  \"added_tokens\":" + added;
  text += ",\n  \"normalizer\":null";
  text += ",\n  \"pre_tokenizer\":" + std::string(format.pre_tokenizer);
  text += ",\n  \"post_processor\":null";
  text += ",\n  \"decoder\":" + std::string(format.decoder);
  text += ",\n  \"model\":{" + model + "\n  }\n}\n";
  return text;
}

}  // namespace tp

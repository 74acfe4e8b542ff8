#pragma once

#include <array>
#include <string_view>

#include "engine/text/tokenizer.h"

// How each kind of tokenizer is told in a tokenizer.json: which model, and the two blocks around it
// exactly as they are written. Reading compares with the same table.

namespace tp {

struct TokenizerFormat {
  TokenizerKind kind;
  std::string_view model;
  std::string_view pre_tokenizer;
  std::string_view decoder;
};

inline constexpr std::array<TokenizerFormat, 4> kTokenizerFormats = {{
    {TokenizerKind::kCharacter, "WordLevel",
     R"({"type":"Split","pattern":{"Regex":"[\\s\\S]"},"behavior":"Isolated","invert":false})",
     R"({"type":"Fuse"})"},
    {TokenizerKind::kWord, "WordLevel",  //
     R"({"type":"WhitespaceSplit"})",    //
     "null"},
    {TokenizerKind::kByteBpe, "BPE",
     R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})",
     R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})"},
    {TokenizerKind::kSentencePiece, "BPE",
     R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})",
     R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})"},
}};

const TokenizerFormat& format_of(TokenizerKind kind);

}  // namespace tp

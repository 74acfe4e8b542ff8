// Reading tokenizer.json. It comes from outside and is believed in nothing: a setting that this
// engine does not follow exactly is refused, never ignored.

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "engine/core/json.h"
#include "engine/core/shown_name.h"
#include "engine/core/utf8.h"
#include "engine/text/tokenizer_json.h"
#include "engine/text/tokenizer_pieces.h"

namespace tp {
namespace {

using Tree = nlohmann::json;  // with sorted members: a vocabulary has many

// Deep enough for the format, and shallow enough that no text can exhaust memory by nesting.
constexpr int kMaxDepth = 8;

const Tree* member(const Tree& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() ? nullptr : &*at;
}

const std::string& string_in(const Tree& json) { return *json.get_ptr<const std::string*>(); }

// A value as a message may show it.
std::string shown(const Tree& json) {
  if (json.is_string()) return shown_name(string_in(json));
  if (json.is_structured()) return json.is_array() ? "a list" : "an object";
  return json.dump();
}

// The type of a block such as the decoder, for messages.
std::string shown_type(const Tree* block) {
  if (block == nullptr || block->is_null()) return "none";
  const Tree* type = block->is_object() ? member(*block, "type") : nullptr;
  return shown(type == nullptr ? *block : *type);
}

class Reader {
 public:
  // Nothing when something is wrong, which is then in error().
  std::optional<Tokenizer::Parts> read(const Tree& file) {
    if (!read_frame(file) || !read_kind(file)) return std::nullopt;
    const Tree& model = *member(file, "model");
    const bool done = read_model_settings(model) && collect_vocabulary(model) &&
                      collect_added_tokens(file) && order_tokens() && read_special() &&
                      read_unknown(model) && read_merges(model);
    if (!done) return std::nullopt;
    return std::move(parts_);
  }
  const std::string& error() const { return error_; }

 private:
  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  // Refuses members that are not named here: whatever they ask for would not be done.
  bool only_members(const Tree& object, const std::string& what,
                    std::initializer_list<std::string_view> names) {
    for (const auto& [name, value] : object.items()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        return fail(what + " has the setting " + shown_name(name) + ", which is not supported");
      }
    }
    return true;
  }

  // A setting that may be missing, but if it is there has the one value that is supported.
  bool fixed(const Tree& object, const std::string& what, const char* name, const Tree& value) {
    const Tree* found = member(object, name);
    if (found == nullptr || *found == value) return true;
    return fail(what + " has " + name + " " + shown(*found) + ", but only " + shown(value) +
                " is supported");
  }

  // Everything around the model, the pre-tokenizer and the decoder.
  bool read_frame(const Tree& file) {
    if (!file.is_object()) return fail("it is not a JSON object");
    if (!only_members(file, "it",
                      {"version", "truncation", "padding", "added_tokens", "normalizer",
                       "pre_tokenizer", "post_processor", "decoder", "model"})) {
      return false;
    }
    const Tree* model = member(file, "model");
    if (model == nullptr || !model->is_object()) return fail("it has no model");
    for (const char* name : {"truncation", "padding", "normalizer"}) {
      if (!fixed(file, "it", name, nullptr)) return false;
    }
    // This one moves offsets, which are not kept here, and leaves the tokens alone.
    const Tree* post = member(file, "post_processor");
    if (post != nullptr && !post->is_null() && shown_type(post) != "'ByteLevel'") {
      return fail("it has the post_processor " + shown_type(post) + ", which is not supported");
    }
    return fixed(file, "it", "version", "1.0");
  }

  bool read_kind(const Tree& file) {
    const Tree& model = *member(file, "model");
    const Tree* type = member(model, "type");
    // Files of the first versions name no type.
    const Tree model_type =
        type != nullptr ? *type : Tree(member(model, "merges") != nullptr ? "BPE" : "WordLevel");
    const Tree* pre_tokenizer = member(file, "pre_tokenizer");
    const Tree* decoder = member(file, "decoder");
    for (const TokenizerFormat& format : kTokenizerFormats) {
      const Tree expected_pre = Tree::parse(format.pre_tokenizer);
      const Tree expected_decoder = Tree::parse(format.decoder);
      if (model_type != format.model || shown_type(pre_tokenizer) != shown_type(&expected_pre) ||
          shown_type(decoder) != shown_type(&expected_decoder)) {
        continue;
      }
      parts_.kind = format.kind;
      return read_block("its pre_tokenizer", *pre_tokenizer, expected_pre) &&
             (expected_decoder.is_null() || read_decoder(*decoder, expected_decoder));
    }
    return fail("it combines the model " + shown(model_type) + ", the pre_tokenizer " +
                shown_type(pre_tokenizer) + " and the decoder " + shown_type(decoder) +
                ", but supported are WordLevel with Split and Fuse, WordLevel with WhitespaceSplit "
                "and none, BPE with ByteLevel twice, and BPE with Metaspace twice");
  }

  // A block has no settings but those that this engine writes, with the same values.
  bool read_block(const std::string& what, const Tree& block, const Tree& expected) {
    for (const auto& [name, value] : block.items()) {
      const Tree* wanted = member(expected, name.c_str());
      if (wanted == nullptr) {
        return fail(what + " has the setting " + shown_name(name) + ", which is not supported");
      }
      // It concerns offsets only.
      if (name == "trim_offsets" && value.is_boolean()) continue;
      if (!fixed(block, what, name.c_str(), *wanted)) return false;
    }
    for (const char* name : {"pattern", "behavior", "prepend_scheme", "add_prefix_space"}) {
      if (member(expected, name) != nullptr && member(block, name) == nullptr) {
        return fail(what + " lacks " + name);
      }
    }
    return true;
  }

  bool read_decoder(const Tree& decoder, Tree expected) {
    // The settings of a ByteLevel decoder have no effect on decoding.
    Tree relevant = decoder;
    if (parts_.kind == TokenizerKind::kByteBpe) {
      for (const char* name : {"add_prefix_space", "use_regex"}) {
        const Tree* value = member(decoder, name);
        if (value == nullptr || value->is_boolean()) relevant[name] = expected[name];
      }
    }
    return read_block("its decoder", relevant, expected);
  }

  bool read_model_settings(const Tree& model) {
    if (!uses_merges(parts_.kind)) {
      return only_members(model, "its model", {"type", "vocab", "unk_token"});
    }
    if (!only_members(
            model, "its model",
            {"type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
             "fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"})) {
      return false;
    }
    for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      const Tree* value = member(model, name);
      // Compared as JSON: empty() of a text would be false.
      const bool given = value != nullptr && *value != Tree("");
      if (given && !fixed(model, "its model", name, nullptr)) {
        return false;
      }
    }
    return fixed(model, "its model", "dropout", nullptr) &&
           fixed(model, "its model", "fuse_unk", false) &&
           fixed(model, "its model", "byte_fallback", false) &&
           fixed(model, "its model", "ignore_merges", false);
  }

  // ---- tokens -----------------------------------------------------------------------------------

  bool collect_token(const std::string& spelling, const Tree& id) {
    if (spelling.empty() || spelling.size() > kMaxTokenBytes) {
      return fail("the token " + shown_name(spelling) + " has " + std::to_string(spelling.size()) +
                  " bytes, but tokens have from 1 to " + std::to_string(kMaxTokenBytes));
    }
    const auto* number = id.get_ptr<const Tree::number_unsigned_t*>();
    if (number == nullptr || *number >= static_cast<std::uint64_t>(kMaxVocabulary)) {
      return fail("the token " + shown_name(spelling) + " has the id " + shown(id) +
                  ", which is not a whole number below " + std::to_string(kMaxVocabulary));
    }
    const auto index = static_cast<std::size_t>(*number);
    if (index >= by_id_.size()) by_id_.resize(index + 1);
    if (!by_id_[index].empty() && by_id_[index] != spelling) {
      return fail("the tokens " + shown_name(by_id_[index]) + " and " + shown_name(spelling) +
                  " both have the id " + std::to_string(index));
    }
    by_id_[index] = spelling;
    return true;
  }

  bool collect_vocabulary(const Tree& model) {
    const Tree* vocabulary = member(model, "vocab");
    if (vocabulary == nullptr || !vocabulary->is_object()) {
      return fail("its model has no vocab that is an object of tokens and ids");
    }
    for (const auto& [spelling, id] : vocabulary->items()) {
      if (!collect_token(spelling, id)) return false;
    }
    return true;
  }

  bool collect_added_tokens(const Tree& file) {
    const Tree* added = member(file, "added_tokens");
    if (added == nullptr) return true;
    if (!added->is_array()) return fail("its added_tokens are not a list");
    if (added->size() > kMaxSpecialTokens) {
      return fail("it has more than " + std::to_string(kMaxSpecialTokens) + " added_tokens");
    }
    for (const Tree& token : *added) {
      const Tree* content = token.is_object() ? member(token, "content") : nullptr;
      const Tree* id = token.is_object() ? member(token, "id") : nullptr;
      if (content == nullptr || !content->is_string() || id == nullptr) {
        return fail("an entry of its added_tokens lacks its id or its content");
      }
      const std::string what = "the added token " + shown_name(string_in(*content));
      // Without a normalizer, `normalized` makes no difference.
      if (!only_members(
              token, what,
              {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"}) ||
          !fixed(token, what, "single_word", false) || !fixed(token, what, "lstrip", false) ||
          !fixed(token, what, "rstrip", false) || !fixed(token, what, "special", true)) {
        return false;
      }
      if (member(token, "special") == nullptr) return fail(what + " is not said to be special");
      if (!collect_token(string_in(*content), *id)) return false;
      special_.push_back(string_in(*content));
    }
    return true;
  }

  bool order_tokens() {
    for (std::size_t id = 0; id < by_id_.size(); ++id) {
      if (by_id_[id].empty()) {
        return fail("no token has the id " + std::to_string(id) + ", though larger ids are used");
      }
      if (parts_.vocabulary.find(by_id_[id]) != kNoToken) {
        return fail("the token " + shown_name(by_id_[id]) + " has two ids");
      }
      parts_.vocabulary.add(std::move(by_id_[id]));
    }
    return true;
  }

  bool read_special() {
    std::unordered_set<int> seen;
    for (const std::string& spelling : special_) {
      const int id = parts_.vocabulary.find(spelling);
      if (!seen.insert(id).second) {
        return fail("the added token " + shown_name(spelling) + " is there twice");
      }
      parts_.special.push_back(id);
    }
    if (parts_.kind != TokenizerKind::kByteBpe) return true;
    for (int id = 0; id < parts_.vocabulary.size(); ++id) {
      const std::string& spelling = parts_.vocabulary.spelling(id);
      if (!seen.contains(id) && !from_byte_alphabet(spelling)) {
        return fail("the token " + shown_name(spelling) + " is not spelled in the byte alphabet");
      }
    }
    return true;
  }

  bool read_unknown(const Tree& model) {
    const Tree* unknown = member(model, "unk_token");
    if (unknown == nullptr || unknown->is_null()) {
      if (parts_.kind == TokenizerKind::kByteBpe) return true;
      return fail("its model has no unk_token, so that it has nothing for what it does not know");
    }
    if (unknown->is_string()) parts_.unknown = parts_.vocabulary.find(string_in(*unknown));
    if (parts_.unknown != kNoToken) return true;
    return fail("the unk_token " + shown(*unknown) + " is not in the vocabulary");
  }

  // ---- merges -----------------------------------------------------------------------------------

  // ["a","b"], or "a b" in older files.
  std::optional<std::pair<std::string, std::string>> pair_of(const Tree& merge) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      return std::pair(string_in(merge[0]), string_in(merge[1]));
    }
    if (!merge.is_string()) return std::nullopt;
    const std::string& text = string_in(merge);
    const std::size_t blank = text.find(' ');
    if (blank == text.npos || text.find(' ', blank + 1) != text.npos) return std::nullopt;
    return std::pair(text.substr(0, blank), text.substr(blank + 1));
  }

  bool read_merges(const Tree& model) {
    if (!uses_merges(parts_.kind)) return true;
    const Tree* merges = member(model, "merges");
    if (merges == nullptr || !merges->is_array()) return fail("its model has no list of merges");
    if (merges->size() > kMaxMerges) {
      return fail("it has more than " + std::to_string(kMaxMerges) + " merges");
    }
    std::unordered_set<std::uint64_t> seen;
    for (const Tree& entry : *merges) {
      const std::string number = "merge " + std::to_string(parts_.merges.size());
      const auto pair = pair_of(entry);
      if (!pair) return fail(number + " is not a pair of tokens");
      const TokenTable& vocabulary = parts_.vocabulary;
      const Merge merge{vocabulary.find(pair->first), vocabulary.find(pair->second),
                        vocabulary.find(pair->first + pair->second)};
      if (merge.left == kNoToken || merge.right == kNoToken || merge.merged == kNoToken) {
        return fail(number + " of " + shown_name(pair->first) + " and " + shown_name(pair->second) +
                    " needs a token that is not in the vocabulary");
      }
      const std::uint64_t key =
          static_cast<std::uint64_t>(merge.left) << 32 | static_cast<std::uint32_t>(merge.right);
      if (!seen.insert(key).second) return fail(number + " is there twice");
      parts_.merges.push_back(merge);
    }
    return true;
  }

  Tokenizer::Parts parts_;
  std::vector<std::string> by_id_;    // empty: no token yet
  std::vector<std::string> special_;  // in the order of the file
  std::string error_;
};

Error refused(const std::string& why) {
  return Error{"This tokenizer.json cannot be used: " + why + "."};
}

Error no_json(TextPlace wrong) {
  return refused("it is not valid JSON at line " + std::to_string(wrong.line) + ", column " +
                 std::to_string(wrong.column));
}

}  // namespace

Result<Tokenizer> Tokenizer::parse(std::string_view json) {
  if (json.size() > kMaxTokenizerFileBytes) {
    return refused("it has " + std::to_string(json.size()) + " bytes, more than the limit of " +
                   std::to_string(kMaxTokenizerFileBytes));
  }
  // The parser would take a zero byte for the end of the text.
  if (const std::size_t zero = json.find('\0'); zero != json.npos) {
    return no_json(place_in(json, zero + 1));
  }
  bool too_deep = false;
  const auto watch_depth = [&](int depth, Tree::parse_event_t, Tree&) {
    too_deep = too_deep || depth > kMaxDepth;
    return depth <= kMaxDepth;
  };
  const Tree file = Tree::parse(json, watch_depth, false);
  if (too_deep) return refused("its lists and objects are nested too deep");
  if (file.is_discarded()) {
    TextPlace wrong;
    parse_json(json,
               &wrong);  // once more, since a parser that watches the depth does not say where
    return no_json(wrong);
  }
  Reader reader;
  std::optional<Parts> parts = reader.read(file);
  if (!parts) return refused(reader.error());
  return Tokenizer(std::move(*parts));
}

}  // namespace tp

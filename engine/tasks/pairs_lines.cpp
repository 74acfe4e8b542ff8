#include "engine/tasks/pairs_lines.h"

#include "engine/core/utf8.h"
#include "engine/tasks/text_pieces.h"
#include "engine/text/hangul.h"
#include "engine/text/tokenizer_pieces.h"

namespace tp {
namespace {

constexpr std::size_t kLinesNamed = 2;

// What is wrong with a line, in both languages.
struct Fault {
  std::string_view english = {}, korean = {};
};

// Nothing where nothing is.
Fault fault(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (!is_valid_utf8(line)) return {"is not UTF-8 text", "UTF-8 글이 아님"};
  if (tab == std::string_view::npos) return {"has no tab", "탭이 없음"};
  if (line.find('\t', tab + 1) != std::string_view::npos)
    return {"has more than one tab", "탭이 여럿임"};
  for (std::string_view side : {line.substr(0, tab), line.substr(tab + 1)}) {
    if (trimmed(side).empty()) return {"has an empty side", "한쪽이 비어 있음"};
  }
  return {};
}

void name_fault(Error& faults, std::size_t number, const Fault& fault) {
  const std::string line = std::to_string(number), separator = faults.message.empty() ? "" : ", ";
  faults.message += separator + "line " + line + " " + std::string(fault.english);
  faults.korean += separator + line + "번째 줄: " + std::string(fault.korean);
}

Error named_faults(Error faults, std::size_t bad) {
  if (bad > kLinesNamed) {
    const std::string more = std::to_string(bad - kLinesNamed);
    faults.message += ", and " + more + " more are not right";
    faults.korean += ", 그 밖에 잘못된 줄: " + more + "개";
  }
  return Error{faults.message + ": write a source, one tab and its target on each line.",
               faults.korean + ". 한 줄에 원문, 탭 하나, 답을 적어 주십시오."};
}

}  // namespace

std::string pair_side(std::string_view text, TokenizerKind kind) {
  std::string composed = compose_hangul(trimmed(text));
  if (kind != TokenizerKind::kWord) return composed;
  std::string words;
  visit_pieces(kind, composed,
               [&](std::string_view word) { (words += words.empty() ? "" : " ") += word; });
  return words;
}

Result<std::vector<PairLine>> read_pair_lines(const TaskData& data, TokenizerKind kind) {
  constexpr std::size_t kLinesAtATime = 1000;  // between two words on how far it is
  std::vector<PairLine> pairs;
  Error faults;
  std::size_t bad = 0, number = 0;
  for (std::string_view line : split_lines(data.material)) {
    if (++number % kLinesAtATime == 0 && data.progress) {
      data.progress("reading lines", static_cast<double>(line.data() - data.material.data()) /
                                         static_cast<double>(data.material.size()));
    }
    if (trimmed(line).empty()) continue;
    if (const Fault wrong = fault(line); !wrong.english.empty()) {
      if (++bad <= kLinesNamed) name_fault(faults, number, wrong);
      continue;
    }
    const std::size_t tab = line.find('\t');
    pairs.push_back(
        {number, pair_side(line.substr(0, tab), kind), pair_side(line.substr(tab + 1), kind)});
  }
  if (bad > 0) return named_faults(faults, bad);
  return pairs;
}

}  // namespace tp

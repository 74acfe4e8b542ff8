#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "engine/inspect/explain_rules.h"

// The numbers of an explanation by name, their sum, and the equation as text.

namespace tp {

const ExplainedTerm* find_term(const Explanation& explanation, std::string_view name, int column) {
  const ExplainedTerm* first = nullptr;
  for (const ExplainedTerm& term : explanation.terms) {
    if (term.name != name) continue;
    if (column < 0 || term.column == column) return &term;
    if (first == nullptr) first = &term;
  }
  return first;
}

namespace {

const ExplainedConstant* find_constant(const Explanation& explanation, std::string_view name) {
  for (const ExplainedConstant& constant : explanation.constants) {
    if (constant.name == name) return &constant;
  }
  return nullptr;
}

constexpr int kPartials = 16;

float row_sum(const std::vector<float>& numbers, int first) {
  float partial[kPartials] = {};
  for (int j = 0; j < static_cast<int>(numbers.size()); ++j) {
    partial[(j - first % kPartials + kPartials) % kPartials] += numbers[j];
  }
  for (int width = kPartials / 2; width >= 1; width /= 2) {
    for (int i = 0; i < width; ++i) partial[i] += partial[i + width];
  }
  return partial[0];
}

}  // namespace

bool has_number(const Explanation& explanation, std::string_view name) {
  return find_term(explanation, name) != nullptr || find_constant(explanation, name) != nullptr;
}

double number_called(const Explanation& explanation, std::string_view name, int column) {
  // Of constants there are few, of terms there may be thousands.
  if (const ExplainedConstant* constant = find_constant(explanation, name)) return constant->value;
  const ExplainedTerm* term = find_term(explanation, name, column);
  return term != nullptr ? term->value : 0;
}

const ExplainedTerm* own_term(const Explanation& explanation) {
  const ExplainedConstant* label = find_constant(explanation, "label");
  return find_term(explanation, "x",
                   label != nullptr ? static_cast<int>(label->value) : explanation.column);
}

float sum_of(const Explanation& explanation,
             float (*term)(const Explanation& explanation, const ExplainedTerm& term)) {
  if (explanation.order == SumOrder::sixteen) {
    std::vector<float> numbers;
    for (const ExplainedTerm& t : explanation.terms) {
      if (t.name == "x") numbers.push_back(term(explanation, t));
    }
    return row_sum(numbers, static_cast<int>(number_called(explanation, "first")));
  }
  auto sum = static_cast<float>(number_called(explanation, "b"));
  for (const ExplainedTerm& t : explanation.terms) {
    if (t.name != "x") continue;
    sum = explanation.order == SumOrder::fused ? std::fma(t.value, t.factor, sum)
                                               : sum + term(explanation, t);
  }
  return sum;
}

// ------------------------------------------------------------------------------------------- text

namespace {

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// Calls number(name) for each {name} of a formula and puts what it gives there.
template <class Number>
std::string filled(std::string_view formula, const Number& number) {
  std::string text;
  while (!formula.empty()) {
    const std::size_t open = formula.find('{'), close = formula.find('}');
    text += formula.substr(0, open);
    if (open == formula.npos) break;
    text += number(formula.substr(open + 1, close - open - 1));
    formula.remove_prefix(close + 1);
  }
  return text;
}

std::string names_of(std::string_view formula, const ExplainRule& rule) {
  return filled(formula, [&](std::string_view name) -> std::string {
    if (name == "own") return "x";
    if (name == "sum") return "sum(" + names_of(rule.summand, rule) + ")";
    return std::string(name);
  });
}

std::string summand_text(const Explanation& e, const ExplainRule& rule, const ExplainedTerm& term) {
  return filled(rule.summand, [&](std::string_view name) {
    if (name == "x") return digits(term.value);
    if (name == "w") return digits(term.factor);
    return digits(number_called(e, name, term.column));
  });
}

// The largest terms, and the rest in one number.
std::string sum_text(const Explanation& e, const ExplainRule& rule) {
  constexpr std::size_t kShown = 4;
  struct Share {
    const ExplainedTerm* term;
    float value;
  };
  std::vector<Share> shares;
  for (const ExplainedTerm& term : e.terms) {
    if (term.name == "x") shares.push_back({&term, rule.term(e, term)});
  }
  const std::size_t shown = std::min(shares.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    for (std::size_t j = i + 1; j < shares.size(); ++j) {
      if (std::abs(shares[j].value) > std::abs(shares[i].value)) std::swap(shares[i], shares[j]);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : " + ") + summand_text(e, rule, *shares[i].term);
  }
  double others = 0;
  for (std::size_t i = shown; i < shares.size(); ++i) others += shares[i].value;
  if (shares.size() > shown) {
    text += " + (" + std::to_string(shares.size() - shown) + " more: " + digits(others) + ")";
  }
  return text;
}

}  // namespace

std::string equation_text(const Explanation& e, const ExplainRule& rule, std::string_view formula) {
  if (formula.empty()) return digits(e.value);
  const bool alone = formula == "{sum}" || formula == "{b} + {sum}";
  const std::string numbers = filled(formula, [&](std::string_view name) {
    if (name == "own") return digits(own_term(e)->value);
    if (name == "sum") return alone ? sum_text(e, rule) : "(" + sum_text(e, rule) + ")";
    return digits(number_called(e, name, e.column));
  });
  return names_of(formula, rule) + " = " + numbers + " = " + digits(e.value);
}

}  // namespace tp

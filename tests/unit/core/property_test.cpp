#include "engine/core/property.h"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace tp {
namespace {

enum class Norm { kPre, kPost };

struct Example {
  bool flag = false;
  int width = 64;
  double rate = 1e-3;
  Norm norm = Norm::kPre;
  std::string words = "a";
};

Properties table_of(Example& e) {
  return {toggle("flag", e.flag), integer("d_model", e.width, 2, 512, 2),
          real("learning_rate", e.rate, 1e-6, 10, true), choice("norm", e.norm, {"pre", "post"}),
          free_text("words", e.words, 8)};
}

ConstProperties table_of(const Example& e) { return read_only(e, table_of); }

template <class P>
concept Writable = requires(const P& p) {
  set_property(p, 1.0);
}
|| requires(const P& p) { set_property(p, "1"); }
|| requires(const P& p) { p.target; };
static_assert(Writable<Property>);
static_assert(!Writable<ConstProperty>);
static_assert(!std::is_constructible_v<Property, ConstProperty>, "there is no way back");
static_assert(std::is_convertible_v<const Property&, const ConstProperty&>);

PropertyProblem set(Example& e, std::string_view name, std::string_view text) {
  const Properties table = table_of(e);
  return set_property(*find_property(table, name), text);
}

TEST(Property, TextGoesInAndComesOut) {
  Example e;
  for (const auto& [name, text] : {std::pair{"flag", "true"},
                                   {"d_model", "128"},
                                   {"learning_rate", "0.25"},
                                   {"norm", "post"},
                                   {"words", "한글"}}) {
    EXPECT_EQ(set(e, name, text), PropertyProblem::kNone) << name;
    const Properties table = table_of(e);
    EXPECT_EQ(find_property(table, name)->text(), text);
  }
  EXPECT_TRUE(e.flag);
  EXPECT_EQ(e.width, 128);
  EXPECT_EQ(e.rate, 0.25);
  EXPECT_EQ(e.norm, Norm::kPost);
  EXPECT_EQ(e.words, "한글");
}

TEST(Property, WhatDoesNotFitChangesNothing) {
  struct Case {
    const char *name, *text;
    PropertyProblem problem;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"d_model", "banana", PropertyProblem::kNotANumber},
           {"d_model", "", PropertyProblem::kNotANumber},
           {"d_model", " 64", PropertyProblem::kNotANumber},
           {"d_model", "64px", PropertyProblem::kNotANumber},
           {"d_model", "0x40", PropertyProblem::kNotANumber},
           {"d_model", "1e999", PropertyProblem::kNotANumber},
           {"d_model", "inf", PropertyProblem::kNotANumber},
           {"d_model", "nan", PropertyProblem::kNotANumber},
           {"d_model", "6.5", PropertyProblem::kNotANumber},
           {"d_model", "514", PropertyProblem::kOutOfRange},
           {"d_model", "-2", PropertyProblem::kOutOfRange},
           {"d_model", "99999999999999999999", PropertyProblem::kOutOfRange},
           {"d_model", "63", PropertyProblem::kOutOfRange},
           {"learning_rate", "11", PropertyProblem::kOutOfRange},
           {"learning_rate", "0", PropertyProblem::kOutOfRange},
           {"norm", "middle", PropertyProblem::kNotAChoice},
           {"norm", "1", PropertyProblem::kNotAChoice},
           {"flag", "yes", PropertyProblem::kNotAChoice},
           {"words", "123456789", PropertyProblem::kNotPrintable},
           {"words", "a\tb", PropertyProblem::kNotPrintable},
           {"words", "\xC3(", PropertyProblem::kNotPrintable}}) {
    Example e, before;
    EXPECT_EQ(set(e, c.name, c.text), c.problem) << c.name << "=" << c.text;
    const Properties now = table_of(e), then = table_of(before);
    for (size_t i = 0; i < now.size(); ++i) EXPECT_EQ(now[i].text(), then[i].text()) << c.text;
  }
}

TEST(Property, IsFoundByBothSpellings) {
  Example e;
  const Properties table = table_of(e);
  EXPECT_EQ(find_property(table, "d-model"), find_property(table, "d_model"));
  ASSERT_NE(find_property(table, "d-model"), nullptr);
  EXPECT_EQ(dashed("learning_rate"), "learning-rate");
  for (const char* name : {"d_mode", "d_model_", "", "D_model"}) {
    EXPECT_EQ(find_property(table, name), nullptr) << name;
  }
}

TEST(Property, AConstObjectIsReadByTheSameTable) {
  Example e;
  const Example& seen = e;
  const Properties written = table_of(e);
  const ConstProperties read = table_of(seen);
  for (const auto& [name, text] : {std::pair{"flag", "true"},
                                   {"d_model", "128"},
                                   {"learning_rate", "0.25"},
                                   {"norm", "post"},
                                   {"words", "한글"}}) {
    ASSERT_EQ(set(e, name, text), PropertyProblem::kNone);
    EXPECT_EQ(find_property(read, name)->text(), text);  // bound to the object, not to a copy
  }
  ASSERT_EQ(read.size(), written.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, written[i].name);
    EXPECT_EQ(read[i].kind, written[i].kind);
    EXPECT_EQ(read[i].minimum, written[i].minimum);
    EXPECT_EQ(read[i].maximum, written[i].maximum);
    EXPECT_EQ(read[i].step, written[i].step);
    EXPECT_EQ(read[i].logarithmic, written[i].logarithmic);
    EXPECT_EQ(read[i].choices, written[i].choices);
    EXPECT_EQ(read[i].text(), written[i].text());
  }
  EXPECT_EQ(find_property(read, "d-model"), &read[1]);
  EXPECT_EQ(find_property(read, "d_mode"), nullptr);
}

TEST(Property, ANumberIsJudgedWithoutBeingSet) {
  const Example e;
  const ConstProperties table = table_of(e);
  const auto problem = [&](std::string_view name, double number) {
    return problem_of(*find_property(table, name), number);
  };
  EXPECT_EQ(problem("flag", 1), PropertyProblem::kNone);
  EXPECT_EQ(problem("flag", 2), PropertyProblem::kNotAChoice);
  EXPECT_EQ(problem("d_model", 128), PropertyProblem::kNone);
  EXPECT_EQ(problem("d_model", 63), PropertyProblem::kOutOfRange);
  EXPECT_EQ(problem("d_model", 6.5), PropertyProblem::kNotANumber);
  EXPECT_EQ(problem("learning_rate", NAN), PropertyProblem::kNotANumber);
  EXPECT_EQ(problem("learning_rate", 11), PropertyProblem::kOutOfRange);
  EXPECT_EQ(problem("norm", 1), PropertyProblem::kNone);
  EXPECT_EQ(problem("norm", 2), PropertyProblem::kOutOfRange);
}

TEST(Property, NumbersAreWrittenShort) {
  Example e;
  const Properties table = table_of(e);
  const Property& rate = *find_property(table, "learning_rate");
  for (const double value : {1e-5, 0.1, 2e-3, 1.0, 3.25}) {
    EXPECT_EQ(set_property(rate, value), PropertyProblem::kNone);
    Example other;
    EXPECT_EQ(set(other, "learning_rate", rate.text()), PropertyProblem::kNone);
    EXPECT_EQ(other.rate, value) << rate.text();
    EXPECT_LE(rate.text().size(), 5u);
  }
}

}  // namespace
}  // namespace tp

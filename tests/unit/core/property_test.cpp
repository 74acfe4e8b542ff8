#include "engine/core/property.h"

#include <gtest/gtest.h>

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

#include "generator/ir/print_names.h"

#include <gtest/gtest.h>

#include "generator/ir/context.h"

namespace lathe::ir {
namespace {

TEST(PrintNames, MakesHintsIdentifiers) {
  EXPECT_EQ(ToIdentifier("onnx::Conv_12"), "onnx__Conv_12");
  EXPECT_EQ(ToIdentifier("3x3"), "_3x3");
  EXPECT_EQ(ToIdentifier(""), "v");
  EXPECT_EQ(ToIdentifier("gr\xc3\xb6\xc3\x9f"
                         "e"),
            "gr\xc3\xb6\xc3\x9f"
            "e");
  EXPECT_EQ(ToIdentifier("a\xe2\x86\x92"), "a_");  // an arrow
  EXPECT_EQ(ToIdentifier("\xff\xc3"), "__");       // not UTF-8
}

TEST(PrintNames, GivesEachVariableAUniqueName) {
  Context context;
  const PrimRef a = context.NewVar("n");
  const PrimRef b = context.NewVar("n");
  PrintNames names;
  EXPECT_EQ(names.Of(ValueId{0}, "n"), "n");
  EXPECT_FALSE(names.Has(a));
  EXPECT_EQ(names.Of(b), "n_1");
  EXPECT_EQ(names.Of(a), "n_2");
  EXPECT_EQ(names.Of(b), "n_1");
  EXPECT_TRUE(names.Has(a));
}

TEST(PrintNames, AvoidsReservedNames) {
  PrintNames names;
  names.Reserve("Module");
  for (const char* taken : {"lambda", "R", "T", "I", "cls", "Module", "range", "None"}) {
    EXPECT_EQ(names.Fresh(taken), std::string(taken) + "_1");
  }
  EXPECT_EQ(names.Fresh("input"), "input");
}

TEST(PrintNames, SkipsTakenSuffixes) {
  PrintNames names;
  EXPECT_EQ(names.Fresh("x_1"), "x_1");
  EXPECT_EQ(names.Fresh("x"), "x");
  EXPECT_EQ(names.Fresh("x"), "x_2");
}

TEST(PrintNames, ForgetsNamesOfEndedScopes) {
  Context context;
  const PrimRef outer = context.NewVar("i");
  const PrimRef first = context.NewVar("i");
  const PrimRef second = context.NewVar("i");
  PrintNames names;
  EXPECT_EQ(names.Of(outer), "i");
  {
    const PrintNames::Scope scope(names);
    EXPECT_EQ(names.Of(first), "i_1");
  }
  EXPECT_FALSE(names.Has(first));
  EXPECT_EQ(names.Of(second), "i_1");
  EXPECT_EQ(names.Of(outer), "i");
}

}  // namespace
}  // namespace lathe::ir

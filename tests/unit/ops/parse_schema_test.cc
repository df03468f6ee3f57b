#include "generator/ops/parse_schema.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::ops {
namespace {

TEST(ParseSchema, ReadsArgumentsAndAttributes) {
  const absl::StatusOr<Schema> schema =
      ParseSchema("x, w?; axis@1: int = -1, out: dtype?, p@0: pads[4] = 0, l: str = out -> list");
  ASSERT_TRUE(schema.ok()) << schema.status();
  EXPECT_EQ(schema->sinfo_args, ir::SInfoArgs::kList);
  ASSERT_EQ(schema->params.size(), 6u);
  const auto& p = schema->params;
  EXPECT_EQ(p[0].name, "x");
  EXPECT_FALSE(p[0].attr || p[0].optional);
  EXPECT_TRUE(p[1].optional);
  EXPECT_EQ(p[1].position, 1);
  EXPECT_TRUE(p[2].attr && p[2].has_default && p[2].optional);
  EXPECT_EQ(p[2].position, 1);
  EXPECT_EQ(*p[2].default_value.As<int64_t>(), -1);
  EXPECT_EQ(p[3].kind, ir::ParamKind::kDType);
  EXPECT_EQ(p[3].position, 2);
  EXPECT_FALSE(p[3].has_default);
  EXPECT_TRUE(p[4].pads);
  EXPECT_EQ(p[4].default_value.As<ir::AttrList>()->size(), 4u);
  EXPECT_EQ(p[5].default_from, "out");
}

TEST(ParseSchema, ParametersAfterVariadicAreKeywordOnly) {
  const absl::StatusOr<Schema> schema = ParseSchema("*values@1, format@0: str = ''");
  ASSERT_TRUE(schema.ok()) << schema.status();
  EXPECT_TRUE(schema->params[0].variadic);
  EXPECT_EQ(schema->params[0].position, 1);
  EXPECT_TRUE(schema->params[1].keyword_only);
  EXPECT_EQ(*schema->params[1].default_value.As<std::string>(), "");
}

TEST(ParseSchema, RejectsUnknownSchemas) {
  for (const char* bad : {"x: thing", "x y", "x@2, y", "x@0, y@0", "x -> in", "d: dtype = 'f'",
                          "x: ints[] = 1", "*"}) {
    EXPECT_FALSE(ParseSchema(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace lathe::ops

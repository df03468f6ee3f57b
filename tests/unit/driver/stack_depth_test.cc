// Stack depths along calls, on small texts.
#include "generator/driver/stack_depth.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

using testing::ElementsAre;

constexpr char kSource[] = R"(/* net.c (net_run) */
static inline float lathe_helper_(float v) { return sqrtf(v); }

/* calls nothing: net_b(x) */
static void net_a(const float *x) {
  for (int i = 0; i < 3; ++i) {
    x[i] = expf(x[i]);
  }
}

static void net_b(void);

static void net_b(const float *x,
    float *y) {
  net_a(x);
  if (lathe_helper_(1.0f) > 0.0f) {
    net_a(y);
  }
}

int net_run(net *m) {
  net_a(0);
  net_b(0, 0);
  return LATHE_OK;
}
)";

StackDepth Depth(absl::string_view usage, absl::string_view source = kSource) {
  std::map<std::string, FunctionStack> functions;
  ReadStackUsage(usage, functions);
  std::map<std::string, std::set<std::string>> calls;
  ReadCalls(source, calls);
  return FindStackDepth(functions, calls, {"net_run"});
}

TEST(StackDepthTest, ReadsCallsOfGeneratedCode) {
  std::map<std::string, std::set<std::string>> calls;
  ReadCalls(kSource, calls);
  EXPECT_THAT(calls["net_run"], ElementsAre("net_a", "net_b"));
  EXPECT_THAT(calls["net_b"], ElementsAre("lathe_helper_", "net_a"));
  EXPECT_THAT(calls["net_a"], ElementsAre("expf"));
  EXPECT_THAT(calls["lathe_helper_"], ElementsAre("sqrtf"));
}

TEST(StackDepthTest, AddsUpAlongTheDeepestCalls) {
  const StackDepth depth = Depth(
      "net.c:5:13:net_a\t100\tstatic\nnet.c:13:13:net_b\t16\tstatic\nnet.c:20:5:net_"
      "run\t8\tstatic\n");
  EXPECT_EQ(depth.bytes, 124);
  EXPECT_THAT(depth.path, ElementsAre("net_run", "net_b", "net_a"));
  EXPECT_THAT(depth.unmeasured, ElementsAre("expf", "sqrtf"));
}

// net_b stands in net_run, where the compiler put it.
TEST(StackDepthTest, LooksThroughFunctionsWithoutAFrame) {
  const StackDepth depth =
      Depth("net.c:5:13:net_a\t100\tstatic\nnet.c:20:5:net_run\t32\tdynamic,bounded\n");
  EXPECT_EQ(depth.bytes, 132);
}

TEST(StackDepthTest, RecursionHasNoBound) {
  const StackDepth depth = Depth("a.c:1:1:net_run\t8\tstatic\na.c:1:1:net_body\t16\tstatic\n",
                                 "int net_body(void) {\n  return net_body();\n}\n"
                                 "int net_run(void) {\n  return net_body();\n}\n");
  EXPECT_FALSE(depth.bytes.has_value());
  EXPECT_EQ(depth.path.front(), "net_run");
}

TEST(StackDepthTest, WhatGrowsHasNoBound) {
  EXPECT_FALSE(Depth("net.c:5:13:net_a\t100\tdynamic\nnet.c:20:5:net_run\t8\tstatic\n").bytes);
}

}  // namespace
}  // namespace lathe::driver

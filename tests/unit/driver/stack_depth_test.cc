// Tests stack depths along calls, on small call graphs.
#include "generator/driver/stack_depth.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What GCC writes for net_run > net_b > net_a > expf, net_a twice.
constexpr char kGraph[] = R"ci(graph: { title: "net.c"
node: { title: "net.c:net_a" label: "net_a\nnet.c:5:13\n100 bytes (static)" }
node: { title: "expf" label: "expf\n/usr/include/math.h:361:14" shape : ellipse }
edge: { sourcename: "net.c:net_a" targetname: "expf" label: "net.c:7:12" }
node: { title: "net.c:net_b.constprop.0" label: "net_b.constprop\nnet.c:13:13\n16 bytes (static)" }
edge: { sourcename: "net.c:net_b.constprop.0" targetname: "net.c:net_a" label: "net.c:15:3" }
node: { title: "net_run" label: "net_run\nnet.c:22:5\n8 bytes (dynamic,bounded)" }
edge: { sourcename: "net_run" targetname: "net.c:net_a" label: "net.c:23:3" }
edge: { sourcename: "net_run" targetname: "net.c:net_b.constprop.0" label: "net.c:24:3" }
}
)ci";

StackGraph Read(const std::string& text) {
  StackGraph graph;
  ReadCallGraph(text, graph);
  return graph;
}
StackGraph Measured() {
  StackGraph graph = Read(kGraph);
  graph["expf"].bytes = 40;
  return graph;
}

TEST(StackDepthTest, AddsUpAlongTheDeepestCalls) {
  const StackDepth depth = FindStackDepth(Measured(), {"net_run"});
  EXPECT_EQ(depth.bytes, 164);
  EXPECT_EQ(depth.known, 164);
  EXPECT_THAT(depth.path, ElementsAre("net_run", "net_b.constprop.0", "net_a", "expf"));
  EXPECT_THAT(depth.unbounded, IsEmpty());
}

TEST(StackDepthTest, TheDeepestEntryCounts) {
  StackGraph graph = Measured();
  graph["net_init"].bytes = 500;
  EXPECT_EQ(FindStackDepth(graph, {"net_init", "net_run"}).bytes, 500);
  EXPECT_THAT(FindStackDepth(graph, {"net_run", "net_init"}).path, ElementsAre("net_init"));
}

TEST(StackDepthTest, UnmeasuredFunctionsHaveNoBound) {
  const StackDepth depth = FindStackDepth(Read(kGraph), {"net_run"});
  EXPECT_FALSE(depth.bytes.has_value());
  EXPECT_EQ(depth.known, 124);
  EXPECT_THAT(depth.unbounded, ElementsAre("expf is not measured"));
  EXPECT_THAT(UnknownCallees(Read(kGraph), {"net_run"}), ElementsAre("expf"));
  EXPECT_THAT(UnknownCallees(Measured(), {"net_run"}), IsEmpty());
}

TEST(StackDepthTest, UnknownCalleeHasNoBound) {
  StackGraph graph = Measured();
  graph["net.c:net_a"].callees.insert("__gnu_thumb1_case_uqi");
  EXPECT_THAT(FindStackDepth(graph, {"net_run"}).unbounded,
              ElementsAre("__gnu_thumb1_case_uqi is not measured"));
  EXPECT_THAT(UnknownCallees(graph, {"net_run"}), ElementsAre("__gnu_thumb1_case_uqi"));
}

TEST(StackDepthTest, MissingEntryHasNoBound) {
  const StackDepth depth = FindStackDepth(Measured(), {"net_run", "net_predict"});
  EXPECT_FALSE(depth.bytes.has_value());
  EXPECT_THAT(depth.unbounded, ElementsAre("net_predict is not in the compiled code"));
  EXPECT_FALSE(FindStackDepth({}, {"net_run"}).bytes.has_value());
}

TEST(StackDepthTest, UncalledFunctionsDoNotCount) {
  StackGraph graph = Measured();
  graph["net_other"].callees = {"net_other", "unknown"};
  EXPECT_EQ(FindStackDepth(graph, {"net_run"}).bytes, 164);
}

TEST(StackDepthTest, RecursionHasNoBound) {
  StackGraph graph = Measured();
  graph["net.c:net_a"].callees.insert("net.c:net_b.constprop.0");
  StackDepth depth = FindStackDepth(graph, {"net_run"});
  EXPECT_FALSE(depth.bytes.has_value());
  EXPECT_THAT(depth.unbounded, ::testing::Contains(::testing::HasSubstr("calls itself")));
  graph = Measured();
  graph["net_run"].callees.insert("net_run");
  depth = FindStackDepth(graph, {"net_run"});
  EXPECT_THAT(depth.unbounded, ElementsAre("net_run calls itself"));
}

TEST(StackDepthTest, PointersAndGrowingFramesHaveNoBound) {
  const std::string edges = R"ci(node: { title: "f" label: "f\na.c:1:1\n8 bytes (dynamic)" }
node: { title: "g" label: "g\na.c:2:1\n8 bytes (static)" }
edge: { sourcename: "g" targetname: "f" label: "a.c:3:1" }
node: { title: "__indirect_call" label: "Indirect Call Placeholder" shape : ellipse }
edge: { sourcename: "g" targetname: "__indirect_call" label: "a.c:4:1" }
)ci";
  EXPECT_THAT(FindStackDepth(Read(edges), {"g"}).unbounded,
              ElementsAre("f has a frame of dynamic size", "g calls through a pointer"));
}

TEST(StackDepthTest, LongCallChains) {
  StackGraph graph;
  for (int i = 0; i < 200'000; ++i) {
    graph["f" + std::to_string(i)] = {1, "", false, false, {"f" + std::to_string(i + 1)}};
  }
  graph["f200000"].bytes = 1;
  EXPECT_EQ(FindStackDepth(graph, {"f0"}).bytes, 200'001);
}

TEST(StackDepthTest, ReadsStackUsage) {
  StackGraph graph;
  ReadStackUsage("net.c:5:13:net_a\t100\tstatic\nnet.c:9:5:net_run\t8\tdynamic\n\nwrong\n", "net.c",
                 {"net_a"}, graph);
  EXPECT_EQ(graph.at("net.c:net_a").bytes, 100);
  EXPECT_FALSE(graph.at("net.c:net_a").grows);
  EXPECT_TRUE(graph.at("net_run").grows);
  EXPECT_EQ(graph.size(), 2u);
}

}  // namespace
}  // namespace lathe::driver

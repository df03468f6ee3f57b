#include "generator/plan/spill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/target/target.h"
#include "tests/support/matchers.h"

namespace lathe::plan {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class SpillTest : public ::testing::Test {
 protected:
  ir::TensorId Tensor(const char* name, int64_t elements, ir::Home home = ir::Home::kArena) {
    return program_.tensors.Add(
        {name, ir::DType::Float(32), {context_.Int(elements)}, home, {}, {}});
  }
  static ir::Step Copy(ir::TensorId from, ir::TensorId to) { return {ir::CopyStep{from, to}, {}}; }
  ir::RoutineId Routine(ir::Steps steps, bool exported = true) {
    ir::Routine routine;
    routine.name = exported ? "main" : "inner";
    routine.exported = exported;
    routine.steps = std::move(steps);
    return program_.routines.Add(std::move(routine));
  }
  // x -> a -> b -> c -> y, and a once more at the end: it is used three times and lives longest.
  void Chain() {
    const ir::TensorId x = Tensor("x", 64, ir::Home::kInput),
                       y = Tensor("y", 64, ir::Home::kOutput);
    a_ = Tensor("a", 64);
    b_ = Tensor("b", 64);
    c_ = Tensor("c", 64);
    Routine({Copy(x, a_), Copy(a_, b_), Copy(b_, c_), Copy(a_, c_), Copy(c_, y)});
  }
  PoolOf Spilled(const std::vector<Pool>& pools) {
    const auto pool_of = TryToSpill(pools);
    EXPECT_THAT(pool_of.status(), IsOk());
    return pool_of.ok() ? *pool_of : PoolOf();
  }
  absl::StatusOr<PoolOf> TryToSpill(const std::vector<Pool>& pools) const {
    std::vector<int64_t> room;
    for (const Pool& pool : pools) room.push_back(pool.size);
    return Spill(program_, pools, room, 16, nullptr);
  }

  ir::Context context_;
  ir::Program program_;
  ir::TensorId a_, b_, c_;
};

TEST_F(SpillTest, KeepsAllInTheFirstPoolThatHoldsIt) {
  Chain();
  EXPECT_TRUE(Spilled({{"fast", 768}, {"slow", 768}}).empty());
}

TEST_F(SpillTest, MovesTheLeastUsedTensor) {
  Chain();
  EXPECT_THAT(Spilled({{"fast", 512}, {"slow", 768}}), UnorderedElementsAre(Pair(b_, 1u)));
}

TEST_F(SpillTest, SkipsPoolsThatAreTooSmall) {
  Chain();
  EXPECT_THAT(Spilled({{"fast", 16}, {"slow", 512}, {"slower", 256}}),
              UnorderedElementsAre(Pair(a_, 1u), Pair(b_, 2u), Pair(c_, 1u)));
}

TEST_F(SpillTest, KeepsExplicitPlacements) {
  Chain();
  program_.tensors[b_].scope = "fast";
  program_.tensors[c_].scope = "slow";
  EXPECT_THAT(Spilled({{"fast", 256}, {"slow", 512}}),
              UnorderedElementsAre(Pair(a_, 1u), Pair(b_, 0u), Pair(c_, 1u)));
}

TEST_F(SpillTest, ReportsTooLargeTensors) {
  Chain();
  const auto pool_of = TryToSpill({{"fast", 256}, {"slow", 256}});
  EXPECT_TRUE(absl::IsResourceExhausted(pool_of.status()));
  EXPECT_THAT(std::string(pool_of.status().message()),
              HasSubstr("pool 'slow' of 256 bytes would have to hold 512 at step 1 of main"));
  EXPECT_THAT(std::string(pool_of.status().message()), HasSubstr("--pool NAME:SIZE"));
}

TEST_F(SpillTest, PutsReentrantRoutinesInTheLastPool) {
  const ir::TensorId x = Tensor("x", 4, ir::Home::kInput), inner = Tensor("inner", 4);
  a_ = Tensor("a", 4);
  const ir::RoutineId id = Routine({Copy(x, inner)}, false);
  program_.routines[id].recursive = true;
  Routine({Copy(x, a_), {ir::CallStep{id, {}, {}, {}}, {}}, Copy(a_, a_)});
  EXPECT_THAT(Spilled({{"fast", 1024}, {"slow", 1024}}), UnorderedElementsAre(Pair(inner, 1u)));
}

TEST_F(SpillTest, MovesTensorsForCallees) {
  const ir::TensorId x = Tensor("x", 64, ir::Home::kInput), inner = Tensor("inner", 64);
  a_ = Tensor("a", 64);
  const ir::RoutineId id = Routine({Copy(x, inner)}, false);
  Routine({Copy(x, a_), {ir::CallStep{id, {}, {}, {}}, {}}, Copy(a_, a_)});
  EXPECT_THAT(Spilled({{"fast", 256}, {"slow", 256}}), UnorderedElementsAre(Pair(inner, 1u)));
}

TEST_F(SpillTest, PlansKeepToTheirPools) {
  Chain();
  const std::vector<Pool> pools = {{"fast", 256}, {"slow", 768}};
  const auto plan = PlanInPools(program_, *FindTarget("generic-c99"), pools);
  ASSERT_THAT(plan.status(), IsOk());
  ASSERT_EQ(plan->pools.size(), 2u);
  EXPECT_EQ(plan->pools[0].size, 256);
  EXPECT_EQ(plan->pools[1].size, 512);
  EXPECT_EQ(plan->arena_size, 768);
  EXPECT_EQ(plan->frames[ir::RoutineId{0}].place_of.at(a_).pool +
                plan->frames[ir::RoutineId{0}].place_of.at(b_).pool +
                plan->frames[ir::RoutineId{0}].place_of.at(c_).pool,
            2u);
}

}  // namespace
}  // namespace lathe::plan

#include "generator/plan/lifetimes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/ir/context.h"

namespace lathe::plan {
namespace {

class LifetimesTest : public ::testing::Test {
 protected:
  ir::TensorId Tensor(const char* name, ir::Home home) {
    return program_.tensors.Add({name, ir::DType::Float(32), {context_.Int(4)}, home, {}, {}});
  }

  ir::Context context_;
  ir::Program program_;
  const ir::TensorId x_ = Tensor("x", ir::Home::kInput), y_ = Tensor("y", ir::Home::kOutput),
                     a_ = Tensor("a", ir::Home::kArena);
};

TEST_F(LifetimesTest, TensorLivesFromWriteToLastRead) {
  ir::Routine routine;
  routine.steps = {{ir::CopyStep{x_, y_}, {}},
                   {ir::CopyStep{x_, a_}, {}},
                   {ir::CopyStep{x_, y_}, {}},
                   {ir::CopyStep{a_, y_}, {}},
                   {ir::CopyStep{x_, y_}, {}}};
  const std::vector<Life> lives = Lifetimes(program_, routine);
  ASSERT_EQ(lives.size(), 1);
  EXPECT_EQ(lives[0].tensor, a_);
  EXPECT_EQ(lives[0].first, 1);
  EXPECT_EQ(lives[0].last, 3);
}

TEST_F(LifetimesTest, LoopCarriedTensorLivesInAllSteps) {
  ir::Routine routine;
  routine.carried = {a_};
  routine.steps = {{ir::CopyStep{x_, y_}, {}}, {ir::CopyStep{x_, y_}, {}}};
  const std::vector<Life> lives = Lifetimes(program_, routine);
  ASSERT_EQ(lives.size(), 1);
  EXPECT_EQ(lives[0].first, 0);
  EXPECT_EQ(lives[0].last, 1);
}

}  // namespace
}  // namespace lathe::plan

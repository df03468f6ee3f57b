#include "generator/ir/lifetimes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/ir/context.h"

namespace lathe::ir {
namespace {

class LifetimesTest : public ::testing::Test {
 protected:
  TensorId Tensor(const char* name, Home home) {
    return program_.tensors.Add({name, DType::Float(32), {context_.Int(4)}, home, {}, {}});
  }

  Context context_;
  Program program_;
  const TensorId x_ = Tensor("x", Home::kInput), y_ = Tensor("y", Home::kOutput),
                 a_ = Tensor("a", Home::kArena);
};

TEST_F(LifetimesTest, TensorLivesFromWriteToLastRead) {
  Routine routine;
  routine.steps = {{CopyStep{x_, y_}, {}},
                   {CopyStep{x_, a_}, {}},
                   {CopyStep{x_, y_}, {}},
                   {CopyStep{a_, y_}, {}},
                   {CopyStep{x_, y_}, {}}};
  const std::vector<Life> lives = Lifetimes(program_, routine);
  ASSERT_EQ(lives.size(), 1);
  EXPECT_EQ(lives[0].tensor, a_);
  EXPECT_EQ(lives[0].first, 1);
  EXPECT_EQ(lives[0].last, 3);
}

TEST_F(LifetimesTest, LoopCarriedTensorLivesInAllSteps) {
  Routine routine;
  routine.carried = {a_};
  routine.steps = {{CopyStep{x_, y_}, {}}, {CopyStep{x_, y_}, {}}};
  const std::vector<Life> lives = Lifetimes(program_, routine);
  ASSERT_EQ(lives.size(), 1);
  EXPECT_EQ(lives[0].first, 0);
  EXPECT_EQ(lives[0].last, 1);
}

}  // namespace
}  // namespace lathe::ir

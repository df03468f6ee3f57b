// Tests the order in which layers are quantized to fit a memory.
#include "generator/driver/order_moves.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

std::string Ordered(const std::vector<PrecisionMove>& moves, bool by_loss) {
  std::string out;
  for (const PrecisionMove& move : OrderMoves(moves, by_loss)) {
    absl::StrAppend(&out, move.layer, ":", move.bits, " ");
  }
  return out;
}

TEST(OrderMovesTest, TheLeastLossPerSavedByteIsFirst) {
  const std::vector<PrecisionMove> moves = {{0, 8, 4, 100}, {1, 8, 1, 10}, {2, 8, 3, 300}};
  EXPECT_EQ(Ordered(moves, false), "2:8 0:8 1:8 ");
  EXPECT_EQ(Ordered(moves, true), "1:8 2:8 0:8 ");
}

TEST(OrderMovesTest, WhatSavesNothingIsLast) {
  const std::vector<PrecisionMove> moves = {{0, 8, 0.5, 0}, {1, 8, 100, 1}, {2, 8, 0.25, 0}};
  EXPECT_EQ(Ordered(moves, false), "1:8 2:8 0:8 ");
}

// Fewer bits never precede more bits, even if they seem to cost nothing.
TEST(OrderMovesTest, FewerBitsFollowMoreBits) {
  const std::vector<PrecisionMove> moves = {{0, 8, 5, 10}, {0, 4, 0, 5}, {1, 8, 1, 10}};
  EXPECT_EQ(Ordered(moves, false), "0:8 1:8 0:4 ");
}

}  // namespace
}  // namespace lathe::driver

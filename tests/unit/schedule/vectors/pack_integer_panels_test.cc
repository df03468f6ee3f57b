// Tests the order of packed integers and of their scales.
#include "generator/schedule/vectors/pack_integer_panels.h"

#include <cstring>
#include <memory>
#include <vector>

#include "generator/interp/data/tensor.h"
#include "gtest/gtest.h"

namespace lathe::schedule {
namespace {

ir::Constant Integers(ir::DType dtype, std::vector<int64_t> shape,
                      const std::vector<int64_t>& values) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    interp::WriteElement(bytes->data(), dtype, i, interp::FromInt64(dtype, values[i]));
  }
  return {dtype, std::move(shape), std::move(bytes)};
}

std::vector<int64_t> ValuesOf(const ir::Constant& constant) {
  int64_t count = 1;
  for (const int64_t size : constant.shape) count *= size;
  std::vector<int64_t> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<int64_t>(
        interp::ReadElement(constant.bytes->data(), constant.dtype, static_cast<uint64_t>(i))));
  }
  return values;
}

// Two rows of six columns: the second panel has two columns and two of zeros.
const PanelSource kRows = {0, 6, 1, {2}, {6}};
const std::vector<int64_t> kValues = {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6};

TEST(PackIntegerPanelsTest, BytesAreInTheOrderOfColumns) {
  const ir::Constant packed =
      PackIntegerPanels(Integers(ir::DType::Int(8), {2, 6}, kValues), kRows, 4);
  EXPECT_EQ(packed.shape, (std::vector<int64_t>{2, 2, 4}));
  EXPECT_EQ(ValuesOf(packed),
            (std::vector<int64_t>{1, 2, 3, 4, -1, -2, -3, -4, 5, 6, 0, 0, -5, -6, 0, 0}));
}

TEST(PackIntegerPanelsTest, HalvesOfColumnsShareBytes) {
  const ir::Constant packed =
      PackIntegerPanels(Integers(ir::DType::Int(4), {2, 6}, kValues), kRows, 4);
  EXPECT_EQ(packed.shape, (std::vector<int64_t>{2, 2, 2, 2}));
  // Columns 0 and 2 share a byte, then 1 and 3.
  EXPECT_EQ(ValuesOf(packed),
            (std::vector<int64_t>{1, 3, 2, 4, -1, -3, -2, -4, 5, 0, 6, 0, -5, 0, -6, 0}));
  EXPECT_EQ((*packed.bytes)[0], 0x31);
}

TEST(PackIntegerPanelsTest, ColumnsMayBeApart) {
  const PanelSource transposed = {0, 2, 6, {6}, {1}};
  const ir::Constant packed =
      PackIntegerPanels(Integers(ir::DType::Int(4), {2, 6}, kValues), transposed, 2);
  EXPECT_EQ(ValuesOf(packed), (std::vector<int64_t>{1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6}));
}

TEST(PackIntegerPanelsTest, BlocksAreRunsOfOneScale) {
  EXPECT_EQ(ScaleBlockOf({7, 7, 7, 7}, 4), 4);
  EXPECT_EQ(ScaleBlockOf({0, 0, 0, 1, 1, 1, 2}, 7), 3);
  // Runs of 4 and 2 have blocks of 2, and so does a loop of 6 steps around them.
  EXPECT_EQ(ScaleBlockOf({0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3}, 6), 2);
  EXPECT_EQ(ScaleBlockOf({0, 1, 2}, 3), 1);
  EXPECT_EQ(ScaleBlockOf({5}, 1), 1);
}

TEST(PackIntegerPanelsTest, ScalesFollowTheirPanels) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  auto bytes = std::make_shared<std::vector<uint8_t>>(values.size() * sizeof(float));
  std::memcpy(bytes->data(), values.data(), bytes->size());
  const ir::Constant scales = {ir::DType::Float(32), {2, 3}, std::move(bytes)};
  const ir::Constant packed = PackScalePanels(scales, {{0, 0, 3, 3, 3}, 1, 3}, 2, 2);
  EXPECT_EQ(packed.shape, (std::vector<int64_t>{2, 3, 2}));
  std::vector<float> got(12);
  std::memcpy(got.data(), packed.bytes->data(), packed.bytes->size());
  EXPECT_EQ(got, (std::vector<float>{1, 2, 4, 5, 4, 5, 3, 0, 6, 0, 6, 0}));
}

}  // namespace
}  // namespace lathe::schedule

// Tests how the C runtime keeps values: copies at the end of an arena, until it is full.
#include "runtime-c/value.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "runtime-c/value.c"

namespace lathe {
namespace {

class KeepTest : public ::testing::Test {
 protected:
  // How far from the arena's start it is.
  size_t At(const void* pointer) const {
    return static_cast<size_t>(static_cast<const uint8_t*>(pointer) - arena_);
  }

  alignas(64) uint8_t arena_[512] = {};
  lathe_region region_ = lathe_region_of(arena_, sizeof arena_);
};

TEST_F(KeepTest, ATensorIsCopiedWithItsSizes) {
  float data[] = {1, 2, 3, 4, 5, 6};
  int64_t shape[] = {2, 3};
  lathe_value value = lathe_from_tensor(data, LATHE_DT_FLOAT, 32, shape, 2);
  ASSERT_EQ(lathe_keep(&region_, arena_, &value), LATHE_OK);
  data[0] = 9;
  shape[0] = 7;
  const lathe_tensor& kept = value.as.tensor;
  EXPECT_EQ(kept.shape[0], 2);
  EXPECT_EQ(kept.shape[1], 3);
  EXPECT_EQ(static_cast<const float*>(kept.data)[0], 1);
  EXPECT_EQ(static_cast<const float*>(kept.data)[5], 6);
  EXPECT_EQ(At(kept.data) % 16, 0u);
  EXPECT_EQ(lathe_room(&region_, arena_), region_.begin);
  EXPECT_EQ(lathe_room(&region_, arena_ + 100), region_.begin - 100);
}

TEST_F(KeepTest, KeptValuesAreNotCopiedAgain) {
  const float data[] = {1, 2};
  const int64_t shape[] = {2};
  lathe_value fields[] = {lathe_from_tensor(data, LATHE_DT_FLOAT, 32, shape, 1),
                          lathe_from_int(7, LATHE_DT_INT, 64)};
  ASSERT_EQ(lathe_keep(&region_, arena_, &fields[0]), LATHE_OK);
  lathe_value tuple = lathe_from_tuple(fields, 2);
  ASSERT_EQ(lathe_keep(&region_, arena_, &tuple), LATHE_OK);
  const size_t begin = region_.begin;
  lathe_value first = tuple.as.tuple.fields[0];
  ASSERT_EQ(lathe_keep(&region_, arena_, &first), LATHE_OK);
  ASSERT_EQ(lathe_keep(&region_, arena_, &tuple), LATHE_OK);
  EXPECT_EQ(region_.begin, begin);
  EXPECT_EQ(first.as.tensor.data, fields[0].as.tensor.data);
  const lathe_value* parts = nullptr;
  EXPECT_EQ(lathe_take_tuple(&tuple, &parts, 3), LATHE_E_SHAPE);
  ASSERT_EQ(lathe_take_tuple(&tuple, &parts, 2), LATHE_OK);
  int64_t number = 0;
  EXPECT_EQ(lathe_take_int(&parts[1], LATHE_DT_INT, 32, &number), LATHE_E_SHAPE);
  ASSERT_EQ(lathe_take_int(&parts[1], LATHE_DT_INT, 64, &number), LATHE_OK);
  EXPECT_EQ(number, 7);
}

TEST_F(KeepTest, KeptValuesStayAboveTheFloor) {
  const uint8_t data[64] = {1};
  for (size_t floor : {0u, 1u, 15u, 16u, 100u, 300u, 511u, 512u}) {
    region_ = lathe_region_of(arena_, sizeof arena_);
    std::memset(arena_, 0x55, sizeof arena_);
    int status = LATHE_OK;
    for (int i = 0; i < 100 && status == LATHE_OK; ++i) {
      const int64_t shape[] = {1 + i % 64};
      lathe_value value = lathe_from_tensor(data, LATHE_DT_UINT, 8, shape, 1);
      status = lathe_keep(&region_, arena_ + floor, &value);
      EXPECT_GE(region_.begin, floor);
      EXPECT_TRUE(status != LATHE_OK || At(value.as.tensor.data) >= floor);
    }
    EXPECT_EQ(status, LATHE_E_MEMORY);
    for (size_t i = 0; i < floor; ++i) ASSERT_EQ(arena_[i], 0x55);
  }
}

TEST_F(KeepTest, EmptyTensorKeepsOnlyItsSizes) {
  const int64_t shape[] = {3, 0};
  lathe_value value = lathe_from_tensor(nullptr, LATHE_DT_FLOAT, 32, shape, 2);
  ASSERT_EQ(lathe_keep(&region_, arena_, &value), LATHE_OK);
  EXPECT_EQ(region_.begin, sizeof arena_ - sizeof shape);
  EXPECT_EQ(lathe_check_tensor(&value, LATHE_DT_FLOAT, 32, 2), LATHE_OK);
}

TEST_F(KeepTest, RankIsCheckedForEveryDType) {
  const int64_t shape[] = {3, 0};
  const lathe_value value = lathe_from_tensor(nullptr, LATHE_DT_INT, 16, shape, 2);
  EXPECT_EQ(lathe_check_rank(&value, 2), LATHE_OK);
  EXPECT_EQ(lathe_check_rank(&value, 1), LATHE_E_SHAPE);
  const lathe_value number = lathe_from_int(2, LATHE_DT_INT, 64);
  EXPECT_EQ(lathe_check_rank(&number, 2), LATHE_E_SHAPE);
}

TEST_F(KeepTest, BoundArgumentsPrecedeCapturedValues) {
  const lathe_value one[] = {lathe_from_int(1, LATHE_DT_INT, 64)};
  const lathe_value more[] = {lathe_from_int(2, LATHE_DT_INT, 64),
                              lathe_from_int(3, LATHE_DT_INT, 64)};
  lathe_value function = lathe_from_function(5, one, 1);
  ASSERT_EQ(lathe_bind(&region_, arena_, &function, more, 2, &function), LATHE_OK);
  EXPECT_EQ(lathe_function_number(&function), 5);
  const lathe_value* parts = nullptr;
  ASSERT_EQ(lathe_take_function(&function, &parts, 3), LATHE_OK);
  EXPECT_EQ(parts[0].as.i, 2);
  EXPECT_EQ(parts[1].as.i, 3);
  EXPECT_EQ(parts[2].as.i, 1);
  EXPECT_GE(At(parts), region_.begin);
  ASSERT_EQ(lathe_bind(&region_, arena_, &function, nullptr, 0, &function), LATHE_OK);
  EXPECT_EQ(lathe_take_function(&function, &parts, 3), LATHE_OK);
  const lathe_value none = lathe_from_null();
  EXPECT_EQ(lathe_bind(&region_, arena_, &none, more, 2, &function), LATHE_E_SHAPE);
  const lathe_value nowhere = lathe_from_function(5, nullptr, 1);
  EXPECT_EQ(lathe_bind(&region_, arena_, &nowhere, more, 2, &function), LATHE_E_NULL);
  EXPECT_EQ(lathe_bind(&region_, arena_ + 500, &function, more, 2, &function), LATHE_E_MEMORY);
}

TEST(ValueTest, TensorsOfAnotherKindAreRefused) {
  const float data[] = {1, 2};
  const int64_t shape[] = {2}, negative[] = {-1}, large[] = {INT64_MAX, INT64_MAX};
  const lathe_value good = lathe_from_tensor(data, LATHE_DT_FLOAT, 32, shape, 1);
  EXPECT_EQ(lathe_check_tensor(&good, LATHE_DT_FLOAT, 32, 1), LATHE_OK);
  EXPECT_EQ(lathe_check_tensor(&good, LATHE_DT_FLOAT, 32, 2), LATHE_E_SHAPE);
  EXPECT_EQ(lathe_check_tensor(&good, LATHE_DT_INT, 32, 1), LATHE_E_SHAPE);
  EXPECT_EQ(lathe_rank(&good, LATHE_DT_FLOAT, 32), 1);
  EXPECT_EQ(lathe_rank(&good, LATHE_DT_FLOAT, 64), -1);
  const lathe_value none = lathe_from_null();
  EXPECT_EQ(lathe_check_tensor(&none, LATHE_DT_FLOAT, 32, 0), LATHE_E_SHAPE);
  EXPECT_EQ(lathe_function_number(&none), -1);
  const lathe_value nowhere = lathe_from_tensor(nullptr, LATHE_DT_FLOAT, 32, shape, 1);
  EXPECT_EQ(lathe_check_tensor(&nowhere, LATHE_DT_FLOAT, 32, 1), LATHE_E_NULL);
  const lathe_value shapeless = lathe_from_tensor(data, LATHE_DT_FLOAT, 32, nullptr, 1);
  EXPECT_EQ(lathe_check_tensor(&shapeless, LATHE_DT_FLOAT, 32, 1), LATHE_E_NULL);
  const lathe_value below = lathe_from_tensor(data, LATHE_DT_FLOAT, 32, negative, 1);
  EXPECT_EQ(lathe_check_tensor(&below, LATHE_DT_FLOAT, 32, 1), LATHE_E_SHAPE);
  const lathe_value beyond = lathe_from_tensor(data, LATHE_DT_FLOAT, 32, large, 2);
  EXPECT_EQ(lathe_check_tensor(&beyond, LATHE_DT_FLOAT, 32, 2), LATHE_E_SHAPE);
}

TEST(ValueTest, BytesAreCountedOrRefused) {
  const auto bytes = [](uint8_t code, uint8_t bits, std::vector<int64_t> shape) {
    return lathe_tensor_bytes({code, bits, 1}, shape.data(), static_cast<int32_t>(shape.size()));
  };
  constexpr int64_t k61 = int64_t{1} << 61;
  EXPECT_EQ(bytes(LATHE_DT_FLOAT, 32, {2, 3}), 24u);
  EXPECT_EQ(bytes(LATHE_DT_FLOAT, 32, {}), 4u);
  EXPECT_EQ(bytes(LATHE_DT_FLOAT, 32, {3, 0}), 0u);
  EXPECT_EQ(bytes(LATHE_DT_BOOL, 1, {5}), 5u);
  EXPECT_EQ(bytes(LATHE_DT_INT, 4, {1}), 1u);
  EXPECT_EQ(bytes(LATHE_DT_INT, 4, {3, 3}), 5u);
  EXPECT_EQ(bytes(LATHE_DT_FLOAT6_E3M2FN, 6, {4}), 3u);
  EXPECT_EQ(bytes(LATHE_DT_FLOAT6_E3M2FN, 6, {5}), 4u);
  EXPECT_EQ(bytes(LATHE_DT_UINT, 8, {INT64_MAX}), static_cast<size_t>(INT64_MAX));
  // 2^61 elements of 8 bytes are 2^64: none, if they were counted so.
  EXPECT_EQ(bytes(LATHE_DT_INT, 64, {k61}), SIZE_MAX);
  EXPECT_EQ(bytes(LATHE_DT_INT, 64, {k61 / 4, 4}), SIZE_MAX);
  EXPECT_EQ(bytes(LATHE_DT_FLOAT, 32, {k61}), SIZE_MAX);
  EXPECT_EQ(bytes(LATHE_DT_INT, 4, {INT64_MAX, 2}), SIZE_MAX);
  EXPECT_EQ(bytes(LATHE_DT_INT, 64, {0, k61, 8}), SIZE_MAX);
  EXPECT_EQ(bytes(LATHE_DT_INT, 64, {-1}), SIZE_MAX);
  EXPECT_EQ(bytes(LATHE_DT_INT, 0, {1}), SIZE_MAX);
  EXPECT_EQ(lathe_tensor_bytes({LATHE_DT_INT, 8, 1}, nullptr, 1), SIZE_MAX);
}

TEST(ValueTest, TensorsViewExistingMemory) {
  const float data[] = {1, 2};
  const int64_t shape[] = {2}, none[] = {0}, huge[] = {int64_t{1} << 61};
  float to[] = {0, 0};
  const auto take = [&](const void* from, const int64_t* said, const int64_t* wanted) {
    const lathe_value value = lathe_from_tensor(from, LATHE_DT_FLOAT, 32, said, 1);
    return lathe_take_tensor(&value, to, LATHE_DT_FLOAT, 32, wanted, 1);
  };
  EXPECT_EQ(take(data, shape, shape), LATHE_OK);
  EXPECT_EQ(to[1], 2);
  EXPECT_EQ(take(data, none, shape), LATHE_E_SHAPE);
  EXPECT_EQ(take(data, nullptr, shape), LATHE_E_NULL);
  EXPECT_EQ(take(nullptr, shape, shape), LATHE_E_NULL);
  EXPECT_EQ(take(data, huge, huge), LATHE_E_SHAPE);
  // Of no elements nothing is copied: memmove takes no null pointers, for 0 bytes neither.
  const lathe_value empty = lathe_from_tensor(nullptr, LATHE_DT_FLOAT, 32, none, 1);
  EXPECT_EQ(lathe_take_tensor(&empty, to, LATHE_DT_FLOAT, 32, none, 1), LATHE_OK);
  EXPECT_EQ(lathe_take_tensor(&empty, nullptr, LATHE_DT_FLOAT, 32, none, 1), LATHE_OK);
}

TEST_F(KeepTest, RejectsValuesWithoutMemory) {
  const float data[] = {1};
  const int64_t shape[] = {1}, huge[] = {int64_t{1} << 62};
  int64_t dims[1];
  const lathe_value* parts = nullptr;
  lathe_value values[] = {lathe_from_tensor(data, LATHE_DT_FLOAT, 32, nullptr, 1),
                          lathe_from_tensor(nullptr, LATHE_DT_FLOAT, 32, shape, 1),
                          lathe_from_shape(nullptr, 1), lathe_from_tuple(nullptr, 2),
                          lathe_from_function(0, nullptr, 2)};
  for (lathe_value& value : values) EXPECT_EQ(lathe_keep(&region_, arena_, &value), LATHE_E_NULL);
  EXPECT_EQ(lathe_take_shape(&values[2], dims, 1), LATHE_E_NULL);
  EXPECT_EQ(lathe_take_tuple(&values[3], &parts, 2), LATHE_E_NULL);
  EXPECT_EQ(lathe_take_function(&values[4], &parts, 2), LATHE_E_NULL);
  lathe_value large = lathe_from_tensor(data, LATHE_DT_FLOAT, 32, huge, 1);
  EXPECT_EQ(lathe_keep(&region_, arena_, &large), LATHE_E_SHAPE);
  lathe_value long_one = lathe_from_tuple(values, SIZE_MAX / sizeof(lathe_value) + 2);
  EXPECT_EQ(lathe_keep(&region_, arena_, &long_one), LATHE_E_MEMORY);
  EXPECT_EQ(region_.begin, sizeof arena_);
}

TEST(ValueTest, FunctionsHaveNumberAndCapturedValues) {
  const lathe_value kept[] = {lathe_from_int(1, LATHE_DT_INT, 64)};
  const lathe_value function = lathe_from_function(3, kept, 1);
  EXPECT_EQ(lathe_function_number(&function), 3);
  const lathe_value* parts = nullptr;
  EXPECT_EQ(lathe_take_function(&function, &parts, 2), LATHE_E_SHAPE);
  ASSERT_EQ(lathe_take_function(&function, &parts, 1), LATHE_OK);
  EXPECT_EQ(parts, kept);
}

}  // namespace
}  // namespace lathe

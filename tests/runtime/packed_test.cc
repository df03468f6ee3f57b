// Tests external functions with results of dynamic structure: results and lent values are kept, and
// objects are released once unless they are returned.
#include "runtime-c/packed.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "runtime-c/objects.h"

namespace lathe {
namespace {

int g_released = 0;

void Release(void* pointer) {
  ++g_released;
  ++*static_cast<int*>(pointer);
}

int GiveFirst(const lathe_host*, lathe_call*, const lathe_value* args, size_t, lathe_value* out) {
  *out = args[0];
  return LATHE_OK;
}

// ((args...), args[0])
int Nest(const lathe_host* to, lathe_call* call, const lathe_value* args, size_t n,
         lathe_value* out) {
  lathe_value fields[2];
  const int status = to->new_tuple(call, args, n, &fields[0]);
  if (status != LATHE_OK) return status;
  fields[1] = args[0];
  return to->new_tuple(call, fields, 2, out);
}

// As many floats as the argument says, counted from 0.
int Count(const lathe_host* to, lathe_call* call, const lathe_value* args, size_t,
          lathe_value* out) {
  const lathe_dtype f32 = {LATHE_DT_FLOAT, 32, 1};
  const int status = to->new_tensor(call, f32, &args[0].as.i, 1, out);
  for (int64_t i = 0; status == LATHE_OK && i < args[0].as.i; ++i) {
    static_cast<float*>(out->as.tensor.data)[i] = static_cast<float>(i);
  }
  return status;
}

int g_objects[3];

// Three objects in a tuple that holds a tuple of the last two, twice.
int MakeObjects(const lathe_host* to, lathe_call* call, const lathe_value*, size_t,
                lathe_value* out) {
  lathe_value made[3], fields[3];
  int status = LATHE_OK;
  for (int i = 0; i < 3 && status == LATHE_OK; ++i) {
    status = to->new_object(call, &g_objects[i], "number", Release, &made[i]);
  }
  if (status == LATHE_OK) status = to->new_tuple(call, &made[1], 2, &fields[0]);
  fields[1] = fields[0];
  fields[2] = made[0];
  return status != LATHE_OK ? status : to->new_tuple(call, fields, 3, out);
}

int MakeAndFail(const lathe_host* to, lathe_call* call, const lathe_value* args, size_t n,
                lathe_value* out) {
  const int status = MakeObjects(to, call, args, n, out);
  return status != LATHE_OK ? status : LATHE_E_FAILED;
}

class PackedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    g_released = 0;
    std::memset(g_objects, 0, sizeof g_objects);
  }
  int Call(lathe_packed_fn fn, const std::vector<lathe_value>& args, lathe_value* result) {
    return lathe_call_keeping(fn, args.data(), args.size(), &region_, arena_, result);
  }
  bool IsKept(const void* pointer) const {
    const auto* at = static_cast<const uint8_t*>(pointer);
    return at >= arena_ + region_.begin && at < arena_ + region_.end;
  }
  // The end of a run that gives these back.
  int End(int status, const std::vector<const lathe_value*>& given) {
    return lathe_end_run(&region_, status, given.data(), given.size());
  }

  alignas(64) uint8_t arena_[1024] = {};
  lathe_region region_ = lathe_region_of(arena_, sizeof arena_);
  float data_[2] = {1, 2};
  int64_t shape_[1] = {2};
  lathe_value tensor_ = lathe_from_tensor(data_, LATHE_DT_FLOAT, 32, shape_, 1);
};

TEST_F(PackedTest, ReturnedBorrowedValuesAreCopied) {
  lathe_value result;
  ASSERT_EQ(Call(GiveFirst, {lathe_borrowed(tensor_)}, &result), LATHE_OK);
  data_[0] = 9;
  shape_[0] = 1;
  EXPECT_TRUE(IsKept(result.as.tensor.data));
  EXPECT_EQ(static_cast<float*>(result.as.tensor.data)[0], 1);
  EXPECT_EQ(result.as.tensor.shape[0], 2);
  EXPECT_EQ(result.ref, nullptr);
}

TEST_F(PackedTest, ReturnedOwnedValuesAreTheSame) {
  lathe_value result;
  ASSERT_EQ(Call(GiveFirst, {tensor_}, &result), LATHE_OK);
  EXPECT_EQ(result.as.tensor.data, data_);
  EXPECT_EQ(region_.begin, sizeof arena_);
}

TEST_F(PackedTest, BorrowedValuesAreCopiedInNestedTuples) {
  const lathe_value parts[] = {lathe_borrowed(tensor_), lathe_from_int(7, LATHE_DT_INT, 64)};
  lathe_value result;
  ASSERT_EQ(Call(Nest, {lathe_borrowed(lathe_from_tuple(parts, 2)), tensor_}, &result), LATHE_OK);
  data_[1] = 9;
  const lathe_value* fields = result.as.tuple.fields;
  for (const lathe_value* tuple : {&fields[0].as.tuple.fields[0], &fields[1]}) {
    ASSERT_EQ(tuple->kind, LATHE_TUPLE);
    EXPECT_TRUE(IsKept(tuple->as.tuple.fields));
    EXPECT_EQ(tuple->ref, nullptr);
    const lathe_value& inner = tuple->as.tuple.fields[0];
    ASSERT_TRUE(IsKept(inner.as.tensor.data));
    EXPECT_EQ(static_cast<const float*>(inner.as.tensor.data)[1], 2);
    EXPECT_EQ(inner.ref, nullptr);
    EXPECT_EQ(tuple->as.tuple.fields[1].as.i, 7);
  }
  EXPECT_EQ(fields[0].as.tuple.fields[1].as.tensor.data, data_);
}

TEST_F(PackedTest, AllocationsAreLimitedByFreeMemory) {
  lathe_value small, large, none;
  ASSERT_EQ(Call(Count, {lathe_from_int(5, LATHE_DT_INT, 64)}, &small), LATHE_OK);
  ASSERT_EQ(Call(Count, {lathe_from_int(200, LATHE_DT_INT, 64)}, &large), LATHE_OK);
  EXPECT_EQ(static_cast<float*>(small.as.tensor.data)[4], 4);
  EXPECT_EQ(static_cast<float*>(large.as.tensor.data)[199], 199);
  EXPECT_EQ(Call(Count, {lathe_from_int(200, LATHE_DT_INT, 64)}, &none), LATHE_E_MEMORY);
}

TEST_F(PackedTest, OtherObjectsAreReleasedOnce) {
  lathe_value result;
  ASSERT_EQ(Call(MakeObjects, {}, &result), LATHE_OK);
  EXPECT_EQ(g_released, 0);
  EXPECT_EQ(End(LATHE_OK, {&tensor_}), LATHE_OK);
  EXPECT_EQ(End(LATHE_OK, {&tensor_}), LATHE_OK);
  EXPECT_EQ(g_released, 3);
  for (int times : g_objects) EXPECT_EQ(times, 1);
}

TEST_F(PackedTest, ReturnedObjectsBelongToTheCaller) {
  lathe_value result;
  ASSERT_EQ(Call(MakeObjects, {}, &result), LATHE_OK);
  const lathe_value pair = result.as.tuple.fields[1];
  EXPECT_EQ(pair.as.tuple.fields[0].as.object.pointer, &g_objects[1]);
  EXPECT_STREQ(pair.as.tuple.fields[0].as.object.kind, "number");
  EXPECT_EQ(End(LATHE_OK, {&tensor_, &pair}), LATHE_OK);
  EXPECT_EQ(g_objects[0], 1);
  EXPECT_EQ(g_released, 1);
  EXPECT_EQ(pair.as.tuple.fields[0].ref, nullptr);
}

TEST_F(PackedTest, NestedReturnedObjectsBelongToTheCaller) {
  lathe_value result, nested;
  ASSERT_EQ(Call(MakeObjects, {}, &result), LATHE_OK);
  ASSERT_EQ(Call(Nest, {result}, &nested), LATHE_OK);
  EXPECT_EQ(End(LATHE_OK, {&nested}), LATHE_OK);
  EXPECT_EQ(g_released, 0);
}

TEST_F(PackedTest, SharedTuplesAreVisitedOnce) {
  std::vector<uint8_t> memory(1 << 16);
  region_ = lathe_region_of(memory.data(), memory.size());
  lathe_value result, next;
  ASSERT_EQ(lathe_call_keeping(MakeObjects, nullptr, 0, &region_, memory.data(), &result),
            LATHE_OK);
  for (int i = 0; i < 64; ++i) {
    const lathe_value both[] = {result, result};
    ASSERT_EQ(lathe_call_keeping(Nest, both, 2, &region_, memory.data(), &next), LATHE_OK);
    result = next;
  }
  EXPECT_EQ(End(LATHE_OK, {&result}), LATHE_OK);
  EXPECT_EQ(g_released, 0);
}

TEST_F(PackedTest, AFailedRunReleasesAll) {
  lathe_value result;
  EXPECT_EQ(Call(MakeAndFail, {}, &result), LATHE_E_FAILED);
  EXPECT_EQ(g_released, 0);
  EXPECT_EQ(End(LATHE_E_FAILED, {&result}), LATHE_E_FAILED);
  EXPECT_EQ(g_released, 3);
}

TEST_F(PackedTest, ARunWithoutRoomToLookReleasesAll) {
  lathe_value result;
  ASSERT_EQ(Call(MakeObjects, {}, &result), LATHE_OK);
  while (lathe_keep_room(&region_, arena_, 1) != nullptr) {
  }
  // The first is found before memory for visiting the second runs out.
  EXPECT_EQ(End(LATHE_OK, {&result.as.tuple.fields[0], &result}), LATHE_E_MEMORY);
  EXPECT_EQ(g_released, 3);
}

TEST_F(PackedTest, CallWithoutKeptValuesReleasesObjects) {
  alignas(16) uint8_t memory[512];
  lathe_value result;
  EXPECT_EQ(lathe_call_packed(MakeObjects, nullptr, 0, memory, sizeof memory, &result), LATHE_OK);
  EXPECT_EQ(g_released, 3);
}

TEST_F(PackedTest, ObjectWithoutMemoryIsReleased) {
  alignas(16) uint8_t memory[16];
  lathe_value result;
  EXPECT_EQ(lathe_call_packed(MakeObjects, nullptr, 0, memory, sizeof memory, &result),
            LATHE_E_MEMORY);
  EXPECT_EQ(g_released, 1);
  EXPECT_EQ(g_objects[0], 1);
}

}  // namespace
}  // namespace lathe

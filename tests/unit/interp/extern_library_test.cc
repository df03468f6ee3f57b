#include "generator/interp/extern_library.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"

namespace lathe::interp {
namespace {

using ::testing::HasSubstr;

constexpr char kProgram[] = R"(
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")) -> R.Object:
        y = R.call_packed("scale", x, R.prim_value(T.float32(3)), sinfo_args=R.Tensor((2,), "float32"))
        z = R.call_packed("sum_and_shape", y)
        return (x, y, z)
    @R.function(pure=False)
    def counting() -> R.Object:
        c = R.call_packed("counter_new")
        a = R.call_packed("counter_next", c)
        b = R.call_packed("counter_next", c)
        return (a, b)
    @R.function(pure=False)
    def all_kinds(x: R.Tensor((2,), "float32")) -> R.Object:
        cls = Module
        k = R.call_packed("kinds", x, R.prim_value(1), R.prim_value(True), R.prim_value(T.float32(1)), R.str("s"), R.dtype("int8"), R.shape([1]), (x, x), R.null_value(), cls.main)
        return k
    @R.function(pure=False)
    def fails(x: R.Tensor((2,), "float32")) -> R.Object:
        k = R.call_packed("fails", x)
        return k
    @R.function(pure=False)
    def forged(x: R.Tensor((2,), "float32")) -> R.Object:
        k = R.call_packed("forged", x)
        return k
    @R.function(pure=False)
    def wrong(x: R.Tensor((2,), "float32")) -> R.Object:
        k = R.call_packed("scale", x)
        return k
    @R.function(pure=False)
    def missing(x: R.Tensor((2,), "float32")) -> R.Object:
        k = R.call_packed("scal", x)
        return k
    @R.function
    def reduced(x: R.Tensor(("n",), "float32")):
        y = R.ccl.allreduce(x, "sum")
        z = R.ccl.allreduce(x, "max", in_group=False)
        return (y, z)
    @R.function
    def lowered(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        y = R.call_dps_packed("lathe.ccl.allreduce", (x, R.str("sum"), R.prim_value(True)), out_sinfo=R.Tensor((n,), "float32"))
        return y
    @R.function
    def gathered(x: R.Tensor((2,), "float32")):
        y = R.ccl.allgather(x, 2)
        return y
)";

class ExternLibrary : public ::testing::Test {
 protected:
  ExternLibrary() : p_(std::string("from tvm.script import tir as T") + kProgram) {
    EXPECT_THAT(LoadExternLibrary(ExternSamplePath(), &p_.interpreter().runtime().options.packed),
                IsOk());
  }
  Program p_;
};

TEST_F(ExternLibrary, InPlaceAndNewValues) {
  EXPECT_EQ(p_.Run({p_.Floats({2}, {1, 2})}), "([3, 6], [3, 6], (9, R.shape([2]), sum))");
}

TEST_F(ExternLibrary, ObjectsLiveOnTheProgramsSide) { EXPECT_EQ(p_.Run({}, "counting"), "(1, 2)"); }

TEST_F(ExternLibrary, PassesEveryKindOfValue) {
  EXPECT_EQ(p_.Run({p_.Floats({2}, {1, 2})}, "all_kinds"),
            "R.shape([7, 1, 3, 2, 4, 5, 6, 8, 0, 9])");
}

TEST_F(ExternLibrary, FailuresAreReported) {
  const Value x = p_.Floats({2}, {1, 2});
  EXPECT_EQ(p_.Run({x}, "fails"),
            "the packed function 'fails' failed: this one always fails (status -9) "
            "[run-packed-func-failed]\n");
  EXPECT_THAT(p_.Run({x}, "wrong"), HasSubstr("scale takes a float32 tensor and a float"));
  EXPECT_THAT(p_.Run({x}, "forged"),
              HasSubstr("neither an argument nor created by the host functions"));
  EXPECT_THAT(p_.Run({x}, "missing"), HasSubstr("did you mean 'scale'?"));
}

TEST_F(ExternLibrary, CollectivesAreExternalFunctions) {
  const Value x = p_.Floats({2}, {1, 2});
  EXPECT_EQ(p_.Run({x}, "reduced"), "([2, 4], [1, 2])");
  EXPECT_EQ(p_.Run({x}, "lowered"), "[2, 4]");
  EXPECT_THAT(p_.Run({x}, "gathered"), HasSubstr("lathe.ccl.allgather"));
}

TEST(ExternLibraryLoading, InvalidLibraries) {
  PackedTable table;
  EXPECT_THAT(LoadExternLibrary("/nowhere/lib.so", &table),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/nowhere/lib.so")));
  EXPECT_FALSE(LoadExternLibrary(SourcePath("CMakeLists.txt"), &table).ok());
}

}  // namespace
}  // namespace lathe::interp

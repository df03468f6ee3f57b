// Tests dot.h without vectors, as compilers other than gcc and clang use it.
#undef __SSE2__
#undef __ARM_FEATURE_DSP
#include "runtime-c/dot.h"
#include "tests/runtime/dot_cases.h"

namespace lathe {
namespace {

TEST(PlainDot, TwoRowsWithFour) {
  CheckRowsWithRows(
      [](const int8_t* x0, const int8_t* x1, const int8_t* w, int32_t step, int32_t count,
         int32_t* sums) { lathe_dots_i8_2x4(x0, x1, w, step, count, sums); },
      2);
}

TEST(PlainDot, ARowWithFour) {
  CheckRowsWithRows(
      [](const int8_t* x0, const int8_t*, const int8_t* w, int32_t step, int32_t count,
         int32_t* sums) { lathe_dots_i8_1x4(x0, w, step, count, sums); },
      1);
}

}  // namespace
}  // namespace lathe

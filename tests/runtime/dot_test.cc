// dot.h with the instructions that this is compiled for.
#include "runtime-c/dot.h"

#include "tests/runtime/dot_cases.h"

namespace lathe {
namespace {

TEST(Dot, TwoRowsWithFour) {
  CheckRowsWithRows(
      [](const int8_t* x0, const int8_t* x1, const int8_t* w, int32_t step, int32_t count,
         int32_t* sums) { lathe_dots_i8_2x4(x0, x1, w, step, count, sums); },
      2);
}

TEST(Dot, ARowWithFour) {
  CheckRowsWithRows(
      [](const int8_t* x0, const int8_t*, const int8_t* w, int32_t step, int32_t count,
         int32_t* sums) { lathe_dots_i8_1x4(x0, w, step, count, sums); },
      1);
}

TEST(Dot, RowsWithPanels) {
  CheckPanels([](const int8_t* x0, const int8_t* x1, const int8_t* x2, const int8_t* x3,
                 int32_t rows, const int8_t* w, int32_t panels, int32_t count, int32_t* sums) {
    // How many rows is written where it is used, as in what is generated.
    switch (rows) {
      case 1:
        return lathe_dot_panels_i8(x0, x1, x2, x3, 1, w, panels, count, sums);
      case 2:
        return lathe_dot_panels_i8(x0, x1, x2, x3, 2, w, panels, count, sums);
      case 3:
        return lathe_dot_panels_i8(x0, x1, x2, x3, 3, w, panels, count, sums);
      default:
        return lathe_dot_panels_i8(x0, x1, x2, x3, 4, w, panels, count, sums);
    }
  });
}

}  // namespace
}  // namespace lathe

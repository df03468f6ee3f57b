/* runtime-c/panels.h, products.h, depthwise.h and requantize.h as functions, with the instructions
 * that this is compiled for: LATHE_LEVEL is part of their names. Numbers that generated code writes
 * into its calls are written here too, where there are few. */
#include "runtime-c/depthwise.h"
#include "runtime-c/panels.h"
#include "runtime-c/products.h"
#include "runtime-c/requantize.h"

#define LATHE_JOIN(a, b) a##_##b
#define LATHE_NAMED(a, b) LATHE_JOIN(a, b)

void LATHE_NAMED(lathe_test_panels, LATHE_LEVEL)(const int8_t* const* x, int32_t rows,
                                                 const int8_t* w, int32_t panels, int32_t count,
                                                 int32_t* sums);
void LATHE_NAMED(lathe_test_requantize, LATHE_LEVEL)(const int32_t* sums, const int32_t* factors,
                                                     int32_t factor, int32_t count, int64_t start,
                                                     int32_t shift, int8_t* out);
void LATHE_NAMED(lathe_test_depthwise, LATHE_LEVEL)(const int8_t* x, const int8_t* w,
                                                    const int32_t* bias, const int32_t* factors,
                                                    int32_t columns, int32_t channels, int32_t step,
                                                    int32_t line, int32_t window, int64_t start,
                                                    int32_t shift, int8_t* out);
void LATHE_NAMED(lathe_test_products, LATHE_LEVEL)(const int8_t* x, const int8_t* w,
                                                   const int32_t* bias, const int32_t* factors,
                                                   int32_t rows, int32_t step, int32_t pieces,
                                                   int32_t pitch, int32_t count, int32_t columns,
                                                   int64_t start, int32_t shift, int8_t* out);

/* One of the calls that there are, which the test knows. */
#define LATHE_SHAPE(a, b, c, d)                                                               \
  if ((rows == (a)) && (pieces == (b)) && (count == (c)) && (columns == (d))) {               \
    lathe_products_i8(x, w, bias, factors, 1900000000, a, step, b, pitch, c, d, start, shift, \
                      -128, 100, out);                                                        \
  }

void LATHE_NAMED(lathe_test_products, LATHE_LEVEL)(const int8_t* x, const int8_t* w,
                                                   const int32_t* bias, const int32_t* factors,
                                                   int32_t rows, int32_t step, int32_t pieces,
                                                   int32_t pitch, int32_t count, int32_t columns,
                                                   int64_t start, int32_t shift, int8_t* out) {
  LATHE_SHAPE(1, 1, 1, 1)
  LATHE_SHAPE(2, 1, 8, 16)
  LATHE_SHAPE(3, 3, 9, 8)
  LATHE_SHAPE(4, 1, 27, 33)
  LATHE_SHAPE(5, 10, 4, 64)
  LATHE_SHAPE(6, 2, 30, 17)
  LATHE_SHAPE(7, 1, 255, 40)
  LATHE_SHAPE(8, 1, 257, 12)
  LATHE_SHAPE(9, 3, 192, 100)
  LATHE_SHAPE(13, 2, 33, 70)
  LATHE_SHAPE(21, 1, 64, 48)
}

void LATHE_NAMED(lathe_test_panels, LATHE_LEVEL)(const int8_t* const* x, int32_t rows,
                                                 const int8_t* w, int32_t panels, int32_t count,
                                                 int32_t* sums) {
  switch (rows) {
    case 1:
      lathe_dot_panels_i8(x[0], x[0], x[0], x[0], 1, w, panels, count, sums);
      break;
    case 2:
      lathe_dot_panels_i8(x[0], x[1], x[1], x[1], 2, w, panels, count, sums);
      break;
    case 3:
      lathe_dot_panels_i8(x[0], x[1], x[2], x[2], 3, w, panels, count, sums);
      break;
    default:
      lathe_dot_panels_i8(x[0], x[1], x[2], x[3], 4, w, panels, count, sums);
      break;
  }
}

void LATHE_NAMED(lathe_test_requantize, LATHE_LEVEL)(const int32_t* sums, const int32_t* factors,
                                                     int32_t factor, int32_t count, int64_t start,
                                                     int32_t shift, int8_t* out) {
  lathe_requantize_i8(sums, factors, factor, count, start, shift, -100, 127, out);
}

/* Windows as high and as wide as each other. */
void LATHE_NAMED(lathe_test_depthwise, LATHE_LEVEL)(const int8_t* x, const int8_t* w,
                                                    const int32_t* bias, const int32_t* factors,
                                                    int32_t columns, int32_t channels, int32_t step,
                                                    int32_t line, int32_t window, int64_t start,
                                                    int32_t shift, int8_t* out) {
  if (window == 2) {
    lathe_depthwise_i8(x, w, bias, factors, 1900000000, columns, channels, step, 2, line, 2,
                       channels, start, shift, -128, 127, out);
  } else if (window == 3) {
    lathe_depthwise_i8(x, w, bias, factors, 1900000000, columns, channels, step, 3, line, 3,
                       channels, start, shift, -128, 127, out);
  } else {
    lathe_depthwise_i8(x, w, bias, factors, 1900000000, columns, channels, step, 5, line, 5,
                       channels, start, shift, -128, 127, out);
  }
}

// Computes one operator: infers concrete shapes, generates its loop nest, and evaluates that.
#ifndef LATHE_TESTS_SUPPORT_OP_RUNNER_H_
#define LATHE_TESTS_SUPPORT_OP_RUNNER_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "generator/ir/attrs.h"
#include "generator/ir/module.h"
#include "tests/reference/array.h"

namespace lathe::interp {
struct Tensor;
}

namespace lathe::testing {

struct TypedArray {
  reference::Array array;
  std::string dtype = "float32";
  // The exact elements of an integer dtype, which double cannot represent beyond 2^53; uint64 as
  // int64 with equal bits. If present, `array` provides only the shape. Results have both.
  std::vector<int64_t> whole;
};
// A tensor, a tuple of tensors, a number (an int64 scalar), a tuple of numbers, or another operand.
struct Numbers {
  std::vector<int64_t> values;
};
struct ShapeArg {
  std::vector<int64_t> dims;
};
using OpArg = std::variant<TypedArray, std::vector<TypedArray>, int64_t, double, Numbers, ShapeArg>;

// Returns the results, or fails the test.
std::vector<TypedArray> RunOp(const std::string& op, const std::vector<OpArg>& args,
                              const ir::AttrMap& attrs = {});

// Returns the elements of a tensor.
TypedArray Read(const interp::Tensor& tensor);

// Returns an array of small numbers that `dtype` represents exactly, equal for equal seeds: eighths
// from -4 to 4 for floats, whole numbers for integers (nonnegative for unsigned ones).
TypedArray RandomArray(reference::Shape shape, const std::string& dtype, uint32_t seed);

// Expects equal shapes and elements within `relative` and `absolute` of each other; NaN is NaN.
void ExpectNear(const TypedArray& got, const reference::Array& want, double relative = 1e-5,
                double absolute = 1e-6);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_OP_RUNNER_H_

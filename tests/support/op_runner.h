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
  // The elements of an integer dtype exactly, which a double does not hold beyond 2^53; those of
  // uint64 as the int64 of the same bits. When there are any, `array` gives only the shape. Results
  // have both.
  std::vector<int64_t> whole;
};
// A tensor, several in a tuple, a number (an int64 scalar), numbers in a tuple, or anything else.
struct Numbers {
  std::vector<int64_t> values;
};
struct ShapeArg {
  std::vector<int64_t> dims;
};
using OpArg = std::variant<TypedArray, std::vector<TypedArray>, int64_t, double, Numbers, ShapeArg>;

// The results, or a failure of the test.
std::vector<TypedArray> RunOp(const std::string& op, const std::vector<OpArg>& args,
                              const ir::AttrMap& attrs = {});

// What a tensor holds.
TypedArray Read(const interp::Tensor& tensor);

// An array of small numbers that `dtype` holds exactly, the same for the same seed: eighths from -4
// to 4 for floats, whole numbers for integers (none negative for unsigned ones).
TypedArray RandomArray(reference::Shape shape, const std::string& dtype, uint32_t seed);

// Expects equal shapes and elements within `relative` and `absolute` of each other; NaN is NaN.
void ExpectNear(const TypedArray& got, const reference::Array& want, double relative = 1e-5,
                double absolute = 1e-6);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_OP_RUNNER_H_

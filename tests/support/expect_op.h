// Compares one call of an operator with exact numbers of a naive one.
#ifndef LATHE_TESTS_SUPPORT_EXPECT_OP_H_
#define LATHE_TESTS_SUPPORT_EXPECT_OP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/reference/array.h"
#include "tests/support/op_runner.h"

namespace lathe::testing {

ir::AttrList Ints(const std::vector<int64_t>& values);
ir::AttrList Floats(const std::vector<double>& values);

// Numbers whose sums of a few hundred products are exact in `dtype`: for floats eighths from -4 to
// 4, for 16 bits whole numbers from -2 to 2. Integers are as in RandomArray; their products wrap in
// 8 bits.
TypedArray ExactArray(reference::Shape shape, const std::string& dtype, uint32_t seed);

// Converts `exact` to the dtype: to the nearest float, to the low bits of an integer, to bool by !=
// 0.
double InDType(const std::string& dtype, double exact);

// Runs the operator and expects these results in their dtype: integers exactly, floats within the
// given number of roundings of a number of at least 1.
void ExpectOp(const std::string& op, const std::vector<OpArg>& args, const ir::AttrMap& attrs,
              std::vector<TypedArray> want, double roundings = 0);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_EXPECT_OP_H_

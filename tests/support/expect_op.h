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

// Numbers of which sums of a few hundred products are exact in `dtype` for floats: eighths from -4
// to 4, whole numbers from -2 to 2 in 16 bits. Integers as RandomArray has them, whose products
// wrap in 8 bits.
TypedArray ExactArray(reference::Shape shape, const std::string& dtype, uint32_t seed);

// The number of the dtype that stands for `exact`: the nearest float, what is left of an integer in
// so many bits, for bool whether it is not 0.
double InDType(const std::string& dtype, double exact);

// Runs the operator and expects these results as their dtype holds them: integers exactly, floats
// as near as so many roundings of a number of that size, at least 1, bring them.
void ExpectOp(const std::string& op, const std::vector<OpArg>& args, const ir::AttrMap& attrs,
              std::vector<TypedArray> want, double roundings = 0);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_EXPECT_OP_H_

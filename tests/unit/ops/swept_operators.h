// The sweeps of each family, listed for swept_operators_test.cc.
#ifndef LATHE_TESTS_UNIT_OPS_SWEPT_OPERATORS_H_
#define LATHE_TESTS_UNIT_OPS_SWEPT_OPERATORS_H_

#include <vector>

#include "tests/support/op_sweep.h"

namespace lathe::ops {

std::vector<testing::SweptOperator> ChoiceSweeps();
std::vector<testing::SweptOperator> CreateSweeps();
std::vector<testing::SweptOperator> DataSweeps();
std::vector<testing::SweptOperator> ElementwiseSweeps();
std::vector<testing::SweptOperator> IndexSweeps();
std::vector<testing::SweptOperator> MovementSweeps();
std::vector<testing::SweptOperator> OrderSweeps();
std::vector<testing::SweptOperator> ReduceSweeps();

// A tensor of the dtype of `x`.
inline testing::TypedArray Like(const testing::TypedArray& x, const reference::Array& array) {
  return {array, x.dtype, {}};
}
inline ir::AttrMap DTypeAttr(const std::string& dtype) {
  return {{"dtype", *ir::ParseDType(dtype)}};
}

}  // namespace lathe::ops

#endif  // LATHE_TESTS_UNIT_OPS_SWEPT_OPERATORS_H_

// Reductions and cumulative sums as in NumPy. Sums are rounded to the dtype after each element, as
// in TVM's loops.
#ifndef LATHE_TESTS_REFERENCE_REDUCE_H_
#define LATHE_TESTS_REFERENCE_REDUCE_H_

#include <optional>
#include <vector>

#include "tests/reference/array.h"
#include "tests/reference/elementwise.h"

namespace lathe::reference {

// For each element of a result the positions of those it is made of, row-major.
struct Groups {
  Shape shape;
  std::vector<std::vector<size_t>> positions;
};

// Visits the elements that a reduction over `axes` combines. `axes` may count from the end; none:
// all.
Groups Reduced(const Shape& shape, const std::optional<std::vector<int64_t>>& axes, bool keepdims);

// Everything up to each element along an axis, or before it where it is exclusive; along the flat
// tensor without an axis.
Groups SoFar(const Shape& shape, std::optional<int64_t> axis, bool exclusive);

using Reals = std::vector<double>;
double Sum(const Reals& x, const InDType& r);             // rounded after each addition
double SumRoundedOnce(const Reals& x, const InDType& r);  // to fewer bits than float32
double Prod(const Reals& x, const InDType& r);
double Mean(const Reals& x, const InDType& r);
double Variance(const Reals& x, const InDType& r);
double Deviation(const Reals& x, const InDType& r);
double Largest(const Reals& x);  // of some
// Where the middle one in order is, the lower of two; the first of equal ones.
size_t MedianPosition(const Reals& x);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_REDUCE_H_

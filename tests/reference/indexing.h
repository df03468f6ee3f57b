// Operators that read or write elements at indices: as NumPy, ONNX and PyTorch define those of
// these names. Indices count from the end when they are negative.
#ifndef LATHE_TESTS_REFERENCE_INDEXING_H_
#define LATHE_TESTS_REFERENCE_INDEXING_H_

#include <optional>
#include <string>
#include <vector>

#include "tests/reference/array.h"

namespace lathe::reference {

// How an element that is there and one that comes are combined: update, add, mul, min, max, mean.
using Combine = double (*)(double old, double update);
Combine CombineBy(const std::string& reduction);

// Along `axis`, of the flat array without one. Outside indices: "wrap" around, "clip" to the ends,
// "nan" for missing elements.
Array Take(const Array& x, const Array& indices, std::optional<int64_t> axis,
           const std::string& mode);
Array GatherElements(const Array& x, const Array& indices, int64_t axis);
Array GatherNd(const Array& x, const Array& indices, int64_t batch_dims);
Array ScatterElements(const Array& x, const Array& indices, const Array& updates, int64_t axis,
                      Combine combine);
Array ScatterNd(const Array& x, const Array& indices, const Array& updates, Combine combine);

// x[i, j, ...] and x[i, j, ...] = values (or +=, an element after the other) of NumPy.
Array IndexTensor(const Array& x, const std::vector<Array>& indices);
Array IndexPut(const Array& x, const std::vector<Array>& indices, const Array& values,
               bool accumulate);

// begin, end and stride of an axis, as Python's slices mean them.
struct Slice {
  int64_t axis = 0, begin = 0, end = 0, stride = 1;
};
Array StridedSlice(const Array& x, const std::vector<Slice>& slices);
Array SliceScatter(const Array& x, const Array& source, const Slice& slice);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_INDEXING_H_

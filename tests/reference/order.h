// Sorting and searching, as NumPy and PyTorch define them: stable, NaN after every number.
#ifndef LATHE_TESTS_REFERENCE_ORDER_H_
#define LATHE_TESTS_REFERENCE_ORDER_H_

#include "tests/reference/array.h"

namespace lathe::reference {

// Where the first `keep` along an axis in order stand; all without `keep`.
Array ArgSort(const Array& x, int64_t axis, bool descending, int64_t keep = 0);
// The elements at those positions.
Array TakeAlong(const Array& x, const Array& places, int64_t axis);

// How many of the ascending boundaries are below x, or not above it where `right`.
Array Bucketize(const Array& x, const Array& boundaries, bool right);

// For each sample the first class of its row whose probability and those before it exceed it.
Array Multinomial(const Array& probabilities, const Array& samples, const Array& rows);

// The elements along `seq` in reverse, up to the length for their place along `batch`.
Array ReverseSequence(const Array& x, const Array& lengths, int64_t seq, int64_t batch);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_ORDER_H_

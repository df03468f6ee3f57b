// Tensors made from numbers, as NumPy's functions of these names make them; windows as ONNX does.
#ifndef LATHE_TESTS_REFERENCE_CREATE_H_
#define LATHE_TESTS_REFERENCE_CREATE_H_

#include "tests/reference/array.h"

namespace lathe::reference {

Array Arange(double start, double end, double step);
Array Eye(int64_t rows, int64_t columns, int64_t k);
Array HammingWindow(int64_t size, bool periodic, double alpha, double beta);
// What is on the k-th diagonal and below or above it, of the last two dimensions.
Array Tril(const Array& x, int64_t k);
Array Triu(const Array& x, int64_t k);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_CREATE_H_

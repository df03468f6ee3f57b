// Products of tensors as NumPy defines them.
#ifndef LATHE_TESTS_REFERENCE_PRODUCT_H_
#define LATHE_TESTS_REFERENCE_PRODUCT_H_

#include <string>
#include <vector>

#include "tests/reference/array.h"

namespace lathe::reference {

// numpy.matmul: a vector is a row on the left and a column on the right, leading axes broadcast.
Array Matmul(const Array& a, const Array& b);

// numpy.einsum of letters: the sum over all letters that `output` lacks. An axis of length 1 serves
// every index of its letter.
Array Einsum(const std::vector<Array>& operands, const std::vector<std::string>& inputs,
             const std::string& output);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_PRODUCT_H_

// Quantized products and convolutions with int8 sums in panels of columns.
#ifndef LATHE_TESTS_KERNELS_INTEGER_CASES_H_
#define LATHE_TESTS_KERNELS_INTEGER_CASES_H_

#include <vector>

#include "tests/kernels/kernel_cases.h"

namespace lathe::kernels {

void AddIntegerCases(std::vector<KernelCase>& cases);

}  // namespace lathe::kernels

#endif  // LATHE_TESTS_KERNELS_INTEGER_CASES_H_

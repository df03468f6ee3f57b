// Programs whose stages go along in vectors.
#ifndef LATHE_TESTS_KERNELS_VECTOR_CASES_H_
#define LATHE_TESTS_KERNELS_VECTOR_CASES_H_

#include <vector>

#include "tests/kernels/kernel_cases.h"

namespace lathe::kernels {

void AddVectorCases(std::vector<KernelCase>& cases);

}  // namespace lathe::kernels

#endif  // LATHE_TESTS_KERNELS_VECTOR_CASES_H_

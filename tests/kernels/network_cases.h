// Image networks whose channels are moved to the last axis.
#ifndef LATHE_TESTS_KERNELS_NETWORK_CASES_H_
#define LATHE_TESTS_KERNELS_NETWORK_CASES_H_

#include <vector>

#include "tests/kernels/kernel_cases.h"

namespace lathe::kernels {

void AddNetworkCases(std::vector<KernelCase>& cases);

}  // namespace lathe::kernels

#endif  // LATHE_TESTS_KERNELS_NETWORK_CASES_H_

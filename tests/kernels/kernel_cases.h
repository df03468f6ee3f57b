// Programs for the forms of the kernel library, with shapes that have remainders.
#ifndef LATHE_TESTS_KERNELS_KERNEL_CASES_H_
#define LATHE_TESTS_KERNELS_KERNEL_CASES_H_

#include <map>
#include <string>
#include <vector>

namespace lathe::kernels {

struct KernelCase {
  std::string name;
  std::string program;                   // in TVMScript
  std::map<std::string, int64_t> sizes;  // of its shape variables
  std::string form;        // how the form of its kernel begins, wherever there are vectors
  std::string calls = "";  // what it calls there
};

std::vector<KernelCase> KernelCases();

}  // namespace lathe::kernels

#endif  // LATHE_TESTS_KERNELS_KERNEL_CASES_H_

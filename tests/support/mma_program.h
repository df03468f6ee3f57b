// Generates programs that multiply small matrices by T.ptx_mma; each lane loads its elements from
// the positions that PTX defines.
#ifndef LATHE_TESTS_SUPPORT_MMA_PROGRAM_H_
#define LATHE_TESTS_SUPPORT_MMA_PROGRAM_H_

#include <string>

namespace lathe::testing {

struct MmaProduct {
  int m, n, k;
  const char* c;  // names in programs: "fp32", "tf32"
  const char* a;
  const char* b;
  const char* op = "";  // "xor" or "and" for 1-bit operands
};

// The number of memory elements per line of a factor; 1-bit elements are stored in words.
int DepthOf(const MmaProduct& product);

// The element type of matrices with that name: "float32".
std::string DTypeOf(const std::string& name);

// Returns def NAME(A, B, D): D = A * B + 1, executed by a warp.
std::string MmaFunction(const std::string& name, const MmaProduct& product);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_MMA_PROGRAM_H_

// Generates programs that multiply small matrices by T.ptx_mma; each lane loads its elements from
// the positions that PTX defines.
#ifndef LATHE_TESTS_SUPPORT_MMA_PROGRAM_H_
#define LATHE_TESTS_SUPPORT_MMA_PROGRAM_H_

#include <string>

namespace lathe::testing {

struct MmaProduct {
  int m, n, k;
  const char* c;  // as programs call them: "fp32", "tf32"
  const char* a;
  const char* b;
  const char* op = "";  // "xor", "and" of bits
};

// How many elements of memory a line of a factor is: of bits, words.
int DepthOf(const MmaProduct& product);

// What matrices of that name are made of: "float32".
std::string DTypeOf(const std::string& name);

// def NAME(A, B, D): D = A * B + 1, by a warp.
std::string MmaFunction(const std::string& name, const MmaProduct& product);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_MMA_PROGRAM_H_

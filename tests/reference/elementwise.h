// Elementwise operators one element at a time: as NumPy defines them, or TVM's documentation where
// NumPy has none. Integers are the numbers they are, before they wrap.
#ifndef LATHE_TESTS_REFERENCE_ELEMENTWISE_H_
#define LATHE_TESTS_REFERENCE_ELEMENTWISE_H_

#include <string>
#include <vector>

#include "tests/reference/number.h"

namespace lathe::reference {

// Rounds what an operator that is made of several has in between.
struct InDType {
  std::string dtype;
  double operator()(double x) const { return static_cast<double>(Rounded(x, dtype)); }
};

enum class Exactness {
  kExact,     // rounded once from the exact result
  kLibrary,   // as good as a mathematical library
  kComposed,  // of several roundings
};

struct RealUnary {
  const char* op;
  Exactness exactness;
  double (*f)(double);
  bool truth = false;  // the result is a bool
};
struct WholeUnary {
  const char* op;
  Wide (*f)(Wide);
  bool truth = false;
};
struct RealBinary {
  const char* op;
  Exactness exactness;
  double (*f)(double, double, const InDType&);
  bool truth = false;
};
struct WholeBinary {
  const char* op;
  enum Right { kAny, kNotZero, kExponent, kShift } right;
  Wide (*f)(Wide, Wide);
  bool truth = false;
};

const std::vector<RealUnary>& RealUnaries();
const std::vector<WholeUnary>& WholeUnaries();
const std::vector<RealBinary>& RealBinaries();
const std::vector<WholeBinary>& WholeBinaries();

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_ELEMENTWISE_H_

// Compares many calls of one operator with a naive operator.
//
// A sweep is a row: the operator and a function that makes its calls. The rows of all families are
// gathered in tests/unit/ops/swept_operators_test.cc, where each is a test of its own, and where an
// operator that no row names fails.
#ifndef LATHE_TESTS_SUPPORT_OP_SWEEP_H_
#define LATHE_TESTS_SUPPORT_OP_SWEEP_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "generator/ir/attrs.h"
#include "tests/reference/array.h"
#include "tests/reference/number.h"
#include "tests/support/op_runner.h"

namespace lathe::testing {

// How far floats may be apart: so many times the dtype's distance between neighbours at 1, of the
// wanted number or of `floor` if that is larger.
struct Tolerance {
  double steps = 0;
  double floor = 0;
};

class OpSweep {
 public:
  explicit OpSweep(std::string op) : op_(std::move(op)) {}

  // Runs the operator and expects `want`, of the same dtypes and shapes. Elements that have no
  // `whole` are rounded to their dtype before they are compared.
  void Expect(const std::vector<OpArg>& args, const ir::AttrMap& attrs,
              const std::vector<TypedArray>& want, Tolerance tolerance = {});
  // The same of a program that evaluates `expression` with inputs x0, x1 and so on: for operators
  // without a loop nest. A shape is wanted as int64, a tuple as its fields.
  void ExpectProgram(const std::string& expression, const std::vector<TypedArray>& inputs,
                     const std::vector<TypedArray>& want);
  int cases() const { return cases_; }
  // Another number for each draw.
  uint32_t seed() { return ++seed_; }

 private:
  std::string op_;
  int cases_ = 0;
  uint32_t seed_ = 0;
};

struct SweptOperator {
  std::string op;  // as programs call it, after "R."
  std::function<void(OpSweep&)> sweep;
};
inline void PrintTo(const SweptOperator& swept, std::ostream* out) { *out << swept.op; }

// Ranks 0 to 5, with dimensions of 0 and 1 among them.
const std::vector<reference::Shape>& SweepShapes();

const std::vector<std::string>& FloatDTypes();  // from 8 bits to 64
const std::vector<std::string>& WholeDTypes();  // integers, from 4 bits to 64
const std::vector<std::string>& AllDTypes();    // both, and bool

// The n-th of a list, from its start again after its end.
template <typename T>
const T& Cycle(const std::vector<T>& list, size_t n) {
  return list[n % list.size()];
}

// Numbers that the dtype holds: small ones, exact in sums of a few.
TypedArray DrawSmall(const reference::Shape& shape, const std::string& dtype, uint32_t seed);
// Of everything that the dtype holds, its edges among them; NaN and infinities too where
// `specials`.
TypedArray DrawWide(const reference::Shape& shape, const std::string& dtype, uint32_t seed,
                    bool specials = false);
// Whole numbers from `low` to below `high`.
TypedArray DrawIndices(const reference::Shape& shape, const std::string& dtype, uint32_t seed,
                       int64_t low, int64_t high);

// Element n of an integer tensor as the number it is.
reference::Wide WideAt(const TypedArray& typed, size_t n);
// A tensor of numbers that are brought into the dtype as two's complement does.
TypedArray OfWide(const reference::Shape& shape, const std::string& dtype,
                  const std::vector<reference::Wide>& numbers);

ir::AttrValue IntList(const std::vector<int64_t>& numbers);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_OP_SWEEP_H_

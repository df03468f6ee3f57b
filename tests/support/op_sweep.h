// Compares many calls of one operator with a naive operator.
//
// A sweep is a row: the operator and a function that generates its calls.
// tests/unit/ops/swept_operators_test.cc collects the rows of all families, runs each as a test,
// and fails for operators without a row.
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

// Tolerance of floats: a multiple of the dtype's epsilon, relative to the expected number or to
// `floor` if that is larger.
struct Tolerance {
  double steps = 0;
  double floor = 0;
};

class OpSweep {
 public:
  explicit OpSweep(std::string op) : op_(std::move(op)) {}

  // Runs the operator and expects `want`, with equal dtypes and shapes. Elements without `whole`
  // are rounded to their dtype before the comparison.
  void Expect(const std::vector<OpArg>& args, const ir::AttrMap& attrs,
              const std::vector<TypedArray>& want, Tolerance tolerance = {});
  // The same for a program that evaluates `expression` with inputs x0, x1 and so on: for operators
  // without a loop nest. A shape is compared as int64, a tuple as its fields.
  void ExpectProgram(const std::string& expression, const std::vector<TypedArray>& inputs,
                     const std::vector<TypedArray>& want);
  int cases() const { return cases_; }
  // Returns a new number for each draw.
  uint32_t seed() { return ++seed_; }

 private:
  std::string op_;
  int cases_ = 0;
  uint32_t seed_ = 0;
};

struct SweptOperator {
  std::string op;  // its name in programs, after "R."
  std::function<void(OpSweep&)> sweep;
};
inline void PrintTo(const SweptOperator& swept, std::ostream* out) { *out << swept.op; }

// Ranks 0 to 5, including dimensions of 0 and 1.
const std::vector<reference::Shape>& SweepShapes();

const std::vector<std::string>& FloatDTypes();  // from 8 bits to 64
const std::vector<std::string>& WholeDTypes();  // integers, from 4 bits to 64
const std::vector<std::string>& AllDTypes();    // both, and bool

// Returns the n-th element of a list, cyclically.
template <typename T>
const T& Cycle(const std::vector<T>& list, size_t n) {
  return list[n % list.size()];
}

// Small numbers of the dtype whose sums are exact.
TypedArray DrawSmall(const reference::Shape& shape, const std::string& dtype, uint32_t seed);
// Numbers from the whole range of the dtype, including its limits; with `specials` also NaN and
// infinities.
TypedArray DrawWide(const reference::Shape& shape, const std::string& dtype, uint32_t seed,
                    bool specials = false);
// Whole numbers from `low` to `high`, exclusive.
TypedArray DrawIndices(const reference::Shape& shape, const std::string& dtype, uint32_t seed,
                       int64_t low, int64_t high);

// Returns element n of an integer tensor.
reference::Wide WideAt(const TypedArray& typed, size_t n);
// Returns a tensor of numbers that are wrapped to the dtype in two's complement.
TypedArray OfWide(const reference::Shape& shape, const std::string& dtype,
                  const std::vector<reference::Wide>& numbers);

ir::AttrValue IntList(const std::vector<int64_t>& numbers);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_OP_SWEEP_H_

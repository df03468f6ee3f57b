// Generates calls of each operator: one row per operator, one function per family.
#ifndef LATHE_TESTS_RANDOM_OP_ROWS_H_
#define LATHE_TESTS_RANDOM_OP_ROWS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tests/random/sketch.h"

namespace lathe::random {

struct OpRow {
  const char* op;
  void (*make)(Sketch& s, const std::string& op);
  // The result moves no more than the arguments do: moves of data, sums, bounded functions.
  bool smooth = false;
  bool pure = true;
};

// The families, each in a file of its own.
absl::Span<const OpRow> ElementwiseRows();
absl::Span<const OpRow> ShapeRows();
absl::Span<const OpRow> CreateRows();
absl::Span<const OpRow> ReduceRows();
absl::Span<const OpRow> IndexRows();
absl::Span<const OpRow> NeuralRows();
absl::Span<const OpRow> CompositeRows();
absl::Span<const OpRow> ImageRows();
absl::Span<const OpRow> MemoryRows();

const std::vector<OpRow>& AllRows();

// Operators that are forms of statements in random programs: calls of functions, effects.
absl::Span<const OpRow> CallRows();

// Operators that are not called, and why: sorted.
struct Exception {
  const char* op;
  const char* why;
};
absl::Span<const Exception> NotGenerated();

// Makes up a call of one of the operators.
void CallSomeOp(Sketch& s);
void CallOp(Sketch& s, const OpRow& row);

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_OP_ROWS_H_

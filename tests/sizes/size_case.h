// The product that is swept: operators, extreme sizes, their declarations, targets.
#ifndef LATHE_TESTS_SIZES_SIZE_CASE_H_
#define LATHE_TESTS_SIZES_SIZE_CASE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "generator/support/source.h"
#include "tests/compiled/compiled_program.h"
#include "tests/random/op_rows.h"
#include "tests/random/write_program.h"
#include "tests/sizes/form_rows.h"
#include "tests/sizes/target_form.h"

namespace lathe::sizes {

// What a program is told of its sizes before it runs, as by `-D`.
enum class Declared { kExact, kNothing, kFromZero, kFromOne };

struct SizeCase {
  std::string row;  // the operator's name, or the form's
  const random::OpRow* op = nullptr;
  const FormRow* form = nullptr;
  random::OpSizes sizes;
  Declared declared;
  const TargetForm* target;
  uint64_t seed;
  std::string name;  // "relax.matmul n=0 m=5 exact x86-64-v3 1"
};

// How many rows there are: the operators of tests/random, those of its statements, forms.
int64_t NumRows();

// The program of the case. Fails where the operator does not take such sizes; `text`, which has to
// outlive the module, is what it was read from, where it was.
absl::StatusOr<random::Program> WriteCase(ir::Context& context, const SizeCase& one,
                                          std::optional<SourceFile>& text);

// How many cases there are, and the one at `index`: the first ones are of one operator each, in its
// turn, and change all else from one to the next, so that some of them are a sample of the whole.
int64_t NumCases();
SizeCase CaseAt(int64_t index);

// The ranges that `declared` gives the sizes of the case, as far as its program has them.
compiled::SizeRanges RangesOf(const SizeCase& one, const random::Program& program);

}  // namespace lathe::sizes

#endif  // LATHE_TESTS_SIZES_SIZE_CASE_H_

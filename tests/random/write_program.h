// Generates a program: a module with an executable function main, equal for equal seeds.
#ifndef LATHE_TESTS_RANDOM_WRITE_PROGRAM_H_
#define LATHE_TESTS_RANDOM_WRITE_PROGRAM_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "tests/random/op_rows.h"
#include "tests/random/tally.h"

namespace lathe::random {

struct Program {
  ir::Module module;
  std::map<std::string, int64_t> sizes;  // of all shape variables, when it is run
  Tally tally;
};

// Fails, with what is wrong, if the generated program is malformed: a bug of the generator.
absl::StatusOr<Program> WriteProgram(ir::Context& context, uint64_t seed);

// Of the elements that inputs have.
enum class Widths { kWholeBytes, kUnderAByte };

// The sizes that main's inputs have when it runs, and those that the rows choose from.
struct OpSizes {
  int64_t n = 0, m = 0;
  std::vector<int64_t> choices = {};
};

// A program whose main is little more than a call of `row`'s operator, with inputs of dtypes that
// change with the seed and of sizes that no block of threads is a multiple of; what the call gives
// is what main gives.
absl::StatusOr<Program> WriteOpProgram(ir::Context& context, const OpRow& row, uint64_t seed,
                                       Widths widths = Widths::kWholeBytes,
                                       const OpSizes* sizes = nullptr);

// Counts the calls of operators in `module`.
void CountOps(const ir::Module& module, Tally& tally);

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_WRITE_PROGRAM_H_

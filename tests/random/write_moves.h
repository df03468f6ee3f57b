// Generates programs that move data: partial reads, several sizes, permutations, repeated or
// omitted elements, with elementwise operators and reductions between.
#ifndef LATHE_TESTS_RANDOM_WRITE_MOVES_H_
#define LATHE_TESTS_RANDOM_WRITE_MOVES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tests/random/write_program.h"

namespace lathe::random {

// Every dtype, sizes 0 and 1 and around the widths of vectors, as numbers and as variables. The
// same program for the same seed.
absl::StatusOr<Program> WriteMovesProgram(ir::Context& context, uint64_t seed);

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_WRITE_MOVES_H_

// Mutates programs by lines and words: most results still parse, and reach the stages after the
// parser.
#ifndef LATHE_TESTS_FUZZ_MUTATE_PROGRAM_H_
#define LATHE_TESTS_FUZZ_MUTATE_PROGRAM_H_

#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe::fuzz {

// `text` with one change: a word replaced by another of the same kind, a number by one at an edge,
// a line or a bracketed part removed, repeated, moved, or taken from `donor`.
std::string MutateProgram(absl::string_view text, absl::string_view donor,
                          std::minstd_rand& random);

}  // namespace lathe::fuzz

#endif  // LATHE_TESTS_FUZZ_MUTATE_PROGRAM_H_

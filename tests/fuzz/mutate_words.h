// Mutates binary files with offsets, such as FlatBuffers: most results keep the structure.
#ifndef LATHE_TESTS_FUZZ_MUTATE_WORDS_H_
#define LATHE_TESTS_FUZZ_MUTATE_WORDS_H_

#include <random>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe::fuzz {

// `bytes` with one change: an aligned number of 1, 2, 4 or 8 bytes made another, copied from
// `bytes` or `donor`; or the end cut off.
std::string MutateWords(absl::string_view bytes, absl::string_view donor, std::minstd_rand& random);

}  // namespace lathe::fuzz

#endif  // LATHE_TESTS_FUZZ_MUTATE_WORDS_H_

// Selects the mutations of a target: mutate_wire.h for protobuf messages, mutate_words.h for
// FlatBuffers, mutate_program.h for texts.
#ifndef LATHE_TESTS_FUZZ_MUTATE_H_
#define LATHE_TESTS_FUZZ_MUTATE_H_

#include <random>
#include <string>

#include "absl/strings/string_view.h"
#ifdef LATHE_FUZZ_WIRE
#include "tests/fuzz/mutate_wire.h"
#elif defined(LATHE_FUZZ_WORDS)
#include "tests/fuzz/mutate_words.h"
#else
#include "tests/fuzz/mutate_program.h"
#endif

namespace lathe::fuzz {

inline std::string Mutate(absl::string_view input, absl::string_view donor,
                          std::minstd_rand& random) {
#ifdef LATHE_FUZZ_WIRE
  return MutateWire(input, donor, random);
#elif defined(LATHE_FUZZ_WORDS)
  return MutateWords(input, donor, random);
#else
  return MutateProgram(input, donor, random);
#endif
}

}  // namespace lathe::fuzz

#endif  // LATHE_TESTS_FUZZ_MUTATE_H_

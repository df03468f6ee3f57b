// Mutates protobuf messages: the results are messages with consistent lengths, and reach the stages
// after the decoder.
#ifndef LATHE_TESTS_FUZZ_MUTATE_WIRE_H_
#define LATHE_TESTS_FUZZ_MUTATE_WIRE_H_

#include <random>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe::fuzz {

// `message` with one change to a field of it or of a message in it: a number made another, bytes
// taken from a field of `donor`, a field left out, repeated or moved.
std::string MutateWire(absl::string_view message, absl::string_view donor,
                       std::minstd_rand& random);

}  // namespace lathe::fuzz

#endif  // LATHE_TESTS_FUZZ_MUTATE_WIRE_H_

// Made-up inputs that are the same on every machine.
//
// Element n of the input called `name` comes from the n-th number of SplitMix64, started at
// seed xor FNV-1a(name): floats are uniform in [-1, 1) in steps of 2^-23 before rounding to their
// dtype, signed integers in -8..7, unsigned ones in 0..15, as far as the dtype holds them, bools
// false or true.
#ifndef LATHE_INTERP_DATA_RANDOM_INPUT_H_
#define LATHE_INTERP_DATA_RANDOM_INPUT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/interp/data/tensor.h"

namespace lathe::interp {

class RandomInput {
 public:
  RandomInput(uint64_t seed, absl::string_view name);
  // Integers from then on are those of 0..15, modulo `limit`: places in what has as many elements.
  void KeepIntegersBelow(uint64_t limit) { limit_ = limit; }
  Bits Next(ir::DType dtype);
  void Fill(const Tensor& tensor);

 private:
  uint64_t Next64();
  uint64_t state_;
  uint64_t limit_ = 0;  // none
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_RANDOM_INPUT_H_

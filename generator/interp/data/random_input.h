// Generates pseudorandom inputs that are equal on every machine.
//
// Element n of the input `name` comes from the n-th number of SplitMix64, seeded with seed xor
// FNV-1a(name). Floats are uniform in [-1, 1) in steps of 2^-23 before rounding to their dtype,
// signed integers in -8..7, unsigned ones in 0..15, limited to the range of the dtype, bools false
// or true.
#ifndef LATHE_INTERP_DATA_RANDOM_INPUT_H_
#define LATHE_INTERP_DATA_RANDOM_INPUT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/interp/data/tensor.h"

namespace lathe::interp {

class RandomInput {
 public:
  RandomInput(uint64_t seed, absl::string_view name);
  // Makes further integers 0..15 modulo `limit`: valid indices of an axis with `limit` elements.
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

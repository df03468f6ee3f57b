// Orders the steps from a float network to a quantized one by what they cost and save.
#ifndef LATHE_DRIVER_ORDER_MOVES_H_
#define LATHE_DRIVER_ORDER_MOVES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lathe::driver {

// The quantization of a layer, or of its weights, to fewer bits than before.
struct PrecisionMove {
  size_t layer = 0;
  int bits = 8;
  double loss = 0;    // that it adds
  int64_t saved = 0;  // bytes of weights
};

// Returns the moves with the least loss per saved byte first, then those that save nothing, by
// their loss. With `by_loss`, all are ordered by their loss alone. A move of a layer to fewer bits
// follows that to more bits.
std::vector<PrecisionMove> OrderMoves(std::vector<PrecisionMove> moves, bool by_loss);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_ORDER_MOVES_H_

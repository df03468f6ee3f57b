// Generates random numbers like ONNX's reference implementation: 53-bit draws of the Mersenne
// Twister MT19937. Programs have no state, so every run draws the same numbers.
#ifndef LATHE_READER_ONNX_RANDOM_DRAWS_H_
#define LATHE_READER_ONNX_RANDOM_DRAWS_H_

#include <functional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// A draw is an integer below 2^kDrawnBits.
inline constexpr int kDrawnBits = 53;
inline constexpr double kDraws = 9007199254740992.0;

// Returns the attribute `seed` or, without one, a number derived from the node's index. A seed that
// is negative or has more than 32 bits counts as 0.
uint32_t SeedOf(NodeCall& n);

// Draws `each` numbers for every element of `shape`, in row-major order, and passes them to `use`.
void DrawEach(
    Te& te, const Dims& shape, uint32_t seed, int each,
    const std::function<void(ops::Statements&, const Indices& at, const Scalars& draws)>& use);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RANDOM_DRAWS_H_

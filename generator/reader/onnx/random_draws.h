// Numbers at random, as ONNX's reference implementation draws them: the Mersenne Twister MT19937,
// 53 bits at a time. A program keeps no state: each of its runs draws the same ones.
#ifndef LATHE_READER_ONNX_RANDOM_DRAWS_H_
#define LATHE_READER_ONNX_RANDOM_DRAWS_H_

#include <functional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// One draw is an integer below 2^kDrawnBits.
inline constexpr int kDrawnBits = 53;
inline constexpr double kDraws = 9007199254740992.0;

// The attribute `seed`, or, where the node has none, a number by its place in the graph.
uint32_t SeedOf(NodeCall& n);

// For each place of a tensor of `shape`, in row-major order, draws `each` times and has `use` do
// with the draws what it wants.
void DrawEach(
    Te& te, const Dims& shape, uint32_t seed, int each,
    const std::function<void(ops::Statements&, const Indices& at, const Scalars& draws)>& use);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RANDOM_DRAWS_H_

// How much an ONNX file may hold. Each is far beyond what exporters write, and there so that a
// hostile file ends in a message and not in a full stack or memory.
#ifndef LATHE_READER_ONNX_LIMITS_H_
#define LATHE_READER_ONNX_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace lathe::onnx {

// Graphs within graphs, functions that call functions, sequences of sequences, counted together.
inline constexpr int kMaxDepth = 40;

// Dimensions of one tensor.
inline constexpr int kMaxRank = 32;

// Elements that one tensor may have by its declared dimensions.
inline constexpr int64_t kMaxElements = int64_t{1} << 40;

// Bytes of one tensor whose shape is known.
inline constexpr int64_t kMaxTensorBytes = int64_t{64} << 30;

// Nodes that a graph may become once functions stand where they are called and loops of a known
// number of turns are written out.
inline constexpr int64_t kMaxImportedNodes = 2'000'000;

// Errors after which the rest of a model is not looked at.
inline constexpr int kMaxErrors = 200;

// Calls of the model's own functions among them.
inline constexpr int64_t kMaxCalls = 20'000;

// Bytes of one folded constant: what shapes are computed from is small, weights are folded later.
inline constexpr uint64_t kMaxFoldedBytes = uint64_t{1} << 20;

// Loop iterations that folding may take, and bytes that it may leave, over all nodes of a model:
// those of few bytes, as shapes are, and the others, which the compiler folds later.
inline constexpr int64_t kMaxFoldSteps = 20'000'000, kMaxEarlySteps = 2'000'000;
inline constexpr uint64_t kMaxFoldBytes = uint64_t{16} << 20;
inline constexpr uint64_t kFewBytes = 4096;

// Elements of a tensor whose values are followed through shape arithmetic.
inline constexpr int64_t kMaxFollowedElements = 256;

// Bytes that a sparse tensor may take with its zeros, or so many times those that it has.
inline constexpr uint64_t kMaxSparseBytes = uint64_t{16} << 20, kMostZeros = 64;

// The versions that are understood.
inline constexpr int64_t kFirstIrVersion = 3, kLastIrVersion = 14;
inline constexpr int64_t kLastOpset = 28, kLastMlOpset = 5;

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_LIMITS_H_

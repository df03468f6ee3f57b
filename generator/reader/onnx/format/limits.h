// Defines the limits of an ONNX file. They exceed what exporters write by far; a hostile file gets
// a diagnostic instead of exhausting the stack or memory.
#ifndef LATHE_READER_ONNX_FORMAT_LIMITS_H_
#define LATHE_READER_ONNX_FORMAT_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace lathe::onnx {

// Combined nesting depth of subgraphs, function calls and sequence types.
inline constexpr int kMaxDepth = 40;

// Dimensions of one tensor.
inline constexpr int kMaxRank = 32;

// Elements of one tensor by its declared dimensions.
inline constexpr int64_t kMaxElements = int64_t{1} << 40;

// Bytes of one tensor whose shape is known.
inline constexpr int64_t kMaxTensorBytes = int64_t{64} << 30;

// Nodes of a graph after functions are inlined and loops with a known trip count are unrolled.
inline constexpr int64_t kMaxImportedNodes = 2'000'000;

// Errors after which the import stops.
inline constexpr int kMaxErrors = 200;

// Calls of functions that the model defines.
inline constexpr int64_t kMaxCalls = 20'000;

// Bytes of one folded constant. Shape computations are small; weights are folded later.
inline constexpr uint64_t kMaxFoldedBytes = uint64_t{1} << 20;

// Loop iterations that folding may evaluate and bytes that it may create, over all nodes of a
// model. Small results, as in shape computations, and others have separate budgets; the pass
// FoldConstants folds the rest.
inline constexpr int64_t kMaxFoldSteps = 20'000'000, kMaxEarlySteps = 2'000'000;
inline constexpr uint64_t kMaxFoldBytes = uint64_t{16} << 20;
inline constexpr uint64_t kFewBytes = 4096;

// Elements of a tensor that takes part in symbolic shape arithmetic.
inline constexpr int64_t kMaxShapeArithmeticElements = 256;

// Bytes that a sparse tensor may have when it is expanded, or this multiple of its stored bytes.
inline constexpr uint64_t kMaxSparseBytes = uint64_t{16} << 20, kMaxZeros = 64;

// Supported IR versions.
inline constexpr int64_t kFirstIrVersion = 3, kLastIrVersion = 14;
inline constexpr int64_t kLastOpset = 28, kLastMlOpset = 5;

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_LIMITS_H_

// Emits attention of queries to keys as com.microsoft's operators define it.
#ifndef LATHE_READER_ONNX_ATTEND_H_
#define LATHE_READER_ONNX_ATTEND_H_

#include <optional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Queries, keys and values as (batch, heads, length, size), and the visibility of keys.
struct Heads {
  Operand q, k, v;
  double scale = 0;  // 0: 1 / sqrt(size)
  double softcap = 0;
  bool causal = false;
  PrimRef past = nullptr;       // number of cached keys before the first query, for causal masks
  std::optional<Operand> bias;  // added to the scores
  // int32: number of keys (batch), ends and begins of keys (2 * batch), or 1 for each visible key.
  std::optional<Operand> mask;
  // Number of keys per batch, minus one. The last query is aligned with the last key, and a query
  // sees no key after its own.
  std::optional<Operand> totals;
  int64_t window = -1;  // with totals: number of keys that a query sees, with its own; -1: all
  std::optional<Operand> sink;  // per head, the score of a key without a value
};

// Returns (batch, length, heads * size) as (batch, heads, length, size).
absl::StatusOr<Operand> SplitHeads(NodeCall& n, const Operand& x, int64_t heads);
// The inverse.
Operand JoinHeads(NodeCall& n, const Operand& x);

// Returns the weighted values of each query, with the heads joined: (batch, length, heads * size).
// Reports masks and biases of other ranks, and a head size that is not constant if the scale
// depends on it.
absl::StatusOr<Operand> Attend(NodeCall& n, const Heads& h);

// Returns columns [begin, begin + count) of the last axis.
Operand ColumnsOf(NodeCall& n, const Operand& x, int64_t begin, int64_t count);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_ATTEND_H_

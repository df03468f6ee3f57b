// Parses the loop nests of an attention one after the other: products of queries and keys, the
// largest score of each row, the sum of e^(score - largest), the product with the values, and
// elementwise operations before and after them. match_attention.h shows these nests.
#ifndef LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_
#define LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_

#include <optional>
#include <vector>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/schedule/cuda/shared_axes.h"

namespace lathe::schedule {

// The parsed attention. A row has the scores of one query. Expressions use the axes of the first
// nest; only the axis over the columns of the result is that of the nest of the second product.
struct ReadAttention {
  RowStage products;             // the nest of the products of queries and keys
  ir::NestAxis key;              // the axis of `products` over the keys
  ir::PrimRef score = nullptr;   // computed from a product, such as a scaled one
  ir::PrimRef weight = nullptr;  // the sum of e^(score - largest) over the keys of a row
  ir::PrimRef value = nullptr;   // the other factor of the second product: an element of V
  bool is_shared = false;  // e^(score - largest) is divided by `weight` before the second product
  RowStage mixed;          // the nest of the second product, with the operations on its result
  std::vector<ir::BufferRef> made;  // intermediate buffers, the result last
};

class AttentionReader {
 public:
  // `lets` are the values of variables defined around the nests.
  AttentionReader(ir::Context& context, const analysis::ShapeVarMap& lets)
      : ir_(context), axes_(context, lets) {}

  // Parses the first nest, products of queries and keys. Returns false for other statements.
  bool Begin(ir::StmtRef stmt);
  // Parses the next nest, which may be an elementwise operation. Returns false if it does not
  // continue the attention; read() is invalid then.
  bool Take(ir::StmtRef stmt);

  // Returns whether the second product has been parsed.
  bool is_complete() const { return read_.mixed.acc != nullptr; }
  const ReadAttention& read() const { return read_; }

 private:
  // Parses a nest and rewrites it in terms of the axes of the first one.
  std::optional<RowStage> Taken(ir::StmtRef stmt);
  // Records the buffer that `stage` stores. Later loads of it are replaced by the stored value, or
  // remain with `keeps_loads`.
  bool Record(const RowStage& stage, bool keeps_loads);
  // Matches a reduction over the keys: the largest score, or the sum of e^(score - largest).
  bool Gathers(const RowStage& stage);
  // Matches e^(score - largest).
  bool IsPower(ir::PrimRef e) const;
  // Matches e^(score - largest) divided by the sum of its row.
  bool IsShare(ir::PrimRef e) const;
  // Matches the second product.
  bool Mixes(const RowStage& stage);

  ir::Context& ir_;
  SharedAxes axes_;
  ReadAttention read_;
  ir::PrimRef largest_ = nullptr;  // score of a row
};

// Returns `e` without the conversions between floats of at least 16 bits around it.
ir::PrimRef Unrounded(ir::PrimRef e);

// Returns `e` as an operation of this kind, or null.
const ir::Binary* BinaryOf(ir::PrimRef e, ir::BinaryOp op);

// Returns whether `e` is a load of an element of `buffer`.
bool IsLoadOf(ir::PrimRef e, ir::BufferRef buffer);

// Returns whether `dtype` is a float of 16 or 32 bits.
bool IsFloatOrHalf(ir::DType dtype);

// Returns whether `e` is small enough to be duplicated at each use.
bool IsSmall(ir::PrimRef e);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_

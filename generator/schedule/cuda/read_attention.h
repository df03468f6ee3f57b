// The nests that an attention consists of, as far as they are read one after the other.
#ifndef LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_
#define LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_

#include <optional>
#include <vector>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/schedule/cuda/shared_axes.h"

namespace lathe::schedule {

// All over the axes of the first nest, but for the columns of the result.
struct ReadAttention {
  RowStage products;                // of queries and keys
  ir::NestAxis key;                 // which of its axes
  ir::PrimRef score = nullptr;      // what becomes of such a product
  ir::PrimRef weight = nullptr;     // the sum of e^(score - largest) of a row, where it was stored
  ir::PrimRef value = nullptr;      // what e^(score - largest) is multiplied by
  bool is_shared = false;           // it is divided by the weight before that
  RowStage mixed;                   // the sums of these, and what becomes of one
  std::vector<ir::BufferRef> made;  // what was stored on the way, the result the last
};

class AttentionReader {
 public:
  // `lets` are what variables around the nests stand for.
  AttentionReader(ir::Context& context, const analysis::ShapeVarMap& lets)
      : ir_(context), axes_(context, lets) {}

  // The first nest: products of queries and keys.
  bool Begin(ir::StmtRef stmt);
  // One of those that follow, what is done to results too; false where it is none.
  bool Take(ir::StmtRef stmt);

  // There is a result.
  bool is_complete() const { return read_.mixed.acc != nullptr; }
  const ReadAttention& read() const { return read_; }

 private:
  std::optional<RowStage> Taken(ir::StmtRef stmt);
  bool Made(const RowStage& stage, bool stays);
  bool Gathers(const RowStage& stage);
  bool IsPower(ir::PrimRef e) const;
  bool IsShare(ir::PrimRef e) const;
  bool Mixes(const RowStage& stage);

  ir::Context& ir_;
  SharedAxes axes_;
  ReadAttention read_;
  ir::PrimRef largest_ = nullptr;  // of a row
};

// Without the floats that it is converted to on the way.
ir::PrimRef Unrounded(ir::PrimRef e);

// The operation that `e` is; null where it is another one.
const ir::Binary* BinaryOf(ir::PrimRef e, ir::BinaryOp op);

bool IsLoadOf(ir::PrimRef e, ir::BufferRef buffer);

// Of 16 or 32 bits.
bool IsFloatOrHalf(ir::DType dtype);

// Whether it may be written out wherever it is used.
bool IsSmall(ir::PrimRef e);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_

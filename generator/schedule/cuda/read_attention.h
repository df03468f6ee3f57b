// Parses the nests of an attention one after the other.
#ifndef LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_
#define LATHE_SCHEDULE_CUDA_READ_ATTENTION_H_

#include <optional>
#include <vector>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/schedule/cuda/shared_axes.h"

namespace lathe::schedule {

// The parsed attention. All expressions are in the axes of the first nest, except for the columns
// of the result.
struct ReadAttention {
  RowStage products;                // of queries and keys
  ir::NestAxis key;                 // its key axis
  ir::PrimRef score = nullptr;      // the value computed from a product
  ir::PrimRef weight = nullptr;     // the sum of e^(score - largest) of a row
  ir::PrimRef value = nullptr;      // the factor of e^(score - largest)
  bool is_shared = false;           // divided by the weight before the second product
  RowStage mixed;                   // the second product with the operations on its result
  std::vector<ir::BufferRef> made;  // intermediate buffers, the result last
};

class AttentionReader {
 public:
  // `lets` are the values of variables defined around the nests.
  AttentionReader(ir::Context& context, const analysis::ShapeVarMap& lets)
      : ir_(context), axes_(context, lets) {}

  // Parses the first nest: products of queries and keys. Returns false for other nests.
  bool Begin(ir::StmtRef stmt);
  // Parses a later nest, also elementwise operations on results. Returns false for other nests.
  bool Take(ir::StmtRef stmt);

  // Returns whether the second product has been parsed.
  bool is_complete() const { return read_.mixed.acc != nullptr; }
  const ReadAttention& read() const { return read_; }

 private:
  std::optional<RowStage> Taken(ir::StmtRef stmt);
  bool Record(const RowStage& stage, bool keeps_loads);
  bool Gathers(const RowStage& stage);
  bool IsPower(ir::PrimRef e) const;
  bool IsShare(ir::PrimRef e) const;
  bool Mixes(const RowStage& stage);

  ir::Context& ir_;
  SharedAxes axes_;
  ReadAttention read_;
  ir::PrimRef largest_ = nullptr;  // of a row
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

// Computes the memory offsets of the elements that a nest accesses.
#ifndef LATHE_SCHEDULE_CUDA_ELEMENT_OFFSETS_H_
#define LATHE_SCHEDULE_CUDA_ELEMENT_OFFSETS_H_

#include <optional>
#include <vector>

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/nest.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

class ElementOffsets {
 public:
  // Analyzes nests over `axes`.
  ElementOffsets(ir::Context& context, const std::vector<ir::NestAxis>& axes);

  // Returns the offset of the element in a compact buffer, in elements.
  ir::PrimRef OffsetOf(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices);
  // Returns the stride of the offset in the variable if it is constant.
  std::optional<int64_t> StrideOf(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices,
                                  ir::PrimRef var);
  // Returns `e`, simplified with the ranges of the axes.
  ir::PrimRef Simplified(ir::PrimRef e);

 private:
  ir::Context& ir_;
  analysis::Assumptions known_;
};

// Returns whether `e` contains a conditional, whose operands must not be evaluated before its
// condition.
bool Chooses(ir::PrimRef e);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ELEMENT_OFFSETS_H_

// Where the elements lie that a nest reads and writes, in the order of memory.
#ifndef LATHE_SCHEDULE_CUDA_PLACES_H_
#define LATHE_SCHEDULE_CUDA_PLACES_H_

#include <optional>
#include <vector>

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/nest.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

class Places {
 public:
  // Of nests over these axes.
  Places(ir::Context& context, const std::vector<ir::NestAxis>& axes);

  // How many elements lie before the place in a compact buffer.
  ir::PrimRef Before(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices);
  // How many elements further it is where the variable is one larger, where that is always the
  // same.
  std::optional<int64_t> StepOf(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices,
                                ir::PrimRef var);
  ir::PrimRef Simplified(ir::PrimRef e);

 private:
  ir::Context& ir_;
  analysis::Assumptions known_;
};

// Compact, of whole bytes.
bool IsPlainMemory(const ir::Buffer& buffer);

// Both sides of a choice that is not made yet cannot be read before it is.
bool Chooses(ir::PrimRef e);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PLACES_H_

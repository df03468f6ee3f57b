#include "generator/lower/known_sizes.h"

#include <algorithm>

namespace lathe::lower {

using ir::PrimRef;

absl::flat_hash_set<PrimRef> SizesOfInputs(const ir::Program& program, const ir::Routine& routine) {
  absl::flat_hash_set<PrimRef> sizes;
  for (const ir::Part& part : routine.inputs) {
    const auto* id = std::get_if<ir::TensorId>(&part);
    if (id == nullptr) continue;
    for (PrimRef dim : program.tensors[*id].shape) {
      if (dim->As<ir::SymVar>() != nullptr) sizes.insert(dim);
    }
  }
  return sizes;
}

analysis::Assumptions KnownSizes(const ir::Context& context, const ir::Program& program,
                                 const ir::Routine& routine, bool is_entry) {
  analysis::Assumptions known;
  const absl::flat_hash_set<PrimRef> sizes = SizesOfInputs(program, routine);
  for (PrimRef var : sizes) {
    if (var->dtype() != ir::DType::Int(64) || context.IsSigned(var)) continue;
    known.Bound(var, {0, is_entry ? kMaxGiven : kMaxElements});
  }
  if (!is_entry) return known;
  for (const ir::Range& range : routine.ranges) {
    const bool open = range.high == analysis::kPosInf;
    const bool limited = open && sizes.contains(range.var);
    known.Bound(range.var, {range.low, limited ? std::max(range.low, kMaxGiven) : range.high});
  }
  return known;
}

}  // namespace lathe::lower

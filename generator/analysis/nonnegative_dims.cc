#include "generator/analysis/nonnegative_dims.h"

#include "absl/algorithm/container.h"
#include "generator/analysis/arithmetic/prove.h"

namespace lathe::analysis {

bool HasNonNegativeDims(ir::Context& context, ir::StructInfoRef known, ir::StructInfoRef wanted) {
  if (const auto* tuple = wanted->As<ir::TupleInfo>()) {
    const auto* fields = known->As<ir::TupleInfo>();
    for (size_t i = 0; fields != nullptr && i < fields->fields.size(); ++i) {
      if (i < tuple->fields.size() &&
          !HasNonNegativeDims(context, fields->fields[i], tuple->fields[i])) {
        return false;
      }
    }
    return true;
  }
  const auto* shape = wanted->As<ir::ShapeInfo>();
  const auto* found = known->As<ir::ShapeInfo>();
  if (shape == nullptr || shape->values || found == nullptr || !found->values) return true;
  return absl::c_all_of(*found->values, [&](ir::PrimRef dim) {
    return ProveLessEqual(context, context.Int(0), dim) == ir::Tri::kYes;
  });
}

}  // namespace lathe::analysis

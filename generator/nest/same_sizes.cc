#include "generator/nest/same_sizes.h"

#include "absl/algorithm/container.h"
#include "generator/analysis/arithmetic/prove.h"

namespace lathe::nest {

bool SameSize(ir::Context& context, ir::PrimRef a, ir::PrimRef b) {
  const ir::DType wide = ir::DType::Int(64);
  return analysis::ProveEqual(context, context.MakeCast(wide, a), context.MakeCast(wide, b)) ==
         ir::Tri::kYes;
}

bool SameSizes(ir::Context& context, const std::vector<ir::PrimRef>& a,
               const std::vector<ir::PrimRef>& b) {
  return absl::c_equal(a, b, [&](ir::PrimRef x, ir::PrimRef y) { return SameSize(context, x, y); });
}

}  // namespace lathe::nest

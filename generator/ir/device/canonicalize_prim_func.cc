#include "generator/ir/device/canonicalize_prim_func.h"

#include "generator/ir/device/address_numbered_barriers.h"
#include "generator/ir/device/launches_from_scope_ids.h"
#include "generator/ir/device/lower_ptx_instructions.h"

namespace lathe::ir {

PrimFunc CanonicalizePrimFunc(Context& context, const PrimFunc& func) {
  PrimFunc formed = LowerPtxInstructions(context, func);
  formed.body = AddressNumberedBarriers(context, LaunchesFromScopeIds(context, formed.body));
  return formed;
}

}  // namespace lathe::ir

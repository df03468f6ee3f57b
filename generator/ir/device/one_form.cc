#include "generator/ir/device/one_form.h"

#include "generator/ir/device/barriers_by_number.h"
#include "generator/ir/device/launches_of_scopes.h"
#include "generator/ir/device/plain_instructions.h"

namespace lathe::ir {

PrimFunc InOneForm(Context& context, const PrimFunc& func) {
  PrimFunc formed = PlainInstructions(context, func);
  formed.body = BarriersByNumber(context, LaunchesOfScopes(context, formed.body));
  return formed;
}

}  // namespace lathe::ir

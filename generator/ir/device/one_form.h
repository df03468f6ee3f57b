// Dialects say by several words what threads do: the form that is run and lowered has one.
#ifndef LATHE_IR_DEVICE_ONE_FORM_H_
#define LATHE_IR_DEVICE_ONE_FORM_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// `func` after PlainInstructions, LaunchesOfScopes and BarriersByNumber.
PrimFunc InOneForm(Context& context, const PrimFunc& func);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_ONE_FORM_H_

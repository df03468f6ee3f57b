// Which variables are values of scalars and no sizes: those may be negative.
#ifndef LATHE_ANALYSIS_SIGNED_VARS_H_
#define LATHE_ANALYSIS_SIGNED_VARS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// Makes the variables signed that are bound in `infos`, which are bound together, as the value of
// an R.Prim and stand alone in no shape there. Those that are `bound` before stay what they are.
void FindSignedVars(ir::Context& context, const std::vector<ir::StructInfoRef>& infos,
                    absl::FunctionRef<bool(ir::PrimRef)> bound);

// The same for what `func`, which is no operator's, is given as a number and is no dimension of its
// buffers.
void FindSignedVars(ir::Context& context, const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_SIGNED_VARS_H_

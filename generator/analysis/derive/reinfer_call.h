// Runs an operator's inference on a call of a module whose infos are derived.
#ifndef LATHE_ANALYSIS_DERIVE_REINFER_CALL_H_
#define LATHE_ANALYSIS_DERIVE_REINFER_CALL_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::analysis {

struct Inferred {
  ir::StructInfoRef info;
  // Conditions on sizes that inference assumed, in the order of their occurrence: code that
  // computes the call must check them at run time.
  std::vector<ir::PrimRef> needs;
};

// Returns nothing if inference rejects the call or the operator has none.
std::optional<Inferred> ReinferCall(ir::Context& context, const ir::Module& module,
                                    const ir::Call& call);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_REINFER_CALL_H_

// What an operator's inference says of a call in a module that is derived already.
#ifndef LATHE_ANALYSIS_DERIVE_INFER_AGAIN_H_
#define LATHE_ANALYSIS_DERIVE_INFER_AGAIN_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::analysis {

struct Inferred {
  ir::StructInfoRef info;
  // What inference took for granted of sizes, in the order it came upon it: whoever computes the
  // call has to check it.
  std::vector<ir::PrimRef> needs;
};

// Nothing when inference refuses the call, or there is none.
std::optional<Inferred> InferAgain(ir::Context& context, const ir::Module& module,
                                   const ir::Call& call);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_INFER_AGAIN_H_

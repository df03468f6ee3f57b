// Returns the info of an operand in a module whose infos are derived.
#ifndef LATHE_ANALYSIS_DERIVE_KNOWN_INFO_H_
#define LATHE_ANALYSIS_DERIVE_KNOWN_INFO_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::analysis {

// Returns ObjectInfo if the info is unknown: for a variable without derived info, or an unbound
// name.
ir::StructInfoRef KnownInfo(ir::Context& context, const ir::Module& module,
                            const ir::Operand& operand);
ir::StructInfoRef KnownInfo(ir::Context& context, const ir::Module& module, ir::GlobalId id);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_KNOWN_INFO_H_

// Finds calls of external functions whose results have a dynamic structure.
#ifndef LATHE_LOWER_KEEPS_RESULT_H_
#define LATHE_LOWER_KEEPS_RESULT_H_

#include "generator/ir/program.h"

namespace lathe::lower {

// Returns whether the call returns a boxed value. Its contents are kept until the run ends and use
// no scratch memory of the step.
bool KeepsResult(const ir::Program& program, const ir::PackedStep& step);

// Returns whether the result of the step is kept until the run ends.
bool Keeps(const ir::Program& program, const ir::Step& step);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_KEEPS_RESULT_H_

// Calls of functions from outside that give what only the run knows.
#ifndef LATHE_LOWER_KEEPS_RESULT_H_
#define LATHE_LOWER_KEEPS_RESULT_H_

#include "generator/ir/program.h"

namespace lathe::lower {

// Whether the call gives a value of any structure: what the function makes is kept to the end of
// the run, then, and takes no memory of the step's own.
bool KeepsResult(const ir::Program& program, const ir::PackedStep& step);

// Whether what the step makes is kept.
bool Keeps(const ir::Program& program, const ir::Step& step);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_KEEPS_RESULT_H_

// The body of a Relax function as the steps of its routine.
#ifndef LATHE_LOWER_LOWER_FUNCTION_H_
#define LATHE_LOWER_LOWER_FUNCTION_H_

#include "generator/lower/lowering.h"

namespace lathe::lower {

// Fills in the routine of the signature. What cannot be lowered is reported, all of it.
void LowerFunction(Lowering& all, const Signature& signature, const ir::Function& f);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_FUNCTION_H_

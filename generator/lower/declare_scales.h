// Declares the scales of the inputs and outputs of exported functions, from their attribute
// "scales".
//
//   R.func_attr({"scales": [[0.5, -128], None]})
//
// Here the only input is quantized, and the output is not.
#ifndef LATHE_LOWER_DECLARE_SCALES_H_
#define LATHE_LOWER_DECLARE_SCALES_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Sets Tensor::scale. The attribute lists inputs and then outputs, both without the state. It only
// describes: other forms of it are ignored.
void DeclareScales(const ir::Module& module, ir::Program& program);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_DECLARE_SCALES_H_

// Declares what the inputs and outputs of exported functions mean, from the attributes of the
// functions. Each lists inputs and then outputs, both without the state.
//
//   R.func_attr({"scales": [[0.5, -128], None], "keys": [None, ["cat", "dog"]]})
//
// Here the only input is quantized, and the columns of the output are the scores of two classes.
#ifndef LATHE_LOWER_DECLARE_PORTS_H_
#define LATHE_LOWER_DECLARE_PORTS_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Sets Tensor::scale and Tensor::keys. The attributes only describe: other forms of them are
// ignored.
void DeclarePorts(const ir::Module& module, ir::Program& program);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_DECLARE_PORTS_H_

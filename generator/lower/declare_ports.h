// Declares what the inputs and outputs of exported functions mean, from the attributes of the
// functions.
//
//   R.func_attr({"scales": [[0.5, -128], None], "labels": [["axis", ["cat", "dog"]]]})
//
// Here the only input is quantized, and the positions of the last axis of the output have labels.
// "value" instead of "axis": label k is the meaning of the value k.
#ifndef LATHE_LOWER_DECLARE_PORTS_H_
#define LATHE_LOWER_DECLARE_PORTS_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Sets Tensor::scale and Tensor::labels. "scales" lists inputs and then outputs, "labels" outputs,
// both without the state. The attributes only describe: other forms of them are ignored.
void DeclarePorts(const ir::Module& module, ir::Program& program);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_DECLARE_PORTS_H_

// Declares the labels of the outputs of exported functions, from their attribute "labels".
//
//   R.func_attr({"labels": [["axis", ["yes", "no"]], None]})
//
// Here the positions of the last axis of the first output have names, and the second output has no
// labels. "value" instead of "axis": label k says what the value k stands for.
#ifndef LATHE_LOWER_DECLARE_LABELS_H_
#define LATHE_LOWER_DECLARE_LABELS_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Sets Tensor::labels. The attribute lists the outputs without the state. It only describes: other
// forms of it are ignored.
void DeclareLabels(const ir::Module& module, ir::Program& program);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_DECLARE_LABELS_H_

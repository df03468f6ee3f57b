// Prints calls as TVMScript by the operator's schema: arguments by position, attributes by keyword.
//
//   R.nn.softmax(x, axis=-1)        R.call_tir(cls.f, (x,), out_ty=R.Tensor((4,), dtype="float32"))
//   R.call_packed("f", x)           cls.g(x)        closure(x)
#ifndef LATHE_IR_PRINT_PRINT_CALL_H_
#define LATHE_IR_PRINT_PRINT_CALL_H_

#include <string>

#include "generator/ir/print/graph_text.h"

namespace lathe::ir {

std::string PrintCall(const Call& call, const GraphText& text);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_CALL_H_

// Prints the statements of a PrimFunc as TVMScript.
#ifndef LATHE_IR_PRINT_PRINT_STMT_H_
#define LATHE_IR_PRINT_PRINT_STMT_H_

#include "generator/ir/print/tir_text.h"

namespace lathe::ir {

// Prints `stmt`, or "pass" if it is empty.
void PrintStmt(TirText& text, StmtRef stmt);

// Prints `lhs = rhs`, or `with rhs as lhs:` and the body if there is one.
void PrintScoped(TirText& text, absl::string_view lhs, absl::string_view rhs, StmtRef body);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_STMT_H_

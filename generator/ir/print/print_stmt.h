// Statements of a PrimFunc as TVMScript.
#ifndef LATHE_IR_PRINT_PRINT_STMT_H_
#define LATHE_IR_PRINT_PRINT_STMT_H_

#include "generator/ir/print/tir_text.h"

namespace lathe::ir {

// `stmt`, or "pass" when there is nothing in it.
void PrintStmt(TirText& text, StmtRef stmt);

// The statement `lhs = rhs`, or `with rhs as lhs:` and the body where there is one.
void PrintScoped(TirText& text, absl::string_view lhs, absl::string_view rhs, StmtRef body);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_STMT_H_

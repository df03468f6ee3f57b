// Elaborates the parameters and the result type of a PrimFunc.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SIGNATURE_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SIGNATURE_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Sets the parameters and the result type of s.func(), and binds the names of the parameters.
void ElaborateSignature(StmtElaborator& s, const ast::FunctionDef& def);

// The type of a variable, as annotations specify it: T.int32, T.handle("float32", "global"), bool.
struct VarType {
  ir::DType dtype;
  ir::DType pointee = ir::DType::Void();  // element type of a handle; void: unknown
  std::string scope;                      // memory scope of a handle; empty: unknown
};
// Elaborates the type annotation `e`. Returns nullopt, without a diagnostic, if `e` is neither a
// scalar type nor a pointer type.
absl::StatusOr<std::optional<VarType>> ElaborateVarType(StmtElaborator& s, const ast::Expr& e);

// Returns a new variable of type `type`.
ir::PrimRef MakeVar(ir::Context& context, absl::string_view name, const VarType& type);

// Returns the buffer that T.Buffer(...) or T.Buffer[...] describes, named `name`. Returns null for
// any other expression.
absl::StatusOr<ir::BufferRef> ElaborateBufferType(StmtElaborator& s, const ast::Expr& e,
                                                  absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SIGNATURE_H_

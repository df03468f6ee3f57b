// The parameters and the result of a PrimFunc.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SIGNATURE_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SIGNATURE_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Fills the parameters and the result type of s.func(), and binds the names.
void ElaborateSignature(StmtElaborator& s, const ast::FunctionDef& def);

// A type as annotations write it: T.int32, T.handle("float32", "global"), bool. Nothing for what is
// no scalar or pointer type; that is not diagnosed.
struct VarType {
  ir::DType dtype;
  ir::DType pointee = ir::DType::Void();  // of a handle
  std::string scope;                      // of a handle
};
absl::StatusOr<std::optional<VarType>> ElaborateVarType(StmtElaborator& s, const ast::Expr& e);

// A new variable of that type.
ir::PrimRef MakeVar(ir::Context& context, absl::string_view name, const VarType& type);

// The buffer that T.Buffer(...) or T.Buffer[...] describes; null for any other expression.
absl::StatusOr<ir::BufferRef> ElaborateBufferType(StmtElaborator& s, const ast::Expr& e,
                                                  absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SIGNATURE_H_

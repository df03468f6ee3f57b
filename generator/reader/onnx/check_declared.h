// What a model says of its values against what they are.
#ifndef LATHE_READER_ONNX_CHECK_DECLARED_H_
#define LATHE_READER_ONNX_CHECK_DECLARED_H_

#include <string>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Refuses a value whose element type or shape is known and another than `scope` declares.
absl::Status CheckDeclared(Import& import, const Scope& scope, const Node& node,
                           const std::string& name, const Term& term);

// Refuses a tensor of more than kMaxTensorBytes.
absl::Status CheckSize(Import& import, const Location& loc, const std::string& name,
                       ir::StructInfoRef info);

// What is declared of `name`; null where nothing is.
const Type* DeclaredOf(const Scope& scope, const std::string& name);

// The sizes that `type` says, a dim_param as the shape variable of that name. Nothing where one is
// not said, or has a name that no input has.
std::optional<std::vector<ir::PrimRef>> DimsOf(Import& import, const Type& type);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_CHECK_DECLARED_H_

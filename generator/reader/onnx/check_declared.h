// Compares the declared types of values with their derived types.
#ifndef LATHE_READER_ONNX_CHECK_DECLARED_H_
#define LATHE_READER_ONNX_CHECK_DECLARED_H_

#include <string>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Rejects a tensor whose element type or shape is known to differ from its declaration in `scope`.
// For nodes of ai.onnx.ml, a different shape is only a warning. Strings are not checked.
absl::Status CheckDeclared(Import& import, const Scope& scope, const Node& node,
                           const std::string& name, const Term& term);

// Rejects a tensor of more than kMaxTensorBytes or kMaxRank dimensions.
absl::Status CheckSize(Import& import, const Location& loc, const std::string& name,
                       ir::StructInfoRef info);

// Returns the declared type of `name`, or null.
const Type* DeclaredOf(const Scope& scope, const std::string& name);

// Returns the declared dimensions, a dim_param as its shape variable. Returns nothing if a
// dimension is unspecified or its dim_param is not that of an input.
std::optional<std::vector<ir::PrimRef>> DimsOf(Import& import, const Type& type);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_CHECK_DECLARED_H_

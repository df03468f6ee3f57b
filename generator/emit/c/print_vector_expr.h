// Scalar expressions as C for a vector of neighbouring elements at once.
#ifndef LATHE_EMIT_C_PRINT_VECTOR_EXPR_H_
#define LATHE_EMIT_C_PRINT_VECTOR_EXPR_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"

namespace lathe::emit {

struct VectorScope {
  CScope& scope;
  // The axis along which the elements lie; its variable is the first one's.
  ir::PrimRef axis = nullptr;
  // How many elements there are, where that may be less than a vector has; empty: a vector full.
  std::string part;
  // What is a vector and has a name: bound variables, and loads of sums that are complete.
  absl::flat_hash_map<ir::PrimRef, std::string> vectors = {};
};

struct VectorText {
  CText text;
  bool is_vector = false;  // else one number for all elements
};

// Fails on what schedule/vectors/vector_value.h does not take for a vector.
absl::StatusOr<VectorText> PrintVectorValue(VectorScope& v, ir::PrimRef e);
// The same, as a vector in any case.
absl::StatusOr<std::string> PrintVector(VectorScope& v, ir::PrimRef e);
// What stores `value`, the text of a vector, there.
absl::StatusOr<std::string> PrintVectorStore(VectorScope& v, ir::BufferRef buffer,
                                             const std::vector<ir::PrimRef>& indices,
                                             const std::string& value);

// The name of a helper of the file, which is then part of it.
std::string VectorFunction(CScope& scope, const std::string& name);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_VECTOR_EXPR_H_

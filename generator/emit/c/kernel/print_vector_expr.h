// Prints scalar expressions as C that computes a vector of adjacent elements at once.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_VECTOR_EXPR_H_
#define LATHE_EMIT_C_KERNEL_PRINT_VECTOR_EXPR_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

struct VectorScope {
  CScope& scope;
  // The variable of the axis along which the elements are adjacent. Its value is the index of the
  // first element.
  ir::PrimRef axis = nullptr;
  int lanes = 0;  // 1: everything is printed as scalars
  // The C expression of the number of elements, if it may be less than a full vector. Empty for a
  // full vector.
  std::string part;
  // The names of C vector variables: for bound variables, and for loads of complete sums.
  absl::flat_hash_map<ir::PrimRef, std::string> vectors = {};
};

struct VectorText {
  CText text;
  bool is_vector = false;  // false: one scalar for all elements
};

// Names the C variable that holds the complete sum.
void NameSum(VectorScope& v, ir::BufferRef acc, const std::string& name);
// Prints `e` as a vector, or as a scalar if it is the same for all elements. Fails if
// schedule/vectors/vector_value.h does not support `e` as a vector.
absl::StatusOr<VectorText> PrintVectorValue(VectorScope& v, ir::PrimRef e);
// Prints `e` as a vector. A scalar is broadcast.
absl::StatusOr<std::string> PrintVector(VectorScope& v, ir::PrimRef e);
// Prints the statement that stores the vector `value` to the elements of `buffer` from `indices`
// on.
absl::StatusOr<std::string> PrintVectorStore(VectorScope& v, ir::BufferRef buffer,
                                             const std::vector<ir::PrimRef>& indices,
                                             const std::string& value);

// Returns the name of the C type of `lanes` floats.
std::string VectorType(const CScope& scope, int lanes);
// Returns the number of elements in the vectors before `vector`.
std::string LanesBefore(const std::string& vector, int lanes);
// Returns the name of the vector helper `name` in the file. Adds the helper to the file.
std::string VectorFunction(CScope& scope, const std::string& name);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_VECTOR_EXPR_H_

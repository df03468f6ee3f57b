// Evaluates the functions of T that create objects: T.target, T.Range, T.iter_var, T.index_map,
// T.comm_reducer.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_OBJECTS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_OBJECTS_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/scalar_nodes.h"

namespace lathe::relax_text {

// Returns the evaluator of T.name, or null if it is not one of these functions.
NodeFn FindObject(absl::string_view name);

// Returns the names of these functions, for suggestions.
std::vector<absl::string_view> ObjectNames();

// Returns the index map of the lambda `e`: lambda i, j: (i // 4, j, IndexMap.AXIS_SEPARATOR, i %
// 4). Its parameters have type `dtype`.
absl::StatusOr<std::shared_ptr<const ir::IndexMap>> EvalIndexMap(ScalarElaborator& s,
                                                                 const ast::Expr& e,
                                                                 ir::DType dtype);

// Returns the iteration variable of T.iter_var, T.env_thread or T.launch_thread. `dom` may be null.
ir::AttrObject MakeIterVar(ir::PrimRef var, const ir::AttrObject* dom, absl::string_view kind,
                           absl::string_view thread);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_OBJECTS_H_

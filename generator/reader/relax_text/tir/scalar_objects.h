// The functions of T that make objects: T.target, T.Range, T.iter_var, T.index_map, T.comm_reducer.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_OBJECTS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_OBJECTS_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/scalar_nodes.h"

namespace lathe::relax_text {

// Null when T.name is not one of them.
NodeFn FindObject(absl::string_view name);

// Their names, for suggestions.
std::vector<absl::string_view> ObjectNames();

// lambda i, j: (i // 4, j, IndexMap.AXIS_SEPARATOR, i % 4).
absl::StatusOr<std::shared_ptr<const ir::IndexMap>> EvalIndexMap(ScalarElaborator& s,
                                                                 const ast::Expr& e,
                                                                 ir::DType dtype);

// An iteration variable: T.iter_var, T.env_thread, T.launch_thread. `dom` may be null.
ir::AttrObject MakeIterVar(ir::PrimRef var, const ir::AttrObject* dom, absl::string_view kind,
                           absl::string_view thread);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_OBJECTS_H_

// Elaborates annotations: R.Tensor((n, 4), "float32"), R.Tuple(...), R.Callable(...), T.int64.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STRUCT_INFO_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STRUCT_INFO_H_

#include "absl/status/statusor.h"
#include "generator/ir/struct_info.h"
#include "generator/reader/relax_text/elaboration/frame.h"
#include "generator/reader/relax_text/relax/shape_scope.h"

namespace lathe::relax_text {

// Returns the StructInfo that `e` denotes. `place` determines how new names in its dimensions are
// treated.
absl::StatusOr<ir::StructInfoRef> ElaborateStructInfo(Frame& frame, const ast::Expr& e,
                                                      DimPlace place);

// Returns true if `e` has the form of a StructInfo, valid or not, rather than of a value.
bool IsStructInfo(const Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STRUCT_INFO_H_

// Evaluates device-specific calls, T.ptx.mma(...), tile primitives, T.tile.copy(...), and tile
// layouts, T.TileLayout(T.S[8, 4]). Their arguments are kept unchanged.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_DEVICE_CALLS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_DEVICE_CALLS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// Evaluates the call `e` of T.name, for which ir::IsDeviceIntrinsic holds.
absl::StatusOr<ScalarValue> EvalDeviceCall(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name);

// Evaluates the subscript `e` of T.S or T.R: T.S[(8, 4) : (4, 1)]. `name` is "S" or "R".
absl::StatusOr<ScalarValue> EvalLayoutSpec(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_DEVICE_CALLS_H_

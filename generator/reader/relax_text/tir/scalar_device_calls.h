// Calls of one kind of device, T.ptx.mma(...), of tile primitives, T.tile.copy(...), and the
// layouts of tiles, T.TileLayout(T.S[8, 4]). They are kept as they are written.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_DEVICE_CALLS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_DEVICE_CALLS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// The call at `e` of an intrinsic for which ir::IsDeviceIntrinsic holds.
absl::StatusOr<ScalarValue> EvalDeviceCall(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name);

// T.S[(8, 4) : (4, 1)], and T.R the same.
absl::StatusOr<ScalarValue> EvalLayoutSpec(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_DEVICE_CALLS_H_

// R.Tensor and R.DTensor: shape, dtype, device and rank in all the ways they are written.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_TENSOR_INFO_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_TENSOR_INFO_H_

#include "absl/status/statusor.h"
#include "generator/ir/struct_info.h"
#include "generator/reader/relax_text/elaboration/frame.h"
#include "generator/reader/relax_text/relax/shape_scope.h"

namespace lathe::relax_text {

// `e` is a call of R.Tensor, or of R.DTensor.
absl::StatusOr<ir::StructInfoRef> ElaborateTensorInfo(Frame& frame, const ast::Expr& e,
                                                      bool distributed, DimPlace place);

// The oldest spelling: R.Tensor[(n, k), "float32"], R.Tensor[_, _]; `e` is a Subscript.
absl::StatusOr<ir::StructInfoRef> ElaborateTensorSubscript(Frame& frame, const ast::Expr& e,
                                                           DimPlace place);

// "float32", T.float32, R.dtype("float32").
absl::StatusOr<ir::DType> ElaborateDType(Frame& frame, const ast::Expr& e);

// The device of the module that `text` at `e` names: "cuda", "cuda:1", "cuda:1:global",
// "vdevice:3". Null after a diagnostic when there is none.
ir::VDeviceRef FindVDevice(Elaboration& el, const ast::Expr& e, absl::string_view text);

// A shape alone, as some operators' oldest spelling has it: dimensions or a variable.
absl::StatusOr<ir::TensorInfo> ElaborateTensorShape(Frame& frame, const ast::Expr& e,
                                                    DimPlace place);

// A whole number that is written out: ndim=2, ndim=-1. Fails after a diagnostic.
absl::StatusOr<int64_t> ElaborateNumber(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_TENSOR_INFO_H_

// Elaborates R.Tensor and R.DTensor in all their spellings: shape, dtype, device and rank.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_TENSOR_INFO_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_TENSOR_INFO_H_

#include "absl/status/statusor.h"
#include "generator/ir/struct_info.h"
#include "generator/reader/relax_text/elaboration/frame.h"
#include "generator/reader/relax_text/relax/shape_scope.h"

namespace lathe::relax_text {

// Returns the StructInfo of the call `e` of R.Tensor, or of R.DTensor if `distributed`.
absl::StatusOr<ir::StructInfoRef> ElaborateTensorInfo(Frame& frame, const ast::Expr& e,
                                                      bool distributed, DimPlace place);

// Returns the StructInfo of the subscript `e` in the oldest dialect: R.Tensor[(n, k), "float32"],
// R.Tensor[_, _].
absl::StatusOr<ir::StructInfoRef> ElaborateTensorSubscript(Frame& frame, const ast::Expr& e,
                                                           DimPlace place);

// Returns the dtype that `e` denotes: "float32", T.float32, R.dtype("float32"), or x.dtype if the
// annotation of x has a dtype.
absl::StatusOr<ir::DType> ElaborateDType(Frame& frame, const ast::Expr& e);

// Returns the virtual device that `text` names: "cuda", "cuda:1", "cuda:1:global", "vdevice:3". The
// number counts the declared devices of that kind, or all of them for "vdevice". A memory scope is
// ignored. Reports an error at `e` and returns null if the module does not declare the device.
ir::VDeviceRef FindVDevice(Elaboration& el, const ast::Expr& e, absl::string_view text);

// Returns a TensorInfo that has only the shape `e`: dimensions or a shape variable. Some operators
// have a shape argument in the oldest dialect.
absl::StatusOr<ir::TensorInfo> ElaborateTensorShape(Frame& frame, const ast::Expr& e,
                                                    DimPlace place);

// Returns the integer that `e` denotes: ndim=2, ndim=-1. Reports an error if `e` is not a constant
// integer.
absl::StatusOr<int64_t> ElaborateNumber(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_TENSOR_INFO_H_

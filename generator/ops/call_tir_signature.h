// Whether arguments and outputs of a call_tir agree with the PrimFunc it names.
#ifndef LATHE_OPS_CALL_TIR_SIGNATURE_H_
#define LATHE_OPS_CALL_TIR_SIGNATURE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// The infos of what the tuple of arguments holds, whether it is written in place, a variable, or a
// single value that stands for a tuple of one.
absl::StatusOr<std::vector<ir::StructInfoRef>> CallTirArgs(ir::InferContext& c,
                                                           const ir::Call& call);

// An error on a certain mismatch: other counts, ranks, dtypes, or dimensions that cannot be equal
// once the PrimFunc's variables stand for what the call gives them.
absl::Status CheckSignature(ir::InferContext& c, const ir::Call& call, ir::GlobalId callee,
                            const ir::PrimFunc& func, const std::vector<ir::StructInfoRef>& args,
                            const std::vector<ir::StructInfoRef>& outputs,
                            const std::vector<int64_t>& inplace_indices);

// Each in range, none twice, at least one not -1.
// Outputs are tensors of which the dimensions are written out, and for a PrimFunc the dtype too
// (the specification: "all the aSi must be TensorStructInfo with a shape field consisting of a
// ShapeExpr and a non-Void dtype").
absl::Status CheckCallTirOutputs(ir::InferContext& c, const ir::Call& call,
                                 const std::vector<ir::StructInfoRef>& outputs, bool need_dtype);

absl::Status CheckInplaceIndices(ir::InferContext& c, const ir::Call& call,
                                 const std::vector<int64_t>& indices, size_t args);

}  // namespace lathe::ops

#endif  // LATHE_OPS_CALL_TIR_SIGNATURE_H_

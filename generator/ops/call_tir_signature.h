// Checks the arguments and outputs of a call_tir against the PrimFunc.
#ifndef LATHE_OPS_CALL_TIR_SIGNATURE_H_
#define LATHE_OPS_CALL_TIR_SIGNATURE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// Returns the infos of the arguments, given as a tuple literal, a variable, or a single value that
// represents a tuple of one.
absl::StatusOr<std::vector<ir::StructInfoRef>> CallTirArgs(ir::InferContext& c,
                                                           const ir::Call& call);

// Fails on a certain mismatch: counts, ranks, dtypes, or dimensions that cannot be equal after
// substituting the PrimFunc's variables.
absl::Status CheckSignature(ir::InferContext& c, const ir::Call& call, ir::GlobalId callee,
                            const ir::PrimFunc& func, const std::vector<ir::StructInfoRef>& args,
                            const std::vector<ir::StructInfoRef>& outputs,
                            const std::vector<int64_t>& inplace_indices);

// Checks that outputs are tensors of literal shapes and, with `need_dtype`, of known dtype. The
// specification: "all the aSi must be TensorStructInfo with a shape field consisting of a ShapeExpr
// and a non-Void dtype".
absl::Status CheckCallTirOutputs(ir::InferContext& c, const ir::Call& call,
                                 const std::vector<ir::StructInfoRef>& outputs, bool need_dtype);

// Checks that indices are in range, that none occurs twice, and that at least one is not -1.
absl::Status CheckInplaceIndices(ir::InferContext& c, const ir::Call& call,
                                 const std::vector<int64_t>& indices, size_t args);

}  // namespace lathe::ops

#endif  // LATHE_OPS_CALL_TIR_SIGNATURE_H_

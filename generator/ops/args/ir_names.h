// Imports the names of ir/ that operators use.
#ifndef LATHE_OPS_ARGS_IR_NAMES_H_
#define LATHE_OPS_ARGS_IR_NAMES_H_

#include "absl/status/statusor.h"
#include "generator/ir/op.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

using ir::BufferRef;
using ir::Call;
using ir::DType;
using ir::InferContext;
using ir::PrimRef;
using ir::StructInfoRef;
using ir::TensorInfo;

using Result = absl::StatusOr<StructInfoRef>;  // of inference

}  // namespace lathe::ops

#endif  // LATHE_OPS_ARGS_IR_NAMES_H_

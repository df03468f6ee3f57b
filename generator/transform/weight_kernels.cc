#include "generator/transform/weight_kernels.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ops/te/weight_blocks.h"
#include "generator/support/status.h"
#include "generator/transform/call_to_tir.h"
#include "generator/transform/legalize.h"

namespace lathe::transform {
namespace {

const ir::DType kReal = ir::DType::Float(32);

ops::Dims DimsOf(ir::Context& context, const std::vector<int64_t>& shape) {
  ops::Dims dims;
  for (const int64_t size : shape) dims.push_back(context.Int(size));
  return dims;
}

}  // namespace

absl::StatusOr<ir::Call> WeightKernels::Dequantize(ir::ConstantId integers, ir::ConstantId scales,
                                                   int axis, int64_t block) {
  const ir::Constant& weights = module_.constants[integers];
  LATHE_ASSIGN_OR_RETURN(const ir::GlobalId func,
                         FunctionFor(weights, module_.constants[scales], axis, block));
  return CallTir(func, {ir::Operand{integers}, ir::Operand{scales}}, {},
                 context_.Tensor(DimsOf(context_, weights.shape), kReal));
}

absl::StatusOr<ir::GlobalId> WeightKernels::FunctionFor(const ir::Constant& integers,
                                                        const ir::Constant& scales, int axis,
                                                        int64_t block) {
  const std::string key =
      absl::StrCat(ToString(integers.dtype), " ", absl::StrJoin(integers.shape, ","), " ",
                   absl::StrJoin(scales.shape, ","), " ", axis, " ", block);
  if (const auto made = made_.find(key); made != made_.end()) return made->second;
  const ops::Dims dims = DimsOf(context_, integers.shape);
  LATHE_ASSIGN_OR_RETURN(
      ops::Te te,
      ops::Te::Of(context_, {{"integers", context_.Tensor(dims, integers.dtype)},
                             {"scales", context_.Tensor(DimsOf(context_, scales.shape), kReal)}}));
  ir::PrimFunc func = te.Finish({ops::DequantizeBlocks(te, dims, axis, block, kReal)});
  func.attrs[kOperatorName] = ir::AttrValue(std::string(ops::kDequantizeBlocks));
  const ir::GlobalId id =
      module_.globals.Add({names_.Unique(ops::kDequantizeBlocks), std::move(func), {}});
  made_.emplace(key, id);
  return id;
}

}  // namespace lathe::transform

#include "generator/lower/resolve_broadcast.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/ops.h"

namespace lathe::lower {
namespace {

using ir::BinaryOp;
using ir::PrimRef;
using Dims = std::vector<PrimRef>;

class Broadcast {
 public:
  Broadcast(RoutineBuilder& b, const std::string& op, const Location& loc)
      : b_(b), ir_(b.lowering.ir), op_(op), loc_(loc) {}

  Dims Of(const Dims& x, const Dims& y) {
    Dims dims = x.size() >= y.size() ? x : y;
    for (size_t i = 1; i <= std::min(x.size(), y.size()); ++i) {
      dims[dims.size() - i] = Both(x[x.size() - i], y[y.size() - i], dims.size() - i);
    }
    return dims;
  }

 private:
  PrimRef Is(PrimRef a, PrimRef b) { return ir_.Make(BinaryOp::kEq, a, b); }

  PrimRef Both(PrimRef x, PrimRef y, size_t axis) {
    const PrimRef one = ir_.Int(1);
    const auto* x_size = x->As<ir::IntImm>();
    const auto* y_size = y->As<ir::IntImm>();
    if (x == one || analysis::ProveEqual(ir_, x, y) == ir::Tri::kYes) return y;
    if (y == one) return x;
    PrimRef fits = Is(x, y);
    if (x_size == nullptr) fits = ir_.Make(BinaryOp::kOr, Is(x, one), fits);
    if (y_size == nullptr) fits = ir_.Make(BinaryOp::kOr, Is(y, one), fits);
    b_.EmitCheck({fits, absl::StrCat(op_, ": dimension ", axis)}, loc_);
    if (x_size != nullptr) return x;
    return y_size != nullptr ? y : b_.Resolve(ir_.MakeSelect(Is(x, one), y, x));
  }

  RoutineBuilder& b_;
  ir::Context& ir_;
  const std::string& op_;
  const Location& loc_;
};

}  // namespace

ir::StructInfoRef ResolveBroadcast(RoutineBuilder& b, const ActualCall& call,
                                   ir::StructInfoRef info, const Location& loc) {
  const auto* result = info->As<ir::TensorInfo>();
  const ir::Op& op = *call.call().op();
  if (result == nullptr || result->dims() != nullptr || result->dtype.is_void()) return info;
  const bool product = op.name == "relax.matmul";
  if (!product && op.compute != ops::FindOp("relax.add")->compute) return info;
  if (call.tensors().size() != 2) return info;
  const Dims x = b.lowering.program.tensors[call.tensors()[0]].shape;
  const Dims y = b.lowering.program.tensors[call.tensors()[1]].shape;
  Broadcast broadcast(b, op.name, loc);
  if (!product) return b.lowering.ir.Tensor(broadcast.Of(x, y), result->dtype);
  Dims dims = broadcast.Of(ops::BatchOf(x), ops::BatchOf(y));
  if (x.size() > 1) dims.push_back(x[x.size() - 2]);
  if (y.size() > 1) dims.push_back(y.back());
  return b.lowering.ir.Tensor(std::move(dims), result->dtype);
}

}  // namespace lathe::lower

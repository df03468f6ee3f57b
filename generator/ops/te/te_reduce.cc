// Implements the reductions and scans of Te.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ops/te/sum_dtype.h"
#include "generator/ops/te/te.h"

namespace lathe::ops {

using ir::BlockAxis;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

std::vector<BufferRef> Te::Fold(
    const std::vector<std::string>& names, const Dims& shape,
    const std::function<Dims(const Indices&)>& over_of, const Reducer& reducer,
    const std::function<std::vector<PrimRef>(const Indices&, const Indices&)>& values) {
  std::vector<BlockAxis> axes = Axes(shape, ir::AxisKind::kSpatial, "i");
  const Indices at = Vars(axes);
  Indices loops;
  for (const BlockAxis& axis : axes) loops.push_back(axis.binding);
  const Dims over = over_of(loops);
  // A block with an empty extent never runs, not even its init; then the initial value is a
  // separate nest.
  const bool may_be_empty = std::any_of(over.begin(), over.end(), [](PrimRef extent) {
    const auto* imm = extent->As<ir::IntImm>();
    return imm == nullptr || imm->value <= 0;
  });
  const std::vector<BlockAxis> outer =
      may_be_empty ? Axes(shape, ir::AxisKind::kSpatial, "i") : axes;
  const Indices begin = Vars(outer);
  const std::vector<BlockAxis> inner = Axes(over, ir::AxisKind::kReduce, "k");
  axes.insert(axes.end(), inner.begin(), inner.end());
  std::vector<BufferRef> buffers;
  std::vector<StmtRef> init, update;
  Indices accumulators;
  for (size_t i = 0; i < names.size(); ++i) {
    BufferRef buffer = NewBuffer(names[i], shape, reducer.identity[i]->dtype());
    init.push_back(
        context_.Make(ir::Stmt::Node(ir::StoreStmt{buffer, begin, reducer.identity[i]}), {}));
    accumulators.push_back(At(buffer, at));
    buffers.push_back(buffer);
  }
  std::vector<PrimRef> next = reducer.combine(accumulators, values(at, Vars(inner)));
  if (next.size() > 1) {
    // Computes all values before storing any, because each may depend on every accumulator.
    for (PrimRef& value : next) {
      PrimRef var = context_.NewVar("next", value->dtype());
      update.push_back(context_.Make(ir::Stmt::Node(ir::LetStmt{var, value}), {}));
      value = var;
    }
  }
  for (size_t i = 0; i < names.size(); ++i) {
    update.push_back(context_.Make(ir::Stmt::Node(ir::StoreStmt{buffers[i], at, next[i]}), {}));
  }
  StmtRef start = Seq(std::move(init));
  if (may_be_empty) {
    nests_.push_back(Nest(absl::StrCat(names[0], "_init"), outer, start, nullptr));
    start = nullptr;
  }
  nests_.push_back(Nest(names[0], axes, Seq(std::move(update)), start));
  computed_.insert(computed_.end(), buffers.begin(), buffers.end());
  return buffers;
}

std::vector<BufferRef> Te::ReduceSeveral(
    const std::vector<std::string>& names, Dims shape, Dims over, const Reducer& reducer,
    const std::function<std::vector<PrimRef>(const Indices&, const Indices&)>& values) {
  return Fold(
      names, shape, [&](const Indices&) { return over; }, reducer, values);
}

BufferRef Te::ReduceRagged(absl::string_view name, Dims shape,
                           const std::function<Dims(const Indices&)>& over, const Reducer& reducer,
                           const std::function<PrimRef(const Indices&, const Indices&)>& value) {
  const ir::DType dtype = reducer.identity[0]->dtype();
  return Fold({std::string(name)}, shape, over, reducer, [&](const Indices& at, const Indices& r) {
    return std::vector<PrimRef>{math_.Cast(value(at, r), dtype)};
  })[0];
}

BufferRef Te::Scan(absl::string_view name, Dims shape, int axis, const Reducer& reducer,
                   const std::function<PrimRef(const Indices&)>& value) {
  BufferRef buffer = Allocate(name, std::move(shape), reducer.identity[0]->dtype());
  std::vector<BlockAxis> axes = Axes(buffer->shape, ir::AxisKind::kSpatial, "i");
  axes[axis].kind = ir::AxisKind::kScan;
  StoreAt(name, buffer, axes, [&](const Indices& at) {
    Indices before = at;
    before[axis] = math_.Sub(at[axis], math_.Int(1));
    PrimRef first = math_.Eq(at[axis], math_.Int(0));
    PrimRef so_far = math_.IfThenElse(first, reducer.identity[0], At(buffer, before));
    return Store{at, reducer.combine({so_far}, {math_.Cast(value(at), buffer->dtype)})[0]};
  });
  return buffer;
}

BufferRef Te::Reduce(absl::string_view name, Dims shape, Dims over, const Reducer& reducer,
                     const std::function<PrimRef(const Indices&, const Indices&)>& value) {
  const ir::DType dtype = reducer.identity[0]->dtype();
  return ReduceSeveral({std::string(name)}, std::move(shape), std::move(over), reducer,
                       [&](const Indices& at, const Indices& r) {
                         return std::vector<PrimRef>{math_.Cast(value(at, r), dtype)};
                       })[0];
}

BufferRef Te::SumUp(
    absl::string_view name, Dims shape, Dims over, ir::DType dtype,
    const std::function<PrimRef(ir::DType, const Indices&, const Indices&)>& value) {
  const ir::DType wide = dtype.is_floating() ? SumDType(dtype) : dtype;
  const auto term = [&](const Indices& at, const Indices& r) { return value(wide, at, r); };
  if (wide == dtype) return Reduce(name, std::move(shape), std::move(over), Sum(dtype), term);
  const BufferRef sum =
      Reduce(absl::StrCat(name, "_sum"), std::move(shape), std::move(over), Sum(wide), term);
  return Compute(name, sum->shape, dtype,
                 [&](const Indices& at) { return math_.Cast(At(sum, at), dtype); });
}

namespace {

Reducer Folding(ScalarMath math, PrimRef identity, PrimRef (ScalarMath::*fold)(PrimRef, PrimRef)) {
  return {{identity}, [math, fold](const Indices& acc, const Indices& value) mutable {
            return std::vector<PrimRef>{(math.*fold)(acc[0], value[0])};
          }};
}

}  // namespace

Reducer Te::Sum(ir::DType dtype) {
  // For bools, the sum is "any", and the product "all".
  return Folding(math_, math_.Const(0, dtype),
                 dtype.is_bool() ? &ScalarMath::Or : &ScalarMath::Add);
}
Reducer Te::Prod(ir::DType dtype) {
  return Folding(math_, math_.Const(1, dtype),
                 dtype.is_bool() ? &ScalarMath::And : &ScalarMath::Mul);
}
Reducer Te::Max(ir::DType dtype) {
  return Folding(math_, math_.Lowest(dtype), dtype.is_bool() ? &ScalarMath::Or : &ScalarMath::Max);
}
Reducer Te::Min(ir::DType dtype) {
  return Folding(math_, math_.Highest(dtype),
                 dtype.is_bool() ? &ScalarMath::And : &ScalarMath::Min);
}

}  // namespace lathe::ops

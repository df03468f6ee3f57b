#include "generator/schedule/int8/int8_loops.h"

#include <limits>
#include <utility>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {

using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;
using ir::StmtRef;

namespace {

PrimRef CastFrom(PrimRef e, DType to) {
  const auto* cast = e->As<ir::Cast>();
  return cast != nullptr && e->dtype() == to ? cast->value : nullptr;
}

// Returns whether `e` is a constant from `lo` to `hi`.
bool IsWithin(PrimRef e, int64_t lo, int64_t hi) {
  const auto number = nest::Number(e);
  return number && lo <= *number && *number <= hi;
}

}  // namespace

std::optional<int64_t> TripCount(const ir::ForStmt& loop) {
  const bool plain = loop.kind == ir::LoopKind::kSerial && loop.step == nullptr;
  return plain && nest::IsNumber(loop.min, 0) ? nest::Number(loop.extent) : std::nullopt;
}

std::optional<FlatBody> FlatBodyOf(ir::Context& context, StmtRef body,
                                   const analysis::ShapeVarMap& lets) {
  FlatBody flat;
  flat.lets = lets;
  std::vector<StmtRef> stmts = {body};
  if (const auto* seq = body->As<ir::SeqStmt>()) stmts = seq->stmts;
  for (StmtRef stmt : stmts) {
    if (const auto* let = stmt->As<ir::LetStmt>()) {
      if (let->body != nullptr) return std::nullopt;
      flat.lets[let->var] = analysis::Substitute(context, let->value, flat.lets);
    } else if (const auto* store = stmt->As<ir::StoreStmt>()) {
      if (store->predicate != nullptr) return std::nullopt;
      flat.stores.push_back(store);
    } else if (const auto* loop = stmt->As<ir::ForStmt>()) {
      flat.loops.push_back(loop);
    } else {
      return std::nullopt;
    }
  }
  return flat;
}

std::optional<StridedLoad> StridedLoadOf(ir::Context& context, PrimRef value,
                                         const std::vector<PrimRef>& axes) {
  const auto* load = value->As<ir::Load>();
  if (load == nullptr || load->indices.size() != 1) return std::nullopt;
  const auto access = nest::AccessOf(context, *load->buffer, load->indices, axes);
  if (!access) return std::nullopt;
  StridedLoad strided = {context.MakeLoad(load->buffer, {access->start}), {}};
  for (PrimRef stride : access->strides) {
    const auto number = nest::Number(stride);
    if (!number) return std::nullopt;
    strided.strides.push_back(*number);
  }
  return strided;
}

PrimRef FirstOf(ir::Context& context, PrimRef value, const std::vector<PrimRef>& axes,
                const std::vector<int64_t>& strides) {
  const auto load = StridedLoadOf(context, value, axes);
  return load && load->strides == strides ? load->first : nullptr;
}

PrimRef FirstInOrder(ir::Context& context, PrimRef value, const std::vector<PrimRef>& axes,
                     PrimRef off) {
  const auto* load = value->As<ir::Load>();
  if (load == nullptr || load->indices.size() != 1) return nullptr;
  const PrimRef index = load->indices[0];
  analysis::ShapeVarMap zeros;
  for (PrimRef axis : axes) zeros[axis] = context.Int(0, axis->dtype());
  const PrimRef start = analysis::Simplify(context, analysis::Substitute(context, index, zeros));
  const PrimRef rest =
      context.Make(BinaryOp::kSub, index, context.Make(BinaryOp::kAdd, start, off));
  const bool fits = nest::IsNumber(analysis::Simplify(context, rest), 0);
  return fits ? context.MakeLoad(load->buffer, {start}) : nullptr;
}

std::optional<int64_t> Between(ir::Context& context, PrimRef from, PrimRef to) {
  const auto *a = from->As<ir::Load>(), *b = to->As<ir::Load>();
  if (a->buffer != b->buffer) return std::nullopt;
  return nest::Number(
      analysis::Simplify(context, context.Make(BinaryOp::kSub, b->indices[0], a->indices[0])));
}

PrimRef ByteOf(PrimRef value) {
  const PrimRef byte = CastFrom(value, DType::Int(32));
  const bool fine =
      byte != nullptr && byte->dtype() == DType::Int(8) && byte->As<ir::Load>() != nullptr;
  return fine ? byte : nullptr;
}

const ir::Binary* AsBinary(PrimRef e, BinaryOp op) {
  const auto* binary = e->As<ir::Binary>();
  return binary != nullptr && binary->op == op ? binary : nullptr;
}

std::optional<AddedProduct> AddedProductOf(ir::Context& context, const ir::StoreStmt& store) {
  const auto* sum = AsBinary(store.value, BinaryOp::kAdd);
  if (sum == nullptr || sum->lhs != context.MakeLoad(store.buffer, store.indices)) {
    return std::nullopt;
  }
  const auto* product = AsBinary(sum->rhs, BinaryOp::kMul);
  if (product == nullptr) return std::nullopt;
  return AddedProduct{product->lhs, product->rhs};
}

std::optional<Requantizing> RequantizingOf(ir::Context& context, PrimRef value) {
  Requantizing r;
  const PrimRef clamped = CastFrom(value, DType::Int(8));
  const auto* least = clamped == nullptr ? nullptr : AsBinary(clamped, BinaryOp::kMin);
  const auto* most = least == nullptr ? nullptr : AsBinary(least->lhs, BinaryOp::kMax);
  const PrimRef narrow = most == nullptr ? nullptr : CastFrom(most->lhs, DType::Int(32));
  const auto* shifted = narrow == nullptr ? nullptr : AsBinary(narrow, BinaryOp::kShr);
  const auto* sum = shifted == nullptr ? nullptr : AsBinary(shifted->lhs, BinaryOp::kAdd);
  const auto* product = sum == nullptr ? nullptr : AsBinary(sum->lhs, BinaryOp::kMul);
  if (product == nullptr || product->lhs->dtype() != DType::Int(64)) return std::nullopt;
  r.sum = CastFrom(product->lhs, DType::Int(64));
  r.factor = CastFrom(product->rhs, DType::Int(64));
  using Factors = std::numeric_limits<int32_t>;
  if (IsWithin(product->rhs, Factors::min(), Factors::max())) {
    r.factor = context.Int(*nest::Number(product->rhs), DType::Int(32));
  }
  r.start = sum->rhs;
  r.shift = shifted->rhs;
  r.lo = most->rhs;
  r.hi = least->rhs;
  // The vector code clamps to int8 and adds `start` to products; below this limit the sum does not
  // overflow.
  constexpr int64_t kMaxStart = (int64_t{1} << 62) - 1;
  const bool fine = r.sum != nullptr && r.factor != nullptr && r.sum->dtype() == DType::Int(32) &&
                    r.factor->dtype() == DType::Int(32) &&
                    IsWithin(r.start, -kMaxStart, kMaxStart) && IsWithin(r.shift, 0, 63) &&
                    IsWithin(r.lo, -128, 127) && IsWithin(r.hi, -128, 127) &&
                    *nest::Number(r.lo) <= *nest::Number(r.hi) &&
                    (nest::Number(r.factor) || r.factor->As<ir::Load>() != nullptr);
  return fine ? std::optional(r) : std::nullopt;
}

PrimRef FactorOf(ir::Context& context, const Requantizing& r, const std::vector<PrimRef>& axes,
                 const std::vector<int64_t>& strides) {
  return nest::Number(r.factor) ? r.factor : FirstOf(context, r.factor, axes, strides);
}

StmtRef Int8Call(ir::Context& context, absl::string_view name, std::vector<PrimRef> args) {
  return context.Make(ir::Stmt::Node(ir::EvaluateStmt{
                          context.MakeIntrinsic(DType::Int(32), name, std::move(args))}),
                      Location());
}

}  // namespace lathe::schedule

#include "generator/schedule/cuda/read_attention.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/product_factor.h"

namespace lathe::schedule {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

namespace {

// The limit of score and result expressions, which are duplicated at each use.
constexpr int kMaxScoreNodes = 500;

bool HasAxis(const RowStage& stage, PrimRef var) {
  return std::any_of(stage.axes.begin(), stage.axes.end(),
                     [&](const ir::NestAxis& axis) { return axis.var == var; });
}

bool HasAxesOf(const RowStage& a, const RowStage& b) {
  const auto has = [&](const ir::NestAxis& axis) { return HasAxis(b, axis.var); };
  return a.axes.size() == b.axes.size() && std::all_of(a.axes.begin(), a.axes.end(), has);
}

bool IsProduct(const RowStage& stage) {
  const auto* init = stage.init == nullptr ? nullptr : stage.init->As<ir::FloatImm>();
  return stage.acc != nullptr && stage.fold == ir::Fold::kSum && IsFloatOrHalf(stage.acc->dtype) &&
         init != nullptr && init->value == 0 && BinaryOf(stage.term, BinaryOp::kMul) != nullptr &&
         !nest::Reads(stage.term, stage.acc);
}

}  // namespace

PrimRef Unrounded(PrimRef e) {
  const auto* cast = e->As<ir::Cast>();
  const bool floats = cast != nullptr && e->dtype().is_floating() &&
                      cast->value->dtype().is_floating() && e->dtype().bits >= 16 &&
                      cast->value->dtype().bits >= 16;
  return floats ? Unrounded(cast->value) : e;
}

const ir::Binary* BinaryOf(PrimRef e, BinaryOp op) {
  const auto* both = e->As<ir::Binary>();
  return both != nullptr && both->op == op ? both : nullptr;
}

bool IsLoadOf(PrimRef e, BufferRef buffer) {
  const auto* load = e->As<ir::Load>();
  return load != nullptr && load->buffer == buffer;
}

bool IsFloatOrHalf(ir::DType dtype) {
  return dtype.is_floating() && dtype.lanes == 1 && (dtype.bits == 16 || dtype.bits == 32);
}

bool IsSmall(PrimRef e) {
  int left = kMaxScoreNodes;
  const std::function<void(PrimRef)> count = [&](PrimRef part) {
    if (--left > 0) ir::ForEachOperand(part, count);
  };
  count(e);
  return left > 0;
}

std::optional<RowStage> AttentionReader::Taken(StmtRef stmt) {
  auto stage = ParseRowStage(ir_, stmt);
  if (!stage || stage->position != nullptr) return std::nullopt;
  return axes_.Rewrite(*std::move(stage));
}

bool AttentionReader::Record(const RowStage& stage, bool keeps_loads) {
  read_.made.push_back(stage.to);
  return axes_.Record(stage, keeps_loads);
}

bool AttentionReader::Begin(StmtRef stmt) {
  const auto stage = Taken(stmt);
  if (!stage || !IsProduct(*stage) || !Record(*stage, false)) return false;
  read_.products = *stage;
  return true;
}

bool AttentionReader::Take(StmtRef stmt) {
  const auto stage = Taken(stmt);
  if (!stage) return false;
  const bool mixes = stage->acc != nullptr && IsProduct(*stage);
  if (is_complete()) {
    if (stage->acc != nullptr || !HasAxesOf(read_.mixed, *stage)) return false;
    const RowStage before = std::exchange(read_.mixed, *stage);
    read_.mixed.acc = before.acc;
  } else if (mixes) {
    if (read_.weight == nullptr || !Mixes(*stage)) return false;
  } else if (stage->acc != nullptr && !Gathers(*stage)) {
    return false;
  }
  const bool keeps_loads = stage->acc != nullptr && !mixes;
  if (!Record(*stage, keeps_loads)) return false;
  if (keeps_loads) {
    (stage->fold == ir::Fold::kSum ? read_.weight : largest_) = axes_.values().at(stage->to);
  }
  return true;
}

// Matches the largest score of a row, or the sum of the exponentials.
bool AttentionReader::Gathers(const RowStage& stage) {
  if (stage.reduce.size() != 1 || !IsFloatOrHalf(stage.acc->dtype)) return false;
  if (!IsLoadOf(Unrounded(stage.value), stage.acc)) return false;
  if (stage.fold == ir::Fold::kLargest && largest_ == nullptr) {
    read_.score = Unrounded(stage.term);
    read_.key = stage.reduce[0];
    const auto* init = stage.init->As<ir::FloatImm>();
    return init != nullptr && init->value < -65503 &&
           nest::Reads(read_.score, read_.products.acc) && HasAxis(read_.products, read_.key.var) &&
           IsSmall(read_.score);
  }
  const auto* init = stage.init->As<ir::FloatImm>();
  return stage.fold == ir::Fold::kSum && read_.weight == nullptr && largest_ != nullptr &&
         init != nullptr && init->value == 0 && stage.reduce[0].var == read_.key.var &&
         IsPower(Unrounded(stage.term));
}

// Matches e^(score - largest).
bool AttentionReader::IsPower(PrimRef e) const {
  const auto* call = e->As<ir::Intrinsic>();
  if (call == nullptr || call->name != "exp" || call->args.size() != 1) return false;
  const auto* off = BinaryOf(Unrounded(call->args[0]), BinaryOp::kSub);
  return off != nullptr && Unrounded(off->lhs) == read_.score &&
         Unrounded(off->rhs) == Unrounded(largest_);
}

// Matches an exponential divided by the sum, or multiplied by its reciprocal.
bool AttentionReader::IsShare(PrimRef e) const {
  const auto is_over_sum = [&](const ir::Binary* quotient) {
    return quotient != nullptr && Unrounded(quotient->rhs) == Unrounded(read_.weight);
  };
  if (const auto* quotient = BinaryOf(e, BinaryOp::kDiv)) {
    return IsPower(Unrounded(quotient->lhs)) && is_over_sum(quotient);
  }
  const auto* product = BinaryOf(e, BinaryOp::kMul);
  const auto* part = product == nullptr ? nullptr : BinaryOf(product->rhs, BinaryOp::kDiv);
  const auto* one = part == nullptr ? nullptr : part->lhs->As<ir::FloatImm>();
  return one != nullptr && one->value == 1 && IsPower(Unrounded(product->lhs)) && is_over_sum(part);
}

// Matches the second product: of exponentials or shares, and values.
bool AttentionReader::Mixes(const RowStage& stage) {
  if (stage.reduce.size() != 1 || stage.reduce[0].var != read_.key.var) return false;
  const auto* product = BinaryOf(stage.term, BinaryOp::kMul);
  PrimRef weights = product->lhs;
  read_.value = product->rhs;
  if (!IsPower(Unrounded(weights)) && !IsShare(Unrounded(weights))) std::swap(weights, read_.value);
  read_.is_shared = IsShare(Unrounded(weights));
  read_.mixed = stage;
  return read_.is_shared || IsPower(Unrounded(weights));
}

}  // namespace lathe::schedule

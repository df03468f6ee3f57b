#include "generator/schedule/cuda/mask_bounds.h"

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// exp(-104) is 0 in float32.
constexpr double kNothing = 104;

class MaskReader {
 public:
  MaskReader(ir::Context& context, PrimRef query, PrimRef key)
      : ir_(context), query_(query), key_(key) {}

  // Conditions of other forms do not restrict the keys.
  void Read(PrimRef condition) {
    const auto* both = condition->As<ir::Binary>();
    if (both == nullptr) return;
    switch (both->op) {
      case BinaryOp::kAnd:
        Read(both->lhs);
        Read(both->rhs);
        return;
      case BinaryOp::kLe:
        return NotNegative(both->rhs, both->lhs, 0);
      case BinaryOp::kLt:
        return NotNegative(both->rhs, both->lhs, 1);
      case BinaryOp::kGe:
        return NotNegative(both->lhs, both->rhs, 0);
      case BinaryOp::kGt:
        return NotNegative(both->lhs, both->rhs, 1);
      default:
        return;
    }
  }

  PrimRef first = nullptr, last = nullptr;  // in terms of the query; null: no limit

 private:
  PrimRef Minus(PrimRef a, PrimRef b) {
    const ir::DType wide = ir::DType::Int(64);
    return analysis::Simplify(
        ir_, ir_.Make(BinaryOp::kSub, ir_.MakeCast(wide, a), ir_.MakeCast(wide, b)));
  }

  // Returns the slope of `e` in the variable if it is constant.
  std::optional<int64_t> Slope(PrimRef e, PrimRef var) {
    nest::RewriteScalar next(ir_);
    next.Replace(var, ir_.Make(BinaryOp::kAdd, var, ir_.Int(1, var->dtype())));
    return nest::Number(Minus(next(e), e));
  }

  // Adds the condition 0 <= more - less - by.
  void NotNegative(PrimRef more, PrimRef less, int64_t by) {
    if (!more->dtype().is_int() || nest::ReadsMemory(more) || nest::ReadsMemory(less)) return;
    const PrimRef e = Minus(Minus(more, less), ir_.Int(by));
    const auto slope = Slope(e, key_);
    if (!slope || (*slope != 1 && *slope != -1)) return;
    nest::RewriteScalar at_first(ir_);
    at_first.Replace(key_, ir_.Int(0, key_->dtype()));
    const PrimRef rest = at_first(e);
    const PrimRef limit = *slope == -1 ? analysis::Simplify(ir_, rest) : Minus(ir_.Int(0), rest);
    const auto along = Slope(limit, query_);
    if (!along || *along < 0) return;
    if (*slope == -1) {
      last = last == nullptr ? limit : ir_.Make(BinaryOp::kMin, last, limit);
    } else {
      first = first == nullptr ? limit : ir_.Make(BinaryOp::kMax, first, limit);
    }
  }

  ir::Context& ir_;
  const PrimRef query_, key_;
};

}  // namespace

std::optional<ir::MaskBounds> MaskBoundsOf(ir::Context& context, PrimRef score, PrimRef query,
                                           PrimRef key, PrimRef keys) {
  const auto* select = score->As<ir::Select>();
  const auto* other = select == nullptr ? nullptr : select->if_false->As<ir::FloatImm>();
  if (other == nullptr) return std::nullopt;
  MaskReader mask(context, query, key);
  mask.Read(select->cond);
  if (mask.first == nullptr && mask.last == nullptr) return std::nullopt;
  ir::MaskBounds seen;
  seen.first = mask.first == nullptr ? context.Int(0) : mask.first;
  seen.end =
      mask.last == nullptr
          ? keys
          : analysis::Simplify(context, context.Make(BinaryOp::kAdd, mask.last, context.Int(1)));
  seen.hidden = other->value + kNothing;
  return seen;
}

}  // namespace lathe::schedule

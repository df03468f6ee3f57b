#include "generator/reader/onnx/unify_dims.h"

#include <algorithm>

#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/reader/onnx/check_declared.h"

namespace lathe::onnx {
namespace {

class Unifier {
 public:
  explicit Unifier(NodeCall& n) : n_(n) {
    for (const auto& [size, range] : n.import().bounds) known_.Bound(size, range);
  }

  // Whether `e` is `whole` wherever the two broadcast: it is max(0, whole), or min(whole, k) with k
  // of at least 2, which is 1 only if `whole` is.
  bool IsCut(PrimRef e, PrimRef whole) {
    e = NotNegative(Simplified(e));
    whole = Simplified(whole);
    if (e == whole) return true;
    const auto* least = e->As<ir::Binary>();
    if (least == nullptr || least->op != ir::BinaryOp::kMin) return false;
    const auto is = [&](PrimRef n, PrimRef k) {
      return NotNegative(n) == whole && NodeCall::IntOf(k).value_or(0) >= 2;
    };
    return is(least->lhs, least->rhs) || is(least->rhs, least->lhs);
  }

  // Whether `e` is at least 2, so that it does not broadcast.
  bool IsSeveral(PrimRef e) { return analysis::BoundsOf(n_.ir(), e, known_).lo >= 2; }

  // Whether the model names dimension `i`, from the end, of input `k` as that of the result.
  bool IsDeclaredAsResult(int k, size_t i) {
    const std::string name = DeclaredName(n_.node().inputs[static_cast<size_t>(k)], i);
    return !name.empty() && n_.Wants(0) && name == DeclaredName(n_.node().outputs[0], i);
  }

 private:
  PrimRef Simplified(PrimRef e) { return analysis::Simplify(n_.ir(), e, known_); }

  // A dimension is not negative, so that max(0, e) is the dimension e.
  static PrimRef NotNegative(PrimRef e) {
    const auto* most = e->As<ir::Binary>();
    if (most == nullptr || most->op != ir::BinaryOp::kMax) return e;
    if (NodeCall::IntOf(most->lhs) == 0) return most->rhs;
    return NodeCall::IntOf(most->rhs) == 0 ? most->lhs : e;
  }

  std::string DeclaredName(const std::string& value, size_t i) {
    const Type* type = DeclaredOf(n_.scope(), value);
    if (type == nullptr || !type->dims || type->dims->size() < i) return "";
    return (*type->dims)[type->dims->size() - i].param;
  }

  NodeCall& n_;
  analysis::Assumptions known_;
};

}  // namespace

void UnifyDims(NodeCall& n, Operand& a, Operand& b) {
  Unifier unifier(n);
  Dims first = n.DimsOf(a), second = n.DimsOf(b);
  const bool binary = n.inputs() == 2;
  bool changes_first = false, changes_second = false;
  for (size_t i = 1; i <= std::min(first.size(), second.size()); ++i) {
    PrimRef& x = first[first.size() - i];
    PrimRef& y = second[second.size() - i];
    const bool open = !NodeCall::IntOf(x) || !NodeCall::IntOf(y);
    if (!open || NodeCall::IntOf(x) == 1 || NodeCall::IntOf(y) == 1) continue;
    if (analysis::ProveEqual(n.ir(), x, y) == ir::Tri::kYes) continue;
    const bool many_x = unifier.IsSeveral(x), many_y = unifier.IsSeveral(y);
    // A dimension of an input may be 1, which is broadcast to the declared one.
    const auto is_free = [](PrimRef e) { return e->As<ir::SymVar>() != nullptr; };
    const bool is_first = binary && (many_y || !is_free(y)) && unifier.IsDeclaredAsResult(0, i);
    const bool is_second = binary && (many_x || !is_free(x)) && unifier.IsDeclaredAsResult(1, i);
    if (unifier.IsCut(y, x) || (many_x && many_y) || is_first) {
      y = x;
      changes_second = true;
    } else if (unifier.IsCut(x, y) || is_second) {
      x = y;
      changes_first = true;
    }
  }
  if (changes_first) a = n.builder().MatchCast(a, n.ir().Tensor(first, n.TypeOf(a)));
  if (changes_second) b = n.builder().MatchCast(b, n.ir().Tensor(second, n.TypeOf(b)));
}

}  // namespace lathe::onnx

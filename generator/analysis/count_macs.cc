#include "generator/analysis/count_macs.h"

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/count_in_loops.h"
#include "generator/ir/attrs.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/int8_dot.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/products.h"
#include "generator/ir/requantize.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;

bool IsProduct(PrimRef e) {
  while (const auto* cast = e->As<ir::Cast>()) e = cast->value;
  const auto* n = e->As<ir::Binary>();
  return n != nullptr && n->op == ir::BinaryOp::kMul;
}

// Counts in computed values, but not in subscripts or in conditions such as those of padding.
// Shared subexpressions are computed once.
int64_t InValue(PrimRef e, absl::flat_hash_set<PrimRef>& seen) {
  if (!seen.insert(e).second || e->As<ir::Load>() != nullptr || e->dtype().is_bool()) return 0;
  int64_t count = 0;
  const auto* n = e->As<ir::Binary>();
  if (n != nullptr && n->op == ir::BinaryOp::kAdd && (IsProduct(n->lhs) || IsProduct(n->rhs))) {
    count = 1;
  }
  ir::ForEachOperand(e, [&](PrimRef operand) { count += InValue(operand, seen); });
  return count;
}

// Returns nothing for statements that only contain others.
std::optional<int64_t> InStmt(ir::StmtRef stmt) {
  if (const auto* store = stmt->As<ir::StoreStmt>()) {
    absl::flat_hash_set<PrimRef> seen;
    return InValue(store->value, seen);
  }
  if (const auto* evaluate = stmt->As<ir::EvaluateStmt>()) {
    const auto* call = evaluate->value->As<ir::Intrinsic>();
    if (call != nullptr && (call->name == ir::kProducts || ir::IsRowProducts(call->name))) {
      int64_t count = 1;
      for (size_t number : {0, 2, 4, 5}) count *= call->args[number]->As<ir::IntImm>()->value;
      return count;
    }
    if (call != nullptr && (call->name == ir::kDepthwise || ir::IsChannelProducts(call->name))) {
      int64_t count = 1;
      for (size_t number : {0, 1, 3, 5}) count *= call->args[number]->As<ir::IntImm>()->value;
      return count;
    }
    if (call == nullptr || (call->name != ir::kInt8Dot && call->name != ir::kDotPanels)) return 0;
    const int64_t rows = static_cast<int64_t>(call->args.size()) - 4;
    if (call->name == ir::kDotPanels) {
      return call->args[0]->As<ir::IntImm>()->value * call->args[1]->As<ir::IntImm>()->value *
             ir::kDotPanelColumns * rows;
    }
    return call->args[0]->As<ir::IntImm>()->value * ir::kDotColumns * rows;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> CountMacs(const ir::PrimFunc& func) {
  const auto* declared = ir::FindAttr<int64_t>(func.attrs, kMacs);
  return declared != nullptr && *declared >= 0 ? std::optional(*declared)
                                               : CountInLoops(func.body, InStmt);
}

}  // namespace lathe::analysis

#include "generator/analysis/count_macs.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/attrs.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/each_stmt.h"
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

// Returns nothing if an extent is symbolic or the count overflows 63 bits.
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
  if (const auto* branch = stmt->As<ir::IfStmt>()) {
    std::optional<int64_t> most = InStmt(branch->then_case);
    if (branch->else_case == nullptr) return most;
    const std::optional<int64_t> other = InStmt(branch->else_case);
    return most && other ? std::optional(std::max(*most, *other)) : std::nullopt;
  }
  int64_t count = 0;
  bool known = true;
  ir::ForEachChild(stmt, [&](ir::StmtRef child) {
    const std::optional<int64_t> inner = InStmt(child);
    known = known && inner && !__builtin_add_overflow(count, *inner, &count);
  });
  if (!known) return std::nullopt;
  if (count == 0) return 0;
  if (stmt->As<ir::WhileStmt>() != nullptr) return std::nullopt;
  const auto* loop = stmt->As<ir::ForStmt>();
  if (loop == nullptr) return count;
  const auto* extent = loop->extent->As<ir::IntImm>();
  if (extent == nullptr || __builtin_mul_overflow(count, extent->value, &count))
    return std::nullopt;
  return std::max<int64_t>(count, 0);
}

}  // namespace

std::optional<int64_t> CountMacs(const ir::PrimFunc& func) {
  const auto* declared = ir::FindAttr<int64_t>(func.attrs, kMacs);
  return declared != nullptr && *declared >= 0 ? std::optional(*declared) : InStmt(func.body);
}

}  // namespace lathe::analysis

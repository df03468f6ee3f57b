#include "generator/analysis/count_stores.h"

#include <algorithm>

#include "generator/ir/each_stmt.h"

namespace lathe::analysis {
namespace {

std::optional<int64_t> StoresIn(ir::StmtRef stmt) {
  if (stmt->As<ir::StoreStmt>() != nullptr) return 1;
  if (const auto* branch = stmt->As<ir::IfStmt>()) {
    const std::optional<int64_t> most = StoresIn(branch->then_case);
    if (branch->else_case == nullptr) return most;
    const std::optional<int64_t> other = StoresIn(branch->else_case);
    return most && other ? std::optional(std::max(*most, *other)) : std::nullopt;
  }
  int64_t count = 0;
  bool known = true;
  ir::ForEachChild(stmt, [&](ir::StmtRef child) {
    const std::optional<int64_t> inner = StoresIn(child);
    known = known && inner && !__builtin_add_overflow(count, *inner, &count);
  });
  if (!known) return std::nullopt;
  if (count == 0) return 0;
  if (stmt->As<ir::WhileStmt>() != nullptr) return std::nullopt;
  const auto* loop = stmt->As<ir::ForStmt>();
  if (loop == nullptr) return count;
  const auto* extent = loop->extent->As<ir::IntImm>();
  if (extent == nullptr || __builtin_mul_overflow(count, extent->value, &count)) {
    return std::nullopt;
  }
  return count;
}

}  // namespace

std::optional<int64_t> CountStores(const ir::PrimFunc& func) { return StoresIn(func.body); }

}  // namespace lathe::analysis

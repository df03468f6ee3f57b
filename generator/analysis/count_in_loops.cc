#include "generator/analysis/count_in_loops.h"

#include <algorithm>

#include "generator/ir/each_stmt.h"

namespace lathe::analysis {

std::optional<int64_t> CountInLoops(ir::StmtRef stmt,
                                    absl::FunctionRef<std::optional<int64_t>(ir::StmtRef)> count) {
  if (const std::optional<int64_t> own = count(stmt)) return own;
  if (const auto* branch = stmt->As<ir::IfStmt>()) {
    const std::optional<int64_t> most = CountInLoops(branch->then_case, count);
    if (branch->else_case == nullptr) return most;
    const std::optional<int64_t> other = CountInLoops(branch->else_case, count);
    return most && other ? std::optional(std::max(*most, *other)) : std::nullopt;
  }
  int64_t sum = 0;
  bool known = true;
  ir::ForEachChild(stmt, [&](ir::StmtRef child) {
    const std::optional<int64_t> inner = CountInLoops(child, count);
    known = known && inner && !__builtin_add_overflow(sum, *inner, &sum);
  });
  if (!known) return std::nullopt;
  if (sum == 0) return 0;
  if (stmt->As<ir::WhileStmt>() != nullptr) return std::nullopt;
  const auto* loop = stmt->As<ir::ForStmt>();
  if (loop == nullptr) return sum;
  const auto* extent = loop->extent->As<ir::IntImm>();
  if (extent == nullptr || __builtin_mul_overflow(sum, extent->value, &sum)) return std::nullopt;
  return std::max<int64_t>(sum, 0);
}

}  // namespace lathe::analysis

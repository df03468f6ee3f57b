#include "generator/analysis/count_in_loops.h"

#include <algorithm>

#include "generator/analysis/arithmetic/constant_value.h"
#include "generator/ir/each_stmt.h"

namespace lathe::analysis {
namespace {

using ir::StmtRef;

// Loops whose extent depends on others are counted turn by turn, up to this many turns.
constexpr int64_t kMaxTurns = 1 << 20;

class Count {
 public:
  using Own = absl::FunctionRef<std::optional<int64_t>(StmtRef)>;
  explicit Count(Own own) : own_(own) {}

  std::optional<int64_t> In(StmtRef stmt) {
    if (const std::optional<int64_t> own = own_(stmt)) return own;
    if (const auto* branch = stmt->As<ir::IfStmt>()) return InBranches(*branch);
    if (const auto* loop = stmt->As<ir::ForStmt>()) return InLoop(*loop);
    if (const auto* let = stmt->As<ir::LetStmt>()) {
      const auto value = ConstantValue(let->value, values_);
      if (value) values_[let->var] = *value;
      if (!value) values_.erase(let->var);
    }
    int64_t sum = 0;
    bool known = true;
    ir::ForEachChild(stmt, [&](StmtRef child) { known = known && Add(In(child), sum); });
    if (!known || (sum != 0 && stmt->As<ir::WhileStmt>() != nullptr)) return std::nullopt;
    return sum;
  }

 private:
  static bool Add(std::optional<int64_t> more, int64_t& sum) {
    return more && !__builtin_add_overflow(sum, *more, &sum);
  }

  std::optional<int64_t> InBranches(const ir::IfStmt& branch) {
    const auto holds = ConstantValue(branch.cond, values_);
    const auto in_else = [&]() -> std::optional<int64_t> {
      return branch.else_case == nullptr ? std::optional<int64_t>(0) : In(branch.else_case);
    };
    if (holds) return *holds != 0 ? In(branch.then_case) : in_else();
    const std::optional<int64_t> one = In(branch.then_case), other = in_else();
    return one && other ? std::optional(std::max(*one, *other)) : std::nullopt;
  }

  std::optional<int64_t> InLoop(const ir::ForStmt& loop) {
    const auto extent = ConstantValue(loop.extent, values_);
    if (HasDependentLoop(loop.body) && extent && *extent <= turns_left_) {
      const auto min = ConstantValue(loop.min, values_);
      if (!min) return std::nullopt;
      turns_left_ -= std::max<int64_t>(*extent, 0);
      int64_t sum = 0;
      for (int64_t i = 0; i < *extent; ++i) {
        values_[loop.var] = *min + i;
        if (!Add(In(loop.body), sum)) return std::nullopt;
      }
      values_.erase(loop.var);
      return sum;
    }
    std::optional<int64_t> sum = In(loop.body);
    if (!sum || *sum == 0) return sum;
    if (!extent || __builtin_mul_overflow(*sum, *extent, &*sum)) return std::nullopt;
    return std::max<int64_t>(*sum, 0);
  }

  static bool HasDependentLoop(StmtRef stmt) {
    bool found = false;
    ir::ForEachStmt(stmt, [&](StmtRef part) {
      const auto* loop = part->As<ir::ForStmt>();
      found = found || (loop != nullptr && loop->extent->As<ir::IntImm>() == nullptr);
    });
    return found;
  }

  const Own own_;
  ConstantValues values_;
  int64_t turns_left_ = kMaxTurns;
};

}  // namespace

std::optional<int64_t> CountInLoops(StmtRef stmt,
                                    absl::FunctionRef<std::optional<int64_t>(StmtRef)> count) {
  return Count(count).In(stmt);
}

}  // namespace lathe::analysis

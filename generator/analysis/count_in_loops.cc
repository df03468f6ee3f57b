#include "generator/analysis/count_in_loops.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/constant_value.h"
#include "generator/ir/each_stmt.h"

namespace lathe::analysis {
namespace {

using ir::StmtRef;

// Loops whose extent depends on others are counted turn by turn, while fewer statements than these
// are visited.
constexpr int64_t kMaxVisits = 1 << 17;

class Count {
 public:
  using Own = absl::FunctionRef<std::optional<int64_t>(StmtRef)>;
  explicit Count(Own own) : own_(own) {}

  std::optional<int64_t> In(StmtRef stmt) {
    if (++visits_ > kMaxVisits) return std::nullopt;
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
    const auto min = ConstantValue(loop.min, values_);
    if (extent && min && Depends(loop)) {
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

  // Returns whether the loop, or one in it, has an extent that is no constant.
  bool Depends(const ir::ForStmt& loop) {
    const auto [it, is_new] = depends_.try_emplace(&loop, false);
    if (!is_new) return it->second;
    bool found = loop.extent->As<ir::IntImm>() == nullptr;
    ir::ForEachStmt(loop.body, [&](StmtRef part) {
      const auto* inner = part->As<ir::ForStmt>();
      found = found || (inner != nullptr && inner->extent->As<ir::IntImm>() == nullptr);
    });
    return depends_[&loop] = found;
  }

  const Own own_;
  ConstantValues values_;
  absl::flat_hash_map<const ir::ForStmt*, bool> depends_;
  int64_t visits_ = 0;
};

}  // namespace

std::optional<int64_t> CountInLoops(StmtRef stmt,
                                    absl::FunctionRef<std::optional<int64_t>(StmtRef)> count) {
  return Count(count).In(stmt);
}

}  // namespace lathe::analysis

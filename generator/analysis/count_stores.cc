#include "generator/analysis/count_stores.h"

#include "generator/analysis/count_in_loops.h"

namespace lathe::analysis {

std::optional<int64_t> CountStores(const ir::PrimFunc& func) {
  return CountInLoops(func.body, [](ir::StmtRef stmt) {
    return stmt->As<ir::StoreStmt>() != nullptr ? std::optional<int64_t>(1) : std::nullopt;
  });
}

}  // namespace lathe::analysis

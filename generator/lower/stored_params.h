// Finds the parameters that a PrimFunc may write: conservatively all if its body contains more than
// loads and stores.
#ifndef LATHE_LOWER_STORED_PARAMS_H_
#define LATHE_LOWER_STORED_PARAMS_H_

#include "generator/ir/tir.h"
#include "generator/nest/stored_buffers.h"

namespace lathe::lower {

class StoredParams {
 public:
  explicit StoredParams(const ir::PrimFunc& func) : func_(func), stored_(func.body) {
    ir::ForEachStmt(func.body, [&](ir::StmtRef stmt) {
      const auto* block = stmt->As<ir::BlockStmt>();
      const auto* store = stmt->As<ir::StoreStmt>();
      all_ = all_ || (block != nullptr && !block->matches.empty()) ||
             (store != nullptr && PassesPointers(store->value)) ||
             stmt->As<ir::EvaluateStmt>() != nullptr || stmt->As<ir::LetStmt>() != nullptr;
    });
  }

  bool Has(size_t param) const {
    const auto buffer = func_.params[param].buffer;
    return all_ || (buffer != nullptr && stored_.Has(buffer));
  }

 private:
  static bool PassesPointers(ir::PrimRef e) {
    bool passes = e->dtype().is_handle();
    ir::ForEachOperand(e, [&](ir::PrimRef part) { passes = passes || PassesPointers(part); });
    return passes;
  }

  const ir::PrimFunc& func_;
  const nest::StoredBuffers stored_;
  bool all_ = false;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_STORED_PARAMS_H_

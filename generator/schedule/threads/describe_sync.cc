#include "generator/schedule/threads/describe_sync.h"

#include <functional>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/thread_returns.h"
#include "generator/ir/device/gpu_call.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/each_stmt.h"

namespace lathe::schedule {

std::string DescribeSync(ir::StmtRef body) {
  if (const auto found = analysis::FindSyncAfterReturn(body)) {
    return absl::StrCat("synchronization of threads after ", analysis::DescribeReturn(found->end),
                        ", where a thread may have returned,");
  }
  bool waits = false, looks = false;
  ir::StmtRef end = nullptr;
  absl::flat_hash_set<ir::PrimRef> seen;
  const std::function<void(ir::PrimRef)> look = [&](ir::PrimRef e) {
    if (!seen.insert(e).second) return;
    if (const auto* call = e->As<ir::Intrinsic>()) {
      const auto known = ir::GpuCallOf(*call);
      waits = waits || (known && known->op == ir::GpuOp::kMbarrierWait);
      looks = looks || ir::IsOrderedLoad(*call);
    }
    ir::ForEachOperand(e, look);
  };
  ir::ForEachStmt(body, [&](ir::StmtRef s) {
    if (end == nullptr && analysis::IsThreadReturn(s)) end = s;
    if (const auto* value = s->As<ir::EvaluateStmt>()) look(value->value);
    if (const auto* store = s->As<ir::StoreStmt>()) look(store->value);
    if (const auto* let = s->As<ir::LetStmt>()) look(let->value);
    if (const auto* branch = s->As<ir::IfStmt>()) look(branch->cond);
    if (const auto* loop = s->As<ir::WhileStmt>()) look(loop->cond);
  });
  if (looks) return "threads that poll for stores of other threads";
  if (waits) return "threads that wait for each other at an mbarrier";
  if (end == nullptr) return "threads that synchronize";
  return absl::StrCat("threads that synchronize but may return at ", analysis::DescribeReturn(end),
                      ",");
}

}  // namespace lathe::schedule

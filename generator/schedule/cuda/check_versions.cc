#include "generator/schedule/cuda/check_versions.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

class Check {
 public:
  explicit Check(const GpuChoice& gpus) : gpus_(gpus) {}

  void Expression(PrimRef e) {
    const auto* call = e->As<ir::Intrinsic>();
    if (call != nullptr && status_.ok()) Call(*call, e);
    ir::ForEachOperand(e, [&](PrimRef operand) { Expression(operand); });
  }

  absl::Status status() const { return status_; }

 private:
  void Call(const ir::Intrinsic& call, PrimRef e) {
    const int since = ir::NeedsThreads(call) ? ir::MinGpuVersion(call) : 0;
    std::vector<std::string> without, with;
    for (const Gpu* gpu : gpus_.gpus) {
      if (gpu->version < since) without.emplace_back(gpu->name);
    }
    if (without.empty()) return;
    for (const Gpu& gpu : AllGpus()) {
      if (gpu.version >= since) with.emplace_back(gpu.name);
    }
    status_ = absl::UnimplementedError(
        absl::StrCat("'", ir::ToString(e), "', which ", absl::StrJoin(without, ", "),
                     without.size() == 1 ? " does" : " do",
                     " not have; supported: GPUs that have it, ", absl::StrJoin(with, ", ")));
  }

  const GpuChoice& gpus_;
  absl::Status status_;
};

}  // namespace

absl::Status CheckVersions(const GpuChoice& gpus, ir::StmtRef stmt) {
  Check check(gpus);
  ir::ForEachStmt(stmt, [&](ir::StmtRef s) {
    if (const auto* value = s->As<ir::EvaluateStmt>()) check.Expression(value->value);
    if (const auto* store = s->As<ir::StoreStmt>()) check.Expression(store->value);
    if (const auto* let = s->As<ir::LetStmt>()) check.Expression(let->value);
    if (const auto* branch = s->As<ir::IfStmt>()) check.Expression(branch->cond);
    if (const auto* loop = s->As<ir::WhileStmt>()) check.Expression(loop->cond);
  });
  return check.status();
}

}  // namespace lathe::schedule

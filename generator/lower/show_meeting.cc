#include "generator/lower/show_meeting.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/ends_of_threads.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/gpu_call.h"

namespace lathe::lower {

std::string ShowMeeting(ir::StmtRef threads) {
  if (const auto behind = analysis::FindMeetingBehindEnd(threads)) {
    return absl::StrCat("what threads do that meet behind ", analysis::ShowEnd(behind->end),
                        ", where one may have ended,");
  }
  bool waits = false;
  ir::StmtRef end = nullptr;
  ir::ForEachStmt(threads, [&](ir::StmtRef s) {
    if (end == nullptr && analysis::EndsThread(s)) end = s;
    const auto* value = s->As<ir::EvaluateStmt>();
    const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
    const auto known = call == nullptr ? std::nullopt : ir::GpuCallOf(*call);
    waits = waits || (known && known->op == ir::GpuOp::kMbarrierWait);
  });
  if (waits) return "what threads do that wait for each other at an mbarrier";
  if (end == nullptr) return "what threads do that meet";
  return absl::StrCat("what threads do that meet, and end at ", analysis::ShowEnd(end), ",");
}

}  // namespace lathe::lower

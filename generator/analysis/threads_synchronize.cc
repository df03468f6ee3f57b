#include "generator/analysis/threads_synchronize.h"

#include <algorithm>
#include <functional>

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StmtRef;

bool Synchronizes(const ir::Intrinsic& call) {
  return ir::SyncScopeOf(call) != ir::SyncScope::kNone;
}

class MeetingSearch {
 public:
  explicit MeetingSearch(std::set<std::string> launched) : launched_(std::move(launched)) {}

  bool In(StmtRef s) {
    if (s == nullptr) return false;
    return Match(
        s->node(), [&](const ir::SeqStmt& n) { return InRow(n.stmts); },
        [&](const ir::ForStmt& n) { return InLoop(n); },
        [&](const ir::BlockStmt& n) { return In(n.init) || In(n.body); },
        [&](const ir::StoreStmt& n) { return In(n.value); },
        [&](const ir::LetStmt& n) { return In(n.value) || In(n.body); },
        [&](const ir::IfStmt& n) { return In(n.cond) || In(n.then_case) || In(n.else_case); },
        [&](const ir::WhileStmt& n) { return In(n.cond) || In(n.body); },
        [&](const ir::AllocStmt& n) { return In(n.body); },
        [&](const ir::DeclBufferStmt& n) { return In(n.body); },
        [&](const ir::AttrStmt& n) { return InLaunch(n, [&] { return In(n.body); }); },
        [&](const ir::AssertStmt& n) { return In(n.body); },
        [&](const ir::EvaluateStmt& n) { return In(n.value); },
        [](const ir::ReturnStmt&) { return false; }, [](const ir::BreakStmt&) { return false; },
        [](const ir::ContinueStmt&) { return false; });
  }

  bool In(PrimRef e) {
    if (!seen_.insert(e).second) return false;
    if (const auto* call = e->As<ir::Intrinsic>(); call != nullptr && Synchronizes(*call)) {
      return true;
    }
    bool found = false;
    ForEachOperand(e, [&](PrimRef operand) { found = found || In(operand); });
    return found;
  }

 private:
  bool InLoop(const ir::ForStmt& n) {
    if (n.kind != ir::LoopKind::kThreadBinding || ThreadAxis(n.thread) < 0) return In(n.body);
    if (!launched_.insert(n.thread).second) return true;
    const bool found = In(n.body);
    launched_.erase(n.thread);
    return found;
  }

  // A launch without a body covers all statements after it.
  bool InRow(absl::Span<const StmtRef> row) {
    for (size_t i = 0; i < row.size(); ++i) {
      const auto* attr = row[i]->As<ir::AttrStmt>();
      if (attr != nullptr && attr->body == nullptr) {
        return InLaunch(*attr, [&] { return InRow(row.subspan(i + 1)); });
      }
      if (In(row[i])) return true;
    }
    return false;
  }

  template <typename Body>
  bool InLaunch(const ir::AttrStmt& n, const Body& body) {
    const std::string thread = ir::ThreadsOf(n).thread;
    const bool opens = ThreadAxis(thread) >= 0 && launched_.insert(thread).second;
    const bool found = body();
    if (opens) launched_.erase(thread);
    return found;
  }

  std::set<std::string> launched_;
  absl::flat_hash_set<PrimRef> seen_;
};

}  // namespace

int ThreadAxis(absl::string_view tag) {
  if (tag == "threadIdx.x") return 0;
  if (tag == "threadIdx.y") return 1;
  if (tag == "threadIdx.z") return 2;
  return -1;
}

bool ThreadsSynchronize(StmtRef s, const std::set<std::string>& launched) {
  return MeetingSearch(launched).In(s);
}

ir::SyncScope SyncScopeIn(PrimRef e) {
  absl::flat_hash_set<PrimRef> seen;
  ir::SyncScope most = ir::SyncScope::kNone;
  const std::function<void(PrimRef)> look = [&](PrimRef part) {
    if (!seen.insert(part).second) return;
    if (const auto* call = part->As<ir::Intrinsic>()) most = std::max(most, ir::SyncScopeOf(*call));
    ForEachOperand(part, look);
  };
  look(e);
  return most;
}

}  // namespace lathe::analysis

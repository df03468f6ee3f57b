#include "generator/analysis/thread_returns.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/threads_synchronize.h"
#include "generator/ir/device/uniformity.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir_mentions.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StmtRef;
using ir::SyncScope;
using ir::UniformScope;

// Visits statements in the execution order of a thread.
class ThreadWalk {
 public:
  explicit ThreadWalk(StmtRef body) : uniformity_(body) {}

  std::optional<SyncAfterReturn> found() const {
    return found_.meeting == nullptr ? std::nullopt : std::optional(found_);
  }

  void Through(StmtRef stmt) {
    if (stmt == nullptr || found_.meeting != nullptr) return;
    if (IsThreadReturn(stmt)) return End(stmt);
    if (LeavesRound(stmt)) {
      left_ = std::min(left_, together_);
      return;
    }
    const UniformScope outside = together_;
    together_ = std::min(together_, uniformity_.ScopeInside(stmt));
    Inside(stmt);
    together_ = outside;
  }

 private:
  // The returns at which a thread may have ended; null: none.
  struct Ended {
    StmtRef of_block = nullptr;    // other threads of its block may not have returned
    StmtRef of_warp = nullptr;     // other threads of its warp may not have returned
    StmtRef one_thread = nullptr;  // inside one of several thread loops of a block
  };

  static bool LeavesRound(StmtRef stmt) {
    if (stmt->As<ir::BreakStmt>() != nullptr || stmt->As<ir::ContinueStmt>() != nullptr) {
      return true;
    }
    const auto* value = stmt->As<ir::EvaluateStmt>();
    const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
    return call != nullptr && (call->name == "break_loop" || call->name == "continue_loop");
  }

  // The threads that reach a return together are those that are still uniform here.
  void End(StmtRef stmt) {
    const UniformScope with = std::min(together_, left_);
    const auto note = [&](StmtRef& ended) {
      if (ended == nullptr) ended = stmt;
    };
    if (in_block_ > 0) note(ended_.one_thread);
    if (inside_ > 0 && with != UniformScope::kBlock) note(ended_.of_block);
    if (inside_ > 0 && with == UniformScope::kThread) note(ended_.of_warp);
  }

  void Inside(StmtRef stmt) {
    if (const auto* branch = stmt->As<ir::IfStmt>()) {
      Meet(stmt, branch->cond);
      const Ended before = ended_;
      Through(branch->then_case);
      const Ended then = ended_;
      ended_ = before;
      Through(branch->else_case);
      const auto join = [](StmtRef& to, StmtRef from) { to = to == nullptr ? from : to; };
      join(ended_.of_block, then.of_block);
      join(ended_.of_warp, then.of_warp);
      join(ended_.one_thread, then.one_thread);
      return;
    }
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      Meet(stmt, loop->min);
      Meet(stmt, loop->extent);
      if (loop->kind == ir::LoopKind::kThreadBinding && IsGridThread(loop->thread)) {
        Threads(loop->thread, loop->body, stmt);
      } else {
        Rounds(loop->body, stmt);
      }
      return;
    }
    if (const auto* attr = stmt->As<ir::AttrStmt>(); attr != nullptr && attr->body != nullptr) {
      const ir::Launch launch = ir::ThreadsOf(*attr);
      if (launch.var != nullptr && IsGridThread(launch.thread)) {
        return Threads(launch.thread, attr->body, stmt);
      }
      if (launch.var != nullptr) return Rounds(attr->body, stmt);
    }
    if (const auto* loop = stmt->As<ir::WhileStmt>()) {
      Meet(stmt, loop->cond);
      Rounds(loop->body, stmt);
      Meet(stmt, loop->cond);
      return;
    }
    if (const auto* let = stmt->As<ir::LetStmt>()) Meet(stmt, let->value);
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      Meet(stmt, store->value);
      for (PrimRef index : store->indices) Meet(stmt, index);
    }
    if (const auto* assert_ = stmt->As<ir::AssertStmt>()) Meet(stmt, assert_->cond);
    if (const auto* value = stmt->As<ir::EvaluateStmt>()) Meet(stmt, value->value);
    // A launch without a body covers all statements after it.
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      const int inside = inside_;
      for (StmtRef child : seq->stmts) {
        const auto* attr = child->As<ir::AttrStmt>();
        if (attr != nullptr && ir::ThreadsOf(*attr).var != nullptr) ++inside_;
        Through(child);
      }
      inside_ = inside;
      return;
    }
    ir::ForEachChild(stmt, [&](StmtRef child) { Through(child); });
  }

  void Meet(StmtRef stmt, PrimRef e) {
    const SyncScope meeting = SyncScopeIn(e);
    if (meeting == SyncScope::kBlock) Behind(stmt, ended_.of_block);
    if (meeting == SyncScope::kWarp) Behind(stmt, ended_.of_warp);
  }

  void Behind(StmtRef meeting, StmtRef end) {
    if (found_.meeting == nullptr && end != nullptr) found_ = {meeting, end};
  }

  // The effects of one iteration precede the next iteration.
  void Rounds(StmtRef body, StmtRef loop) {
    const StmtRef outer = rounds_;
    const UniformScope left = left_;
    if (!around_.empty()) rounds_ = loop;
    Through(body);
    Through(body);
    rounds_ = outer;
    left_ = left;
  }

  // Another thread loop nest has other threads; a loop over the same threads nested in one is
  // between synchronization points. Within a block, the next loop over its threads, and the next
  // iteration of a loop around it, have the same threads.
  void Threads(const std::string& thread, StmtRef body, StmtRef stmt) {
    const bool opens = around_.insert(thread).second;
    const Ended before = ended_;
    const bool of_block = ThreadAxis(thread) >= 0;
    if (!opens) Behind(stmt, ended_.of_block);
    if (of_block) Behind(stmt, ended_.one_thread);
    ++inside_;
    in_block_ += of_block ? 1 : 0;
    Through(body);
    in_block_ -= of_block ? 1 : 0;
    --inside_;
    if (!opens) return Behind(stmt, ended_.of_block);
    if (rounds_ != nullptr && of_block) Behind(rounds_, ended_.one_thread);
    around_.erase(thread);
    if (around_.empty()) ended_ = before;
  }

  ir::Uniformity uniformity_;
  std::set<std::string> around_;  // the enclosing thread loops
  int inside_ = 0;                // number of enclosing thread loops
  int in_block_ = 0;              // number of enclosing loops over threads of a block
  UniformScope together_ = UniformScope::kBlock;  // threads that reach this point together
  UniformScope left_ =
      UniformScope::kBlock;  // and have not left the iteration of the enclosing loop
  Ended ended_;
  StmtRef rounds_ = nullptr;  // the innermost ordinary loop inside a thread loop
  SyncAfterReturn found_;
};

}  // namespace

bool IsThreadReturn(StmtRef stmt) {
  if (stmt->As<ir::ReturnStmt>() != nullptr) return true;
  const auto* value = stmt->As<ir::EvaluateStmt>();
  const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
  return call != nullptr && (call->name == "ret" || call->name == "thread_return");
}

bool ContainsThreadReturn(StmtRef stmt) {
  bool ends = false;
  ir::ForEachStmt(stmt, [&](StmtRef s) { ends = ends || IsThreadReturn(s); });
  return ends;
}

bool IsGridThread(absl::string_view thread) {
  return absl::StartsWith(thread, "blockIdx.") || ThreadAxis(thread) >= 0;
}

std::optional<SyncAfterReturn> FindSyncAfterReturn(StmtRef body) {
  if (body == nullptr || !ContainsThreadReturn(body)) return std::nullopt;
  ThreadWalk walk(body);
  walk.Through(body);
  return walk.found();
}

std::string DescribeReturn(StmtRef end) {
  std::string place = RenderPlace(end->loc());
  while (!place.empty() && (place.back() == ' ' || place.back() == ':')) place.pop_back();
  return place.empty() ? "a return" : absl::StrCat("the return at ", place);
}

}  // namespace lathe::analysis

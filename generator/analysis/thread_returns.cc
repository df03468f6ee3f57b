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
    return found_.sync == nullptr ? std::nullopt : std::optional(found_);
  }

  void Visit(StmtRef stmt) {
    if (stmt == nullptr || found_.sync != nullptr) return;
    if (IsThreadReturn(stmt)) return VisitReturn(stmt);
    if (LeavesIteration(stmt)) {
      uniform_left_ = std::min(uniform_left_, uniform_);
      return;
    }
    const UniformScope outside = uniform_;
    uniform_ = std::min(uniform_, uniformity_.ScopeInside(stmt));
    VisitChildren(stmt);
    uniform_ = outside;
  }

 private:
  // The returns at which a thread may have ended; null: none.
  struct Returned {
    StmtRef of_block = nullptr;    // other threads of its block may not have returned
    StmtRef of_warp = nullptr;     // other threads of its warp may not have returned
    StmtRef one_thread = nullptr;  // inside one of several thread loops of a block
  };

  static bool LeavesIteration(StmtRef stmt) {
    if (stmt->As<ir::BreakStmt>() != nullptr || stmt->As<ir::ContinueStmt>() != nullptr) {
      return true;
    }
    const auto* value = stmt->As<ir::EvaluateStmt>();
    const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
    return call != nullptr && (call->name == "break_loop" || call->name == "continue_loop");
  }

  // The threads that reach a return together are those that are still uniform here.
  void VisitReturn(StmtRef stmt) {
    const UniformScope with = std::min(uniform_, uniform_left_);
    const auto note = [&](StmtRef& ended) {
      if (ended == nullptr) ended = stmt;
    };
    if (block_loop_depth_ > 0) note(returned_.one_thread);
    if (thread_loop_depth_ > 0 && with != UniformScope::kBlock) note(returned_.of_block);
    if (thread_loop_depth_ > 0 && with == UniformScope::kThread) note(returned_.of_warp);
  }

  void VisitChildren(StmtRef stmt) {
    if (const auto* branch = stmt->As<ir::IfStmt>()) {
      CheckSync(stmt, branch->cond);
      const Returned before = returned_;
      Visit(branch->then_case);
      const Returned then = returned_;
      returned_ = before;
      Visit(branch->else_case);
      const auto join = [](StmtRef& to, StmtRef from) { to = to == nullptr ? from : to; };
      join(returned_.of_block, then.of_block);
      join(returned_.of_warp, then.of_warp);
      join(returned_.one_thread, then.one_thread);
      return;
    }
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      CheckSync(stmt, loop->min);
      CheckSync(stmt, loop->extent);
      if (loop->kind == ir::LoopKind::kThreadBinding && IsGridThread(loop->thread)) {
        VisitThreadLoop(loop->thread, loop->body, stmt);
      } else {
        VisitLoopBody(loop->body, stmt);
      }
      return;
    }
    if (const auto* attr = stmt->As<ir::AttrStmt>(); attr != nullptr && attr->body != nullptr) {
      const ir::Launch launch = ir::ThreadsOf(*attr);
      if (launch.var != nullptr && IsGridThread(launch.thread)) {
        return VisitThreadLoop(launch.thread, attr->body, stmt);
      }
      if (launch.var != nullptr) return VisitLoopBody(attr->body, stmt);
    }
    if (const auto* loop = stmt->As<ir::WhileStmt>()) {
      CheckSync(stmt, loop->cond);
      VisitLoopBody(loop->body, stmt);
      CheckSync(stmt, loop->cond);
      return;
    }
    if (const auto* let = stmt->As<ir::LetStmt>()) CheckSync(stmt, let->value);
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      CheckSync(stmt, store->value);
      for (PrimRef index : store->indices) CheckSync(stmt, index);
    }
    if (const auto* assert_ = stmt->As<ir::AssertStmt>()) CheckSync(stmt, assert_->cond);
    if (const auto* value = stmt->As<ir::EvaluateStmt>()) CheckSync(stmt, value->value);
    // A launch without a body covers all statements after it.
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      const int inside = thread_loop_depth_;
      for (StmtRef child : seq->stmts) {
        const auto* attr = child->As<ir::AttrStmt>();
        if (attr != nullptr && ir::ThreadsOf(*attr).var != nullptr) ++thread_loop_depth_;
        Visit(child);
      }
      thread_loop_depth_ = inside;
      return;
    }
    ir::ForEachChild(stmt, [&](StmtRef child) { Visit(child); });
  }

  void CheckSync(StmtRef stmt, PrimRef e) {
    const SyncScope sync = SyncScopeIn(e);
    if (sync == SyncScope::kBlock) Report(stmt, returned_.of_block);
    if (sync == SyncScope::kWarp) Report(stmt, returned_.of_warp);
  }

  void Report(StmtRef sync, StmtRef end) {
    if (found_.sync == nullptr && end != nullptr) found_ = {sync, end};
  }

  // The effects of one iteration precede the next iteration.
  void VisitLoopBody(StmtRef body, StmtRef loop) {
    const StmtRef outer = loop_in_threads_;
    const UniformScope left = uniform_left_;
    if (!thread_loops_.empty()) loop_in_threads_ = loop;
    Visit(body);
    Visit(body);
    loop_in_threads_ = outer;
    uniform_left_ = left;
  }

  // Another thread loop nest has other threads; a loop over the same threads nested in one is
  // between synchronization points. Within a block, the next loop over its threads, and the next
  // iteration of a loop around it, have the same threads.
  void VisitThreadLoop(const std::string& thread, StmtRef body, StmtRef stmt) {
    const bool opens = thread_loops_.insert(thread).second;
    const Returned before = returned_;
    const bool of_block = ThreadAxis(thread) >= 0;
    if (!opens) Report(stmt, returned_.of_block);
    if (of_block) Report(stmt, returned_.one_thread);
    ++thread_loop_depth_;
    block_loop_depth_ += of_block ? 1 : 0;
    Visit(body);
    block_loop_depth_ -= of_block ? 1 : 0;
    --thread_loop_depth_;
    if (!opens) return Report(stmt, returned_.of_block);
    if (loop_in_threads_ != nullptr && of_block) Report(loop_in_threads_, returned_.one_thread);
    thread_loops_.erase(thread);
    if (thread_loops_.empty()) returned_ = before;
  }

  ir::Uniformity uniformity_;
  std::set<std::string> thread_loops_;  // the enclosing thread loops
  int thread_loop_depth_ = 0;           // number of enclosing thread loops
  int block_loop_depth_ = 0;            // number of enclosing loops over threads of a block
  UniformScope uniform_ = UniformScope::kBlock;  // threads that reach this point together
  UniformScope uniform_left_ =
      UniformScope::kBlock;  // and have not left the iteration of the enclosing loop
  Returned returned_;
  StmtRef loop_in_threads_ = nullptr;  // the innermost ordinary loop inside a thread loop
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
  walk.Visit(body);
  return walk.found();
}

std::string DescribeReturn(StmtRef end) {
  std::string place = RenderPlace(end->loc());
  while (!place.empty() && (place.back() == ' ' || place.back() == ':')) place.pop_back();
  return place.empty() ? "a return" : absl::StrCat("the return at ", place);
}

}  // namespace lathe::analysis

#include "generator/analysis/ends_of_threads.h"

#include <set>
#include <string>

#include "absl/strings/match.h"
#include "generator/analysis/threads_meet.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::analysis {
namespace {

using ir::StmtRef;

// Statement by statement, in the order that a thread comes to them.
class Walk {
 public:
  StmtRef found() const { return found_; }

  void Through(StmtRef stmt) {
    if (stmt == nullptr || found_ != nullptr) return;
    if (EndsThread(stmt)) {
      ended_ = ended_ || inside_ > 0;
      return;
    }
    if (const auto* branch = stmt->As<ir::IfStmt>()) {
      Meet(stmt, ThreadsMeet(branch->cond));
      const bool before = ended_;
      Through(branch->then_case);
      const bool then = ended_;
      ended_ = before;
      Through(branch->else_case);
      ended_ = ended_ || then;
      return;
    }
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      if (loop->kind == ir::LoopKind::kThreadBinding && IsOfGrid(loop->thread)) {
        Threads(*loop, stmt);
      } else {
        Twice(loop->body);  // what the last round did comes before the next
      }
      return;
    }
    if (const auto* loop = stmt->As<ir::WhileStmt>()) {
      Meet(stmt, ThreadsMeet(loop->cond));
      Twice(loop->body);
      Meet(stmt, ThreadsMeet(loop->cond));
      return;
    }
    if (const auto* let = stmt->As<ir::LetStmt>()) Meet(stmt, ThreadsMeet(let->value));
    if (const auto* store = stmt->As<ir::StoreStmt>()) Meet(stmt, ThreadsMeet(store->value));
    if (const auto* value = stmt->As<ir::EvaluateStmt>()) Meet(stmt, ThreadsMeet(value->value));
    // A launch without a body is of all that follows it.
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

 private:
  void Meet(StmtRef stmt, bool meets) {
    if (found_ == nullptr && meets && ended_) found_ = stmt;
  }

  void Twice(StmtRef body) {
    Through(body);
    Through(body);
  }

  // Threads of another nest are others; a loop over the same inside of one is between meetings.
  void Threads(const ir::ForStmt& loop, StmtRef stmt) {
    const bool opens = around_.insert(loop.thread).second;
    const bool before = ended_;
    if (!opens) Meet(stmt, true);
    ++inside_;
    Through(loop.body);
    --inside_;
    if (!opens) Meet(stmt, true);
    if (!opens) return;
    around_.erase(loop.thread);
    if (around_.empty()) ended_ = before;
  }

  std::set<std::string> around_;  // the loops over threads that are open
  int inside_ = 0;                // of how many loops over threads
  bool ended_ = false;            // some thread may have
  StmtRef found_ = nullptr;
};

}  // namespace

bool EndsThread(StmtRef stmt) {
  if (stmt->As<ir::ReturnStmt>() != nullptr) return true;
  const auto* value = stmt->As<ir::EvaluateStmt>();
  const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
  return call != nullptr && (call->name == "ret" || call->name == "thread_return");
}

bool IsOfGrid(absl::string_view thread) {
  return absl::StartsWith(thread, "blockIdx.") || ThreadAxis(thread) >= 0;
}

StmtRef MeetingBehindEnds(StmtRef body) {
  Walk walk;
  walk.Through(body);
  return walk.found();
}

}  // namespace lathe::analysis

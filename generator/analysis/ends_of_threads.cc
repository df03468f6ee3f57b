#include "generator/analysis/ends_of_threads.h"

#include <set>
#include <string>

#include "absl/algorithm/container.h"
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
      one_ended_ = one_ended_ || in_block_ > 0;
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
      Meet(stmt, ThreadsMeet(loop->min) || ThreadsMeet(loop->extent));
      if (loop->kind == ir::LoopKind::kThreadBinding && IsOfGrid(loop->thread)) {
        Threads(loop->thread, loop->body, stmt);
      } else {
        Rounds(loop->body, stmt);
      }
      return;
    }
    if (const auto* attr = stmt->As<ir::AttrStmt>(); attr != nullptr && attr->body != nullptr) {
      const ir::Launch launch = ir::ThreadsOf(*attr);
      if (launch.var != nullptr && IsOfGrid(launch.thread)) {
        return Threads(launch.thread, attr->body, stmt);
      }
      if (launch.var != nullptr) return Rounds(attr->body, stmt);
    }
    if (const auto* loop = stmt->As<ir::WhileStmt>()) {
      Meet(stmt, ThreadsMeet(loop->cond));
      Rounds(loop->body, stmt);
      Meet(stmt, ThreadsMeet(loop->cond));
      return;
    }
    if (const auto* let = stmt->As<ir::LetStmt>()) Meet(stmt, ThreadsMeet(let->value));
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      Meet(stmt, ThreadsMeet(store->value) || absl::c_any_of(store->indices, [](ir::PrimRef index) {
                   return ThreadsMeet(index);
                 }));
    }
    if (const auto* assert_ = stmt->As<ir::AssertStmt>()) Meet(stmt, ThreadsMeet(assert_->cond));
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

  // What the last round did comes before the next.
  void Rounds(StmtRef body, StmtRef loop) {
    const StmtRef outer = rounds_;
    if (!around_.empty()) rounds_ = loop;
    Through(body);
    Through(body);
    rounds_ = outer;
  }

  // Threads of another nest are others; a loop over the same inside of one is between meetings. In
  // a block the next loop over its threads, and the next round of a loop around it, has them again.
  void Threads(const std::string& thread, StmtRef body, StmtRef stmt) {
    const bool opens = around_.insert(thread).second;
    const bool before = ended_, one_before = one_ended_;
    const bool of_block = ThreadAxis(thread) >= 0;
    Meet(stmt, !opens || (of_block && one_ended_));
    ++inside_;
    in_block_ += of_block ? 1 : 0;
    Through(body);
    in_block_ -= of_block ? 1 : 0;
    --inside_;
    if (!opens) return Meet(stmt, true);
    if (rounds_ != nullptr) Meet(rounds_, of_block && one_ended_);
    around_.erase(thread);
    if (!around_.empty()) return;
    ended_ = before;
    one_ended_ = one_before;
  }

  std::set<std::string> around_;  // the loops over threads that are open
  int inside_ = 0;                // of how many loops over threads
  int in_block_ = 0;              // of how many over threads of a block
  bool ended_ = false;            // some thread may have
  bool one_ended_ = false;        // and others of its block may not
  StmtRef rounds_ = nullptr;      // the innermost loop of no threads, inside of one of threads
  StmtRef found_ = nullptr;
};

}  // namespace

bool EndsThread(StmtRef stmt) {
  if (stmt->As<ir::ReturnStmt>() != nullptr) return true;
  const auto* value = stmt->As<ir::EvaluateStmt>();
  const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
  return call != nullptr && (call->name == "ret" || call->name == "thread_return");
}

bool MayEndThread(StmtRef stmt) {
  bool ends = false;
  ir::ForEachStmt(stmt, [&](StmtRef s) { ends = ends || EndsThread(s); });
  return ends;
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

#include "generator/schedule/threads/split_at_barriers.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/indexed_by_thread.h"
#include "generator/analysis/thread_returns.h"
#include "generator/analysis/threads_synchronize.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/uniformity.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/map_children.h"
#include "generator/ir/packed_elements.h"
#include "generator/lower/make_kernel.h"
#include "generator/schedule/threads/remove_thread_returns.h"
#include "generator/schedule/threads/remove_thread_shuffles.h"
#include "generator/schedule/threads/serialize_threads.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;
using ir::StmtRef;

// The limit of stack memory for the local data of all threads of a launch.
constexpr int64_t kMaxThreadBytes = 4096;

class GroupSplitting {
 public:
  GroupSplitting(ir::Context& context, StmtRef body) : ir_(context), uniformity_(body) {}

  StmtRef Split(StmtRef body) {
    Row row;
    if (!Visit(body, row) || (!waiting_.empty() && !shared_)) return nullptr;
    Flush(row);
    return Joined(std::move(row.done), body);
  }

 private:
  struct Row {
    std::vector<StmtRef> done;   // executed once for all threads; contains thread loops
    std::vector<StmtRef> group;  // statements of each thread since the last barrier
  };

  StmtRef Made(ir::Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }
  StmtRef Joined(std::vector<StmtRef> stmts, StmtRef from) {
    return stmts.size() == 1 ? stmts[0] : Made(ir::SeqStmt{std::move(stmts)}, from);
  }

  void Flush(Row& row) {
    if (row.group.empty()) return;
    std::vector<StmtRef> stmts = known_;
    stmts.insert(stmts.end(), row.group.begin(), row.group.end());
    const StmtRef from = row.group[0];
    StmtRef nest = Joined(std::move(stmts), from);
    if (!threads_.empty()) nest = RemoveThreadReturns(ir_, nest);
    for (size_t i = threads_.size(); i-- > 0;) {
      ir::ForStmt loop = threads_[i];
      loop.kind = ir::LoopKind::kSerial;
      loop.thread.clear();
      loop.body = nest;
      nest = Made(std::move(loop), from);
    }
    row.done.push_back(nest);
    row.group.clear();
    behind_ = behind_ || std::exchange(ends_, false);
  }

  bool Meets(StmtRef stmt) const {
    std::set<std::string> around;
    for (const ir::ForStmt& loop : threads_) around.insert(loop.thread);
    return analysis::ThreadsSynchronize(stmt, around);
  }

  bool Visit(StmtRef stmt, Row& row) {
    const size_t known = known_.size();
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      bool fine = true;
      for (StmtRef child : seq->stmts) fine = fine && Visit(child, row);
      Flush(row);
      known_.resize(known);
      return fine;
    }
    if (const auto* s = stmt->As<ir::AllocStmt>()) {
      return Allocate(*s, stmt, row) && (s->body == nullptr || Visit(s->body, row));
    }
    if (const auto* s = stmt->As<ir::DeclBufferStmt>()) {
      known_.push_back(Made(ir::DeclBufferStmt{s->buffer, nullptr}, stmt));
      return s->body == nullptr || Visit(s->body, row);
    }
    if (const auto* s = stmt->As<ir::LetStmt>(); s != nullptr && s->body == nullptr) {
      if (!IsLoadFree(s->value)) return false;
      known_.push_back(stmt);
      return true;
    }
    const auto* loop = stmt->As<ir::ForStmt>();
    const bool opens = loop != nullptr && loop->kind == ir::LoopKind::kThreadBinding;
    if (!opens && !Meets(stmt)) {
      if (behind_) return false;
      if (analysis::ContainsThreadReturn(stmt)) {
        if (EndsBlock(stmt)) return End(stmt, row);
        ends_ = true;
      }
      // A statement that leaves a loop would leave the thread loop. Local memory allocated outside
      // is not expanded yet.
      if (LeavesLoop(stmt) || (threads_.empty() && !waiting_.empty())) return false;
      row.group.push_back(SerializeWithoutBarriers(ir_, stmt, Around()));
      return true;
    }
    Flush(row);
    const bool fine = loop != nullptr ? Loop(*loop, opens, stmt, row) : Meeting(stmt, row);
    Flush(row);
    known_.resize(known);
    return fine;
  }

  // Returns whether either all threads of a block return in `stmt` or none does.
  bool EndsBlock(StmtRef stmt) {
    if (threads_.empty() || analysis::IsThreadReturn(stmt)) return true;
    const auto* branch = stmt->As<ir::IfStmt>();
    if (stmt->As<ir::SeqStmt>() == nullptr && (branch == nullptr || !IsSame(branch->cond))) {
      return false;
    }
    bool splittable = true;
    ir::ForEachChild(stmt, [&](StmtRef part) {
      splittable = splittable && (!analysis::ContainsThreadReturn(part) || EndsBlock(part));
    });
    return splittable;
  }

  // A return of the whole block ends the iteration of the block loop. All threads run what comes
  // before it.
  bool End(StmtRef stmt, Row& row) {
    const bool in_blocks = absl::c_any_of(
        loops_, [](const ir::ForStmt& loop) { return absl::StartsWith(loop.thread, "blockIdx."); });
    if (!threads_.empty() && !in_blocks) return false;
    Flush(row);
    if (analysis::IsThreadReturn(stmt)) {
      row.done.push_back(stmt);
      return true;
    }
    if (threads_.empty()) {
      if (!waiting_.empty() || LeavesLoop(stmt)) return false;
      row.group.push_back(SerializeWithoutBarriers(ir_, stmt, Around()));
      Flush(row);
      return true;
    }
    return Meeting(stmt, row);
  }

  // A statement that is a synchronization point or contains one.
  bool Meeting(StmtRef stmt, Row& row) {
    return Match(
        stmt->node(), [&](const ir::BlockStmt& s) { return Block(s, stmt, row); },
        [&](const ir::AttrStmt& s) { return s.body != nullptr && Visit(s.body, row); },
        [&](const ir::IfStmt& s) {
          if (!IsSame(s.cond)) return false;
          Row yes, no;
          if (!Visit(s.then_case, yes)) return false;
          Flush(yes);
          if (s.else_case != nullptr && !Visit(s.else_case, no)) return false;
          Flush(no);
          StmtRef other = s.else_case == nullptr ? nullptr : Joined(std::move(no.done), stmt);
          row.done.push_back(
              Made(ir::IfStmt{s.cond, Joined(std::move(yes.done), stmt), other}, stmt));
          return true;
        },
        [&](const ir::EvaluateStmt& s) {
          const auto* call = s.value->As<ir::Intrinsic>();
          const bool waits =
              call != nullptr && (ir::IsBarrier(*call) || call->name == "tvm_storage_sync");
          return waits && !threads_.empty();
        },
        [](const auto&) { return false; });
  }

  bool Loop(const ir::ForStmt& loop, bool opens, StmtRef stmt, Row& row) {
    if (opens) {
      for (const ir::ForStmt& outer : loops_) {
        if (outer.thread != loop.thread) continue;
        if (loop.var != outer.var) {
          const PrimRef same = ir_.MakeCast(loop.var->dtype(), outer.var);
          known_.push_back(Made(ir::LetStmt{loop.var, same, nullptr}, stmt));
        }
        return Visit(loop.body, row);
      }
    }
    if (!IsSame(loop.min) || !IsSame(loop.extent) || loop.step != nullptr) return false;
    const bool threads = opens && analysis::ThreadAxis(loop.thread) >= 0;
    Row inner;
    if (opens) loops_.push_back(loop);
    if (threads) threads_.push_back(loop);
    if (!threads) ++depth_;
    // Per-thread memory would be shared along a further thread axis.
    if (threads && threads_.size() > 1 && owned_ > 0) return false;
    const auto* first = loop.min->As<ir::IntImm>();
    if (threads && (first == nullptr || first->value != 0)) return false;
    const size_t owned = owned_;
    const bool alone = threads && threads_.size() == 1;
    const StmtRef body = alone ? RemoveThreadShuffles(ir_, loop.body, loop) : loop.body;
    const size_t known = known_.size();
    bool fine = true;
    if (behind_) return false;
    if (threads && waiting_.empty() && !Meets(body)) {
      ends_ = analysis::ContainsThreadReturn(body);
      inner.group.push_back(SerializeWithoutBarriers(ir_, body, Around()));
    } else {
      fine = (!threads || Share(body, stmt, row)) && Visit(body, inner);
    }
    Flush(inner);
    known_.resize(known);
    owned_ = owned;
    if (!threads) --depth_;
    if (opens) loops_.pop_back();
    if (loops_.empty()) behind_ = false;  // threads of another nest are independent
    if (threads) {
      threads_.pop_back();
      row.done.insert(row.done.end(), inner.done.begin(), inner.done.end());
      return fine;
    }
    ir::ForStmt plain = loop;
    plain.body = Joined(std::move(inner.done), stmt);
    if (opens) {
      plain.kind = ir::LoopKind::kSerial;
      if (analysis::IsGridThread(plain.thread)) plain.body = RemoveThreadReturns(ir_, plain.body);
    }
    plain.thread.clear();
    row.done.push_back(Made(std::move(plain), stmt));
    return fine;
  }

  // Buffers of a block are shared by all threads, except those inside of the thread loops and local
  // ones.
  bool Block(const ir::BlockStmt& s, StmtRef stmt, Row& row) {
    if (s.predicate != nullptr || s.init != nullptr || !s.matches.empty() || !s.realized) {
      return false;
    }
    for (const ir::BlockAxis& axis : s.axes) {
      if (!IsLoadFree(axis.binding)) return false;
      known_.push_back(Made(ir::LetStmt{axis.var, axis.binding, nullptr}, stmt));
    }
    for (ir::BufferRef buffer : s.allocs) {
      if (!threads_.empty() && !IsShared(*buffer)) {
        if (!Privatize(buffer, stmt, row)) return false;
        continue;
      }
      // A buffer that is indexed by the thread has elements for all threads.
      if (absl::StartsWith(buffer->scope, "local") &&
          !analysis::IsIndexedByThread(s.body, buffer)) {
        if (shared_) return false;
        waiting_.push_back(buffer);
        waits_at_ = depth_;
        continue;
      }
      ir::AllocStmt alloc;
      alloc.buffer = buffer;
      row.done.push_back(Made(std::move(alloc), stmt));
    }
    return Visit(s.body, row);
  }

  // Local memory belongs to each thread, whether it is allocated inside or outside of the thread
  // loops.
  bool Allocate(const ir::AllocStmt& s, StmtRef stmt, Row& row) {
    if (s.condition != nullptr) return false;
    if (!threads_.empty() && !IsShared(*s.buffer) && !s.constant)
      return Privatize(s.buffer, stmt, row);
    if (absl::StartsWith(s.buffer->scope, "local") && !s.constant) {
      if (shared_) return false;
      waiting_.push_back(s.buffer);
      waits_at_ = depth_;
      return true;
    }
    ir::AllocStmt alloc = s;
    alloc.body = nullptr;
    row.done.push_back(Made(std::move(alloc), stmt));
    return true;
  }

  // Expands the local memory allocated outside of the thread loop that starts here with this body.
  bool Share(StmtRef body, StmtRef stmt, Row& row) {
    bool more = threads_.size() > 1;
    ir::ForEachStmt(body, [&](StmtRef s) {
      const auto* loop = s->As<ir::ForStmt>();
      more =
          more || (loop != nullptr && loop->kind == ir::LoopKind::kThreadBinding &&
                   loop->thread != threads_[0].thread && analysis::ThreadAxis(loop->thread) >= 0);
    });
    if (waiting_.empty()) return true;
    // Another launch would find the values that one launch leaves in it.
    if (more || shared_ || waits_at_ != depth_) return false;
    shared_ = true;
    bool fine = true;
    for (ir::BufferRef buffer : waiting_) fine = fine && Privatize(buffer, stmt, row);
    return fine;
  }

  // Returns the thread's slice of an array for all threads.
  bool Privatize(ir::BufferRef buffer, StmtRef stmt, Row& row) {
    if (!lower::IsSmall(*buffer) || ir::IsPacked(buffer->dtype) || !buffer->strides.empty())
      return false;
    ++owned_;
    PrimRef thread = ir_.Int(0);
    int64_t count = 1;
    for (const ir::ForStmt& loop : threads_) {
      const auto* extent = loop.extent->As<ir::IntImm>();
      if (extent == nullptr || __builtin_mul_overflow(count, extent->value, &count)) return false;
      thread = ir_.Make(BinaryOp::kAdd, ir_.Make(BinaryOp::kMul, thread, ir_.Int(extent->value)),
                        ir_.MakeCast(ir::DType::Int(64), loop.var));
    }
    const std::optional<int64_t> own = ir::ExtentOf(*buffer);
    int64_t all = 0;
    if (!own || __builtin_mul_overflow(*own, count, &all) ||
        static_cast<int64_t>(ir::StorageBytes(buffer->dtype, 1)) > kMaxThreadBytes / (all + 1)) {
      return false;
    }
    ir::Buffer whole = *buffer;
    whole.name = buffer->name + "_all";
    whole.shape = {ir_.Int(all)};
    whole.strides.clear();
    whole.data = ir_.NewPointer(whole.name, whole.dtype, whole.scope);
    ir::AllocStmt alloc;
    alloc.buffer = ir_.NewBuffer(std::move(whole));
    const PrimRef first =
        ir_.MakeLoad(alloc.buffer, {ir_.Make(BinaryOp::kMul, thread, ir_.Int(*own))});
    const PrimRef place = ir_.Make(ir::DType::Handle(), ir::Intrinsic{"address_of", {first}});
    known_.push_back(Made(ir::LetStmt{buffer->data, place, nullptr}, stmt));
    known_.push_back(Made(ir::DeclBufferStmt{buffer, nullptr}, stmt));
    row.done.push_back(Made(std::move(alloc), stmt));
    return true;
  }

  static bool IsShared(const ir::Buffer& buffer) {
    return absl::StartsWith(buffer.scope, "shared");
  }

  // Returns whether `stmt` contains a break or continue of a loop around it.
  static bool LeavesLoop(StmtRef stmt) {
    if (stmt->As<ir::ForStmt>() != nullptr || stmt->As<ir::WhileStmt>() != nullptr) return false;
    const auto* value = stmt->As<ir::EvaluateStmt>();
    const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
    bool leaves =
        stmt->As<ir::BreakStmt>() != nullptr || stmt->As<ir::ContinueStmt>() != nullptr ||
        (call != nullptr && (call->name == "break_loop" || call->name == "continue_loop"));
    ir::ForEachChild(stmt, [&](StmtRef part) { leaves = leaves || LeavesLoop(part); });
    return leaves;
  }

  // Returns whether `e` is uniform before the threads start.
  bool IsSame(PrimRef e) {
    const std::vector<PrimRef> vars = analysis::VarsIn(e);
    const auto says = [&](PrimRef var) { return absl::c_linear_search(vars, var); };
    for (const ir::ForStmt& loop : threads_) {
      if (says(loop.var)) return false;
    }
    for (StmtRef stmt : known_) {
      const auto* let = stmt->As<ir::LetStmt>();
      if (let != nullptr && says(let->var)) return false;
    }
    return uniformity_.ScopeOf(e) == ir::UniformScope::kBlock;
  }

  absl::flat_hash_map<std::string, PrimRef> Around() const {
    absl::flat_hash_map<std::string, PrimRef> around;
    for (const ir::ForStmt& loop : loops_) around[loop.thread] = loop.var;
    return around;
  }

  ir::Context& ir_;
  ir::Uniformity uniformity_;
  std::vector<ir::ForStmt> loops_;      // over threads and blocks, outermost first
  std::vector<ir::ForStmt> threads_;    // those of them over threads that may synchronize
  int depth_ = 0;                       // number of enclosing loops that repeat
  size_t owned_ = 0;                    // open arrays for all threads
  bool ends_ = false;                   // a thread may return in the current group
  bool behind_ = false;                 // or in an earlier one: it must not continue in the next
  int waits_at_ = 0;                    // the depth at which the waiting memory is allocated
  bool shared_ = false;                 // a launch has used it
  std::vector<ir::BufferRef> waiting_;  // local memory allocated outside of the thread loops
  std::vector<StmtRef> known_;          // values of each thread, recomputed after each barrier
};

}  // namespace

StmtRef SplitAtBarriers(ir::Context& context, StmtRef body) {
  if (analysis::FindSyncAfterReturn(body)) return nullptr;
  return GroupSplitting(context, body).Split(body);
}

}  // namespace lathe::schedule

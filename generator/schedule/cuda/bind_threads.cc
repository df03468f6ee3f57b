#include "generator/schedule/cuda/bind_threads.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/thread_returns.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/gpu_instructions.h"
#include "generator/ir/device/memory_address.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/packed_elements.h"
#include "generator/ir/program.h"
#include "generator/ir/tir_mentions.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/support/status.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;
using ir::StmtRef;

absl::Status Refused(absl::string_view what) {
  return absl::UnimplementedError(absl::StrCat(
      what,
      " cannot be printed as CUDA yet; supported: loops over blockIdx and threadIdx (x, y, z), one "
      "nest for each launch, around all stores to memory that other threads can access; shared and "
      "local memory of known sizes; exchanges between threads, atomics, tensor cores"));
}

// Returns whether the scope is registers of a thread.
bool IsOwn(absl::string_view scope) {
  return absl::StartsWith(scope, "local") || scope == ir::kRegisterScope;
}

class Binder {
 public:
  Binder(ir::Context& context, const CalleeUses& callees, const nest::CalleeNames& failing)
      : ir_(context), callees_(callees), failing_(failing) {
    bound_.blocks.fill(ir_.Int(1));
    bound_.threads.fill(ir_.Int(1));
  }

  absl::StatusOr<ir::BoundThreads> Bind(StmtRef stmt) {
    LATHE_RETURN_IF_ERROR(Visit(stmt, {}));
    if (has_barrier_ && nest::MayFail(failing_, stmt)) {
      return Refused("a barrier in a launch whose threads may return before it");
    }
    if (const auto found = analysis::FindSyncAfterReturn(stmt)) {
      return absl::UnimplementedError(
          absl::StrCat("a barrier, a warp exchange or a warp-level matrix product after threads "
                       "may have returned at ",
                       analysis::DescribeReturn(found->end), ", cannot be printed as CUDA yet; ",
                       analysis::kSupportedThreadReturns));
    }
    // A statement outside of a thread loop would be executed by every thread of that loop, so it
    // must not store to shared or global memory.
    for (const auto& [buffer, tags] : stores_) {
      if (tags.size() == bound_tags_.size()) continue;
      return Refused(absl::StrCat("a store to '", buffer,
                                  "' outside some of the loops that are bound to threads"));
    }
    for (const auto& [function, tags] : calls_) {
      if (tags.size() == bound_tags_.size()) continue;
      return Refused(absl::StrCat("a call of '", function,
                                  "' outside some of the loops that are bound to threads"));
    }
    bound_.body = stmt;
    return bound_;
  }

 private:
  using Tags = std::set<std::string>;

  // `tags` are the bound threads around the statement. A launch without a body binds the rest of
  // its sequence.
  absl::Status Visit(StmtRef stmt, Tags tags) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (StmtRef child : seq->stmts) {
        LATHE_RETURN_IF_ERROR(Visit(child, tags));
        const auto loop = ThreadLoopOf(child);
        if (loop && loop->body == nullptr) tags.insert(loop->thread);
      }
      return absl::OkStatus();
    }
    if (const auto loop = ThreadLoopOf(stmt)) {
      LATHE_RETURN_IF_ERROR(Add(stmt, *loop));
      if (IsGridThread(*loop)) tags.insert(loop->thread);
      return loop->body == nullptr ? absl::OkStatus() : Visit(loop->body, std::move(tags));
    }
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      if (IsOwn(store->buffer->scope)) return Expressions(store->value, tags);
      if (ir::IsPacked(store->buffer->dtype)) {
        return Refused(absl::StrCat("a store to '", store->buffer->name, "' of ",
                                    ToString(store->buffer->dtype),
                                    ", whose elements share bytes, by several threads at once"));
      }
      stores_.emplace_back(store->buffer->name, tags);
      return Expressions(store->value, tags);
    }
    if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (ir::BufferRef buffer : block->allocs) LATHE_RETURN_IF_ERROR(Allocated(*buffer));
    }
    if (const auto* alloc = stmt->As<ir::AllocStmt>(); alloc != nullptr && !alloc->constant) {
      LATHE_RETURN_IF_ERROR(Allocated(*alloc->buffer));
    }
    if (const auto* let = stmt->As<ir::LetStmt>()) {
      LATHE_RETURN_IF_ERROR(Expressions(let->value, tags));
    }
    if (const auto* branch = stmt->As<ir::IfStmt>()) {
      LATHE_RETURN_IF_ERROR(Expressions(branch->cond, tags));
    }
    if (const auto* loop = stmt->As<ir::WhileStmt>()) {
      LATHE_RETURN_IF_ERROR(Expressions(loop->cond, tags));
    }
    if (const auto* value = stmt->As<ir::EvaluateStmt>()) {
      LATHE_RETURN_IF_ERROR(Expressions(value->value, tags));
    }
    absl::Status status;
    ir::ForEachChild(stmt, [&](StmtRef child) {
      if (status.ok()) status = Visit(child, tags);
    });
    return status;
  }

  static absl::Status Allocated(const ir::Buffer& buffer) {
    if (IsOfLaunch(buffer) || buffer.scope == ir::kRegisterScope) return absl::OkStatus();
    return Refused(absl::StrCat("'", buffer.name, "', which a launch allocates in the scope '",
                                buffer.scope, "',"));
  }

  absl::Status Expressions(PrimRef e, const Tags& tags) {
    if (const auto* call = e->As<ir::Intrinsic>()) {
      has_barrier_ = has_barrier_ || ir::SyncScopeOf(*call) == ir::SyncScope::kBlock;
      const auto* scope = call->name == "tvm_storage_sync" && !call->args.empty()
                              ? call->args[0]->As<ir::StringImm>()
                              : nullptr;
      if (scope != nullptr && scope->value == "global") return Refused("a barrier of a whole grid");
      if (ir::NeedsThreads(*call) && !ir::IsSupportedOnGpus(*call, e->dtype())) {
        return absl::UnimplementedError(absl::StrCat("'", ir::ToString(e),
                                                     "' cannot be printed as CUDA yet; ",
                                                     ir::DescribeSupportedOnGpus(call->name)));
      }
      for (PrimRef pointer : ir::WrittenPointers(*call, e->dtype())) {
        const PrimRef data = ir::PointedData(pointer);
        const auto* memory = data == nullptr ? nullptr : data->As<ir::SymVar>();
        if (memory != nullptr && !IsOwn(memory->scope)) stores_.emplace_back(memory->name, tags);
      }
      const auto* function = ir::IsFunctionCall(call->name) && !call->args.empty()
                                 ? call->args[0]->As<ir::StringImm>()
                                 : nullptr;
      if (function != nullptr) {
        calls_.emplace_back(function->value, tags);
        const std::vector<PointerUse>* known = UsesOf(callees_, *call);
        for (size_t i = 1; i < call->args.size(); ++i) {
          const bool only_reads = known != nullptr && i <= known->size() && !(*known)[i - 1].writes;
          if (!call->args[i]->dtype().is_handle() || only_reads) continue;
          for (PrimRef data : MemoryOf(call->args[i])) {
            const auto* pointer = data->As<ir::SymVar>();
            if (pointer == nullptr || !ir::IsPacked(pointer->pointee)) continue;
            return Refused(absl::StrCat(
                "a call of '", function->value, "' with memory of ", ToString(pointer->pointee),
                ", whose elements share bytes, by several threads at once"));
          }
        }
      }
    }
    absl::Status status;
    ir::ForEachOperand(e, [&](PrimRef operand) {
      if (status.ok()) status = Expressions(operand, tags);
    });
    return status;
  }

  absl::Status Add(StmtRef stmt, const ThreadLoop& loop) {
    const auto* plain = stmt->As<ir::ForStmt>();
    if (absl::StartsWith(loop.thread, "vthread") && plain != nullptr) return absl::OkStatus();
    if (!IsGridThread(loop)) return Refused(absl::StrCat("a loop over ", loop.thread));
    if (plain != nullptr) {
      const auto* first = plain->min->As<ir::IntImm>();
      if (first == nullptr || first->value != 0 || plain->step != nullptr) {
        return Refused(absl::StrCat("a loop over ", loop.thread, " that does not start at 0"));
      }
    }
    if (nest::ReadsMemory(loop.extent)) {
      return Refused(absl::StrCat("a number of ", loop.thread, " that depends on data"));
    }
    const PrimRef extent = analysis::Simplify(ir_, ir_.MakeCast(ir::DType::Int(64), loop.extent));
    if (!bound_tags_.insert(loop.thread).second) {
      return Refused(absl::StrCat("a second loop over ", loop.thread, " in one nest"));
    }
    const bool blocks = absl::StartsWith(loop.thread, "blockIdx.");
    (blocks ? bound_.blocks : bound_.threads)[static_cast<size_t>(loop.thread.back() - 'x')] =
        extent;
    return absl::OkStatus();
  }

  ir::Context& ir_;
  const CalleeUses& callees_;
  const nest::CalleeNames& failing_;
  ir::BoundThreads bound_;
  Tags bound_tags_;
  std::vector<std::pair<std::string, Tags>> stores_;  // stores to memory that other threads see
  std::vector<std::pair<std::string, Tags>> calls_;
  bool has_barrier_ = false;
};

bool AsksForThreads(PrimRef e) {
  const auto* call = e->As<ir::Intrinsic>();
  bool needs = call != nullptr && ir::NeedsThreads(*call);
  ir::ForEachOperand(e, [&](PrimRef operand) { needs = needs || AsksForThreads(operand); });
  return needs;
}

}  // namespace

std::optional<ThreadLoop> ThreadLoopOf(StmtRef stmt) {
  if (const auto* loop = stmt->As<ir::ForStmt>()) {
    if (loop->kind != ir::LoopKind::kThreadBinding) return std::nullopt;
    return ThreadLoop{loop->var, loop->thread, loop->extent, loop->body};
  }
  const auto* attr = stmt->As<ir::AttrStmt>();
  if (attr == nullptr) return std::nullopt;
  const ir::Launch launch = ir::LaunchOf(*attr);
  if (launch.var == nullptr) return std::nullopt;
  return ThreadLoop{launch.var, launch.thread, attr->value, attr->body};
}

bool IsGridThread(const ThreadLoop& loop) {
  absl::string_view axis = loop.thread;
  if (!absl::ConsumePrefix(&axis, "blockIdx.") && !absl::ConsumePrefix(&axis, "threadIdx.")) {
    return false;
  }
  return axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z';
}

bool BindsThreads(StmtRef stmt) {
  bool binds = false;
  ir::ForEachStmt(stmt, [&](StmtRef s) {
    const auto* value = s->As<ir::EvaluateStmt>();
    const auto* store = s->As<ir::StoreStmt>();
    const auto* attr = s->As<ir::AttrStmt>();
    const bool launches =
        attr != nullptr && (attr->key == "thread_extent" || attr->key == "virtual_thread");
    binds = binds || launches || ThreadLoopOf(s) ||
            (value != nullptr && AsksForThreads(value->value)) ||
            (store != nullptr && AsksForThreads(store->value));
  });
  return binds;
}

bool IsOfLaunch(const ir::Buffer& buffer) {
  return absl::StartsWith(buffer.scope, "shared") || buffer.scope == "local";
}

absl::StatusOr<ir::BoundThreads> BindThreads(ir::Context& context, StmtRef stmt,
                                             const CalleeUses& callees,
                                             const nest::CalleeNames& failing) {
  return Binder(context, callees, failing).Bind(stmt);
}

}  // namespace lathe::schedule

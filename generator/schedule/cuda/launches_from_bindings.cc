#include "generator/schedule/cuda/launches_from_bindings.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/each_stmt.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/schedule/cuda/kernel_statements.h"
#include "generator/schedule/cuda/privatize_registers.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// Shared memory in which the threads of a block combine values.
int64_t CombinedBytes(const ir::Intrinsic& allreduce) {
  constexpr int64_t kMaxThreads = 1024, kMaxBytes = 8;
  const auto* values = allreduce.args.empty() ? nullptr : allreduce.args[0]->As<ir::IntImm>();
  return values == nullptr ? 0 : kMaxThreads * kMaxBytes * std::min<int64_t>(values->value, 8);
}

// Shared memory that the statement allocates. Exceeds every limit if a size is not constant.
int64_t SharedBytes(StmtRef stmt) {
  int64_t bytes = 0;
  const auto add = [&](const ir::Buffer& buffer) {
    if (!absl::StartsWith(buffer.scope, "shared")) return;
    int64_t own = static_cast<int64_t>(ir::StorageBytes(buffer.dtype, 1));
    for (PrimRef dim : buffer.shape) {
      const auto* size = dim->As<ir::IntImm>();
      if (size == nullptr || __builtin_mul_overflow(own, size->value, &own))
        own = kStaticSharedBytes + 1;
    }
    bytes += std::min(own, kStaticSharedBytes + 1);
  };
  ir::ForEachStmt(stmt, [&](StmtRef s) {
    if (const auto* alloc = s->As<ir::AllocStmt>()) add(*alloc->buffer);
    const auto* value = s->As<ir::EvaluateStmt>();
    const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
    if (call != nullptr && call->name == "tvm_thread_allreduce") bytes += CombinedBytes(*call);
    if (const auto* block = s->As<ir::BlockStmt>()) {
      for (BufferRef buffer : block->allocs) add(*buffer);
    }
  });
  return bytes;
}

class Schedule {
 public:
  Schedule(ir::Context& context, const ir::Kernel& kernel, const CalleeUses& callees,
           const nest::CalleeNames& failing)
      : ir_(context), kernel_(kernel), callees_(callees), failing_(failing) {}

  absl::StatusOr<ChosenLaunches> Launches() {
    const std::vector<StmtRef> rows = KernelStatements(ir_, kernel_.func.body);
    for (StmtRef row : rows) {
      const auto* alloc = row->As<ir::AllocStmt>();
      if (alloc != nullptr && !alloc->constant && alloc->buffer->scope == "local") {
        registers_.push_back(alloc->buffer);
      }
    }
    for (StmtRef row : rows) LATHE_RETURN_IF_ERROR(Row(row));
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      if (IsOfLaunch(*kernel_.buffers[i])) found_.unused.push_back(i);
    }
    for (BufferRef buffer : locals_) LATHE_RETURN_IF_ERROR(Place(buffer));
    for (const ir::GridLaunch& launch : found_.launches) LATHE_RETURN_IF_ERROR(Fits(launch));
    return std::move(found_);
  }

 private:
  absl::Status Row(StmtRef row) {
    if (const auto* let = row->As<ir::LetStmt>()) {
      if (nest::ReadsMemory(let->value)) {
        return absl::UnimplementedError(absl::StrCat(
            "'", ir::ToString(let->var),
            "', which reads memory outside the loops that are bound to threads, cannot be printed "
            "as CUDA yet; supported: scalars computed from sizes and constants"));
      }
      preamble_.push_back(row);
      return absl::OkStatus();
    }
    if (const auto* alloc = row->As<ir::AllocStmt>(); alloc != nullptr && !alloc->condition) {
      if (alloc->constant) {
        preamble_.push_back(row);
      } else if (alloc->buffer->scope != "local") {
        locals_.push_back(alloc->buffer);
      }
      return absl::OkStatus();
    }
    if (row->As<ir::DeclBufferStmt>() != nullptr) {
      preamble_.push_back(row);  // another view of existing memory
      return absl::OkStatus();
    }
    if (!ThreadLoopOf(row)) {
      return absl::UnimplementedError(absl::StrCat(
          BindsThreads(row) ? "loops that are bound to threads inside another statement"
                            : "a statement outside the loops that are bound to threads",
          " cannot be printed as CUDA yet; supported: kernels whose outermost loops are all bound "
          "to threads, kernels that start with T.device_entry(), and kernels without thread "
          "bindings"));
    }
    const BufferUses uses = UsesOf(ir_, row);
    std::vector<BufferRef> used;
    for (BufferRef buffer : registers_) {
      if (!uses.Mentions(buffer->data)) continue;
      if (!taken_.insert(buffer).second) return SeveralUse(*buffer);
      used.push_back(buffer);
    }
    LATHE_ASSIGN_OR_RETURN(const PrivateRegisters own, PrivatizeRegisters(ir_, row, used));
    LATHE_ASSIGN_OR_RETURN(ir::BoundThreads bound, BindThreads(ir_, own.stmt, callees_, failing_));
    ir::GridLaunch launch;
    launch.name = NameOfStatements({row}, "update");
    launch.preamble = preamble_;
    for (BufferRef buffer : own.buffers) {
      ir::AllocStmt alloc;
      alloc.buffer = buffer;
      launch.preamble.push_back(ir_.Make(std::move(alloc), Location()));
    }
    launch.guarded = may_have_failed_;
    launch.form = std::move(bound);
    may_have_failed_ = may_have_failed_ || nest::MayFail(failing_, row);
    found_.launches.push_back(std::move(launch));
    return absl::OkStatus();
  }

  static absl::Status Fits(const ir::GridLaunch& launch) {
    int64_t bytes = SharedBytes(ir::BodyOf(launch.form));
    for (StmtRef before : launch.preamble) bytes += SharedBytes(before);
    if (bytes <= kStaticSharedBytes) return absl::OkStatus();
    return absl::UnimplementedError(
        absl::StrCat("shared memory of more than ", kStaticSharedBytes,
                     " bytes, or of a size that is not constant, cannot be printed as CUDA yet"));
  }

  static absl::Status SeveralUse(const ir::Buffer& buffer) {
    return absl::UnimplementedError(
        absl::StrCat("'", buffer.name, "' in the scope '", buffer.scope,
                     "', which several launches use, cannot be printed as CUDA yet; supported: "
                     "shared and local memory of one launch"));
  }

  // Chooses global or shared memory for a kernel allocation around its nests.
  absl::Status Place(BufferRef buffer) {
    std::vector<ir::GridLaunch*> users;
    for (ir::GridLaunch& launch : found_.launches) {
      if (UsesOf(ir_, ir::BodyOf(launch.form)).Mentions(buffer->data)) users.push_back(&launch);
    }
    if (!IsOfLaunch(*buffer)) {
      const auto& given = kernel_.buffers;
      const bool is_given = std::find(given.begin(), given.end(), buffer) != given.end();
      if (!is_given && !users.empty()) found_.shared.push_back(buffer);
      return absl::OkStatus();
    }
    if (users.size() > 1) return SeveralUse(*buffer);
    if (users.empty()) return absl::OkStatus();
    ir::AllocStmt alloc;
    alloc.buffer = buffer;
    users[0]->preamble.push_back(ir_.Make(std::move(alloc), Location()));
    return absl::OkStatus();
  }

  ir::Context& ir_;
  const ir::Kernel& kernel_;
  const CalleeUses& callees_;
  const nest::CalleeNames& failing_;
  std::vector<StmtRef> preamble_;
  std::vector<BufferRef> locals_;         // that are not registers
  std::vector<BufferRef> registers_;      // local memory, declared for all threads
  absl::flat_hash_set<BufferRef> taken_;  // registers that a launch uses
  ChosenLaunches found_;
  bool may_have_failed_ = false;
};

}  // namespace

absl::StatusOr<ChosenLaunches> LaunchesFromBindings(ir::Context& context, const ir::Kernel& kernel,
                                                    const CalleeUses& callees,
                                                    const nest::CalleeNames& failing) {
  return Schedule(context, kernel, callees, failing).Launches();
}

}  // namespace lathe::schedule

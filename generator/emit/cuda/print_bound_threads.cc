#include "generator/emit/cuda/print_bound_threads.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/drop_unread.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/cuda/print_host_size.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/memory_address.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/each_stmt.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

constexpr int64_t kMaxThreads = 1024;  // the limit of threads in a block, on every GPU

absl::StatusOr<std::string> Extents(const CScope& scope,
                                    const std::array<ir::PrimRef, 3>& extents) {
  std::vector<std::string> texts;
  for (ir::PrimRef extent : extents) {
    LATHE_ASSIGN_OR_RETURN(texts.emplace_back(), PrintHostSize(scope, extent));
  }
  return absl::StrCat("lathe_extents{", absl::StrJoin(texts, ", "), "}");
}

// Returns the product of `extents`; nullopt: it is dynamic or overflows.
std::optional<int64_t> Product(const std::array<ir::PrimRef, 3>& extents) {
  int64_t product = 1;
  for (ir::PrimRef extent : extents) {
    const auto* number = extent->As<ir::IntImm>();
    if (number == nullptr || __builtin_mul_overflow(product, number->value, &product)) {
      return std::nullopt;
    }
  }
  return product;
}

void AddPointers(ir::PrimRef e, absl::flat_hash_set<ir::PrimRef>& memory) {
  const auto* list = e->As<ir::Intrinsic>();
  if (list != nullptr && list->name == ir::kListArgument) {
    for (ir::PrimRef item : list->args) AddPointers(item, memory);
  } else if (const ir::PrimRef data = e->dtype().is_handle() ? ir::PointedData(e) : nullptr) {
    memory.insert(data);
  }
}

}  // namespace

absl::flat_hash_set<ir::PrimRef> MemoryOfInstructions(ir::StmtRef body) {
  absl::flat_hash_set<ir::PrimRef> memory;
  ir::ForEachStmt(body, [&](ir::StmtRef s) {
    const auto* value = s->As<ir::EvaluateStmt>();
    const auto* call = value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
    if (call == nullptr || !ir::NeedsThreads(*call)) return;
    const auto plain = ir::GpuCallOf(*call);
    const bool copies =
        plain && (plain->op == ir::GpuOp::kBulkCopy || plain->op == ir::GpuOp::kBulkStore);
    if (plain && !copies) return;
    for (ir::PrimRef arg : call->args) AddPointers(arg, memory);
  });
  return memory;
}

absl::StatusOr<GridText> PrintBoundThreads(CScope& scope, const ir::BoundThreads& bound, bool fails,
                                           LineWriter& out) {
  const std::optional<int64_t> threads = Product(bound.threads);
  if (threads && *threads > kMaxThreads) {
    return absl::UnimplementedError(absl::StrCat(
        "a block of ", *threads, " threads exceeds the limit of a GPU, ", kMaxThreads));
  }
  GridText text;
  text.head =
      absl::StrCat("__global__ void __launch_bounds__(", threads.value_or(kMaxThreads), ")");
  GridWay way;
  LATHE_ASSIGN_OR_RETURN(way.blocks, Extents(scope, bound.blocks));
  LATHE_ASSIGN_OR_RETURN(way.threads, Extents(scope, bound.threads));
  text.ways.push_back(std::move(way));
  LineWriter body(2);
  LATHE_RETURN_IF_ERROR(PrintCStmt(scope, bound.body, fails, body));
  std::vector<std::string> threads_own;  // declared only if the body uses them
  ir::ForEachStmt(bound.body, [&](ir::StmtRef s) {
    if (const auto loop = schedule::ThreadLoopOf(s)) {
      threads_own.push_back(scope.vars.at(loop->var).name);
    }
  });
  out.Append(DropUnread(body.Take(), threads_own));
  return text;
}

}  // namespace lathe::emit

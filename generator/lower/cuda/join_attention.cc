#include "generator/lower/cuda/join_attention.h"

#include <algorithm>
#include <utility>

#include "generator/lower/build_nest.h"
#include "generator/lower/cuda/kernel_rows.h"
#include "generator/lower/cuda/match_attention.h"
#include "generator/lower/kernel_library/rewrite_stage.h"
#include "generator/lower/same_sizes.h"

namespace lathe::lower {

using ir::BufferRef;

std::optional<NestCall> OneBehindTheOther(ir::Context& context, const NestCall& first,
                                          const NestCall& second, ir::TensorId tensor) {
  const BufferRef made = first.ParamOf(tensor), read = second.ParamOf(tensor);
  if (made == nullptr || read == nullptr || made != first.result || read == second.result ||
      made->dtype != read->dtype || !SameSizes(context, made->shape, read->shape)) {
    return std::nullopt;
  }
  NestCall joined = first;
  joined.fused = true;
  joined.result = second.result;
  const auto at = static_cast<std::ptrdiff_t>(
      std::find(joined.params.begin(), joined.params.end(), made) - joined.params.begin());
  joined.params.erase(joined.params.begin() + at);
  joined.tensors.erase(joined.tensors.begin() + at);
  joined.nest.own.push_back(made);
  joined.nest.own.insert(joined.nest.own.end(), second.nest.own.begin(), second.nest.own.end());
  RewriteScalar rewrite(context);
  rewrite.Replace(read, made);
  for (size_t i = 0; i < second.params.size(); ++i) {
    if (second.tensors[i] == tensor) continue;
    const BufferRef same = joined.ParamOf(second.tensors[i]);
    if (same == nullptr) {
      joined.params.push_back(second.params[i]);
      joined.tensors.push_back(second.tensors[i]);
      continue;
    }
    // What is given to both is one parameter; none is written and read.
    if (second.params[i] == second.result || same->shape.size() != second.params[i]->shape.size()) {
      return std::nullopt;
    }
    rewrite.Replace(second.params[i], same);
  }
  for (NestStage stage : second.nest.stages) {
    RewriteStage(rewrite, stage);
    joined.nest.stages.push_back(std::move(stage));
  }
  joined.origins.insert(joined.origins.end(), second.origins.begin(), second.origins.end());
  joined.name = "attention";
  return joined;
}

bool MayEndAttention(const NestCall& call) {
  const NestStage& last = call.nest.stages.back();
  const auto* sum = last.acc == nullptr ? nullptr : last.update->As<ir::Binary>();
  return sum != nullptr && sum->op == ir::BinaryOp::kAdd && last.reduce.size() == 1;
}

bool IsAttention(ir::Context& context, const NestCall& call) {
  const std::vector<ir::StmtRef> rows = KernelRows(context, BuildNest(context, call.nest));
  std::vector<BufferUses> uses;
  absl::flat_hash_set<ir::PrimRef> given, own;
  for (BufferRef param : call.params) given.insert(param->data);
  size_t first = 0;
  for (ir::StmtRef row : rows) {
    uses.push_back(UsesOf(context, row));
    const auto* alloc = row->As<ir::AllocStmt>();
    if (alloc == nullptr) continue;
    own.insert(alloc->buffer->data);
    ++first;
  }
  if (first == rows.size()) return false;
  // As it is once the kernel is made: memory of its own is there before.
  given.insert(own.begin(), own.end());
  const auto found = MatchAttention(context, rows, first, uses, given, own, {});
  return found && first + found->statements == rows.size();
}

}  // namespace lathe::lower

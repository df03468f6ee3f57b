#include "generator/lower/contiguous_part.h"

#include <utility>

namespace lathe::lower {
namespace {

using ir::PrimRef;

bool IsOne(PrimRef e) {
  const auto* number = e->As<ir::IntImm>();
  return number != nullptr && number->value == 1;
}

bool ContainsVar(PrimRef e, PrimRef var) {
  bool found = e == var;
  ir::ForEachOperand(e, [&](PrimRef part) { found = found || ContainsVar(part, var); });
  return found;
}

bool HasLoad(PrimRef e) {
  bool loads = e->As<ir::Load>() != nullptr;
  ir::ForEachOperand(e, [&](PrimRef part) { loads = loads || HasLoad(part); });
  return loads;
}

// Returns the only block, if its axes are the loops around it.
const ir::BlockStmt* BlockIn(ir::StmtRef stmt) {
  while (const auto* loop = stmt->As<ir::ForStmt>()) stmt = loop->body;
  const auto* block = stmt->As<ir::BlockStmt>();
  const bool plain = block != nullptr && block->allocs.empty() && block->predicate == nullptr &&
                     block->init == nullptr && block->matches.empty();
  if (!plain) return nullptr;
  for (const ir::BlockAxis& axis : block->axes) {
    if (axis.kind != ir::AxisKind::kSpatial || axis.binding == nullptr) return nullptr;
    if (axis.binding->As<ir::SymVar>() == nullptr) return nullptr;
  }
  return block;
}

// Returns whether the indices are all axes in order and cover the whole buffer.
bool IsAll(const ir::BlockStmt& block, const ir::Buffer& buffer,
           const std::vector<PrimRef>& indices) {
  if (indices.size() != block.axes.size() || !buffer.strides.empty()) return false;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] != block.axes[i].var || buffer.shape[i] != block.axes[i].extent) return false;
  }
  return true;
}

// Returns what `index` adds to `var`: 0 if it is the variable alone, or null.
PrimRef AddedTo(ir::Context& context, PrimRef index, PrimRef var) {
  if (index == var) return context.Int(0);
  const auto* sum = index->As<ir::Binary>();
  return sum != nullptr && sum->op == ir::BinaryOp::kAdd && sum->lhs == var ? sum->rhs : nullptr;
}

// Finds the start and the size of the slice. Its leading indices are invariant; then all axes
// follow in order, each alone or plus an invariant number. An axis that does not cover its
// dimension comes before those with several positions. Dimensions of size 1 are skipped. Returns
// false if it is another one.
bool FindPlace(ir::Context& context, const ir::BlockStmt& block,
               const std::vector<PrimRef>& indices, ContiguousPart& part) {
  if (!part.whole->strides.empty()) return false;
  size_t next = 0;
  bool moves = false;
  for (size_t i = 0; i < indices.size(); ++i) {
    const PrimRef added =
        next < block.axes.size() ? AddedTo(context, indices[i], block.axes[next].var) : nullptr;
    const PrimRef begin = added == nullptr ? indices[i] : added;
    const PrimRef extent = added == nullptr ? context.Int(1) : block.axes[next++].extent;
    const PrimRef size = part.whole->shape[i];
    if (moves && size != extent && !IsOne(size)) return false;
    moves = moves || !IsOne(extent);
    if (HasLoad(begin)) return false;
    for (const ir::BlockAxis& axis : block.axes) {
      if (ContainsVar(begin, axis.var)) return false;
    }
    part.begin.push_back(begin);
    part.extent.push_back(extent);
  }
  return next == block.axes.size();
}

}  // namespace

std::optional<ContiguousPart> ContiguousPartOf(ir::Context& context, const ir::PrimFunc& func) {
  const ir::BlockStmt* block = BlockIn(func.body);
  const auto* store = block == nullptr ? nullptr : block->body->As<ir::StoreStmt>();
  const auto* load = store == nullptr ? nullptr : store->value->As<ir::Load>();
  if (load == nullptr || store->predicate != nullptr) return std::nullopt;
  ContiguousPart part;
  part.whole = func.params.empty() ? nullptr : func.params[0].buffer;
  part.is_stored = store->buffer == part.whole;
  if (!part.is_stored && load->buffer != part.whole) return std::nullopt;
  part.part = part.is_stored ? load->buffer : store->buffer;
  if (!IsAll(*block, *part.part, part.is_stored ? load->indices : store->indices)) {
    return std::nullopt;
  }
  if (part.whole->dtype != part.part->dtype) return std::nullopt;
  const auto& indices = part.is_stored ? store->indices : load->indices;
  return FindPlace(context, *block, indices, part) ? std::optional(std::move(part)) : std::nullopt;
}

}  // namespace lathe::lower

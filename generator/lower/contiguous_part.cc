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

// Returns the start of the slice. Its leading indices are invariant; then all axes follow in order.
// Dimensions of size 1 are skipped.
std::optional<std::vector<PrimRef>> BeginOf(ir::Context& context, const ir::BlockStmt& block,
                                            const ir::Buffer& buffer,
                                            const std::vector<PrimRef>& indices) {
  if (!buffer.strides.empty()) return std::nullopt;
  std::vector<PrimRef> begin;
  size_t next = 0;
  bool moves = false;
  for (size_t i = 0; i < indices.size(); ++i) {
    const bool is_axis = next < block.axes.size() && indices[i] == block.axes[next].var;
    if (is_axis) {
      const PrimRef extent = block.axes[next++].extent;
      if (buffer.shape[i] != extent && !IsOne(extent)) return std::nullopt;
      if (!IsOne(extent)) {
        moves = true;
      } else if (moves && !IsOne(buffer.shape[i])) {
        return std::nullopt;
      }
      begin.push_back(context.Int(0));
      continue;
    }
    if ((moves && !IsOne(buffer.shape[i])) || HasLoad(indices[i])) return std::nullopt;
    for (const ir::BlockAxis& axis : block.axes) {
      if (ContainsVar(indices[i], axis.var)) return std::nullopt;
    }
    begin.push_back(indices[i]);
  }
  return next == block.axes.size() ? std::optional(std::move(begin)) : std::nullopt;
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
  auto begin =
      BeginOf(context, *block, *part.whole, part.is_stored ? store->indices : load->indices);
  if (!begin || part.whole->dtype != part.part->dtype) return std::nullopt;
  part.begin = *std::move(begin);
  return part;
}

}  // namespace lathe::lower

#include "generator/schedule/lines/copy_statements.h"

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/map_parts.h"

namespace lathe::schedule {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

void StatementCopy::Set(BufferRef buffer, BufferRef copy) {
  buffers_[buffer] = copy;
  values_[buffer->data] = copy->data;
}

void StatementCopy::Redirect(BufferRef buffer, BufferRef to, PrimRef offset, PlaceOf place) {
  from_ = buffer;
  to_ = to;
  offset_ = offset;
  place_ = std::move(place);
}

std::optional<PrimRef> StatementCopy::Redirected(BufferRef view,
                                                 const std::vector<PrimRef>& indices) {
  if (from_ == nullptr || view->data != from_->data) return std::nullopt;
  const PrimRef place = Of(place_(view, indices));
  return analysis::Simplify(ir_, ir_.Make(ir::BinaryOp::kAdd, offset_, place));
}

BufferRef StatementCopy::Of(BufferRef buffer) {
  if (keeps_buffers_) return buffer;
  if (const auto it = buffers_.find(buffer); it != buffers_.end()) return it->second;
  ir::Buffer copy = *buffer;
  const auto [data, is_new] = values_.try_emplace(buffer->data, nullptr);
  if (is_new) data->second = ir_.NewPointer(buffer->name, buffer->dtype, buffer->scope);
  copy.data = data->second;
  for (PrimRef& size : copy.shape) size = Of(size);
  for (PrimRef& stride : copy.strides) stride = Of(stride);
  if (copy.elem_offset != nullptr) copy.elem_offset = Of(copy.elem_offset);
  return buffers_[buffer] = ir_.NewBuffer(std::move(copy));
}

PrimRef StatementCopy::Of(PrimRef e) {
  if (const auto it = values_.find(e); it != values_.end()) return it->second;
  const auto* load = e->As<ir::Load>();
  if (load == nullptr) {
    return ir::MapOperands(ir_, e, [&](PrimRef part) { return Of(part); });
  }
  if (const auto place = Redirected(load->buffer, load->indices)) {
    return ir_.MakeLoad(to_, {*place});
  }
  std::vector<PrimRef> indices;
  for (PrimRef index : load->indices) indices.push_back(Of(index));
  const PrimRef predicate = load->predicate == nullptr ? nullptr : Of(load->predicate);
  return ir_.MakeLoad(Of(load->buffer), std::move(indices), predicate);
}

PrimRef StatementCopy::NewVar(PrimRef var) { return values_[var] = ir_.NewVarLike(var); }

StmtRef StatementCopy::Of(StmtRef stmt) {
  ir::Stmt::Node node = stmt->node();
  if (auto* loop = std::get_if<ir::ForStmt>(&node)) loop->var = NewVar(loop->var);
  if (auto* let = std::get_if<ir::LetStmt>(&node)) let->var = NewVar(let->var);
  auto* store = std::get_if<ir::StoreStmt>(&node);
  if (const auto place = store ? Redirected(store->buffer, store->indices) : std::nullopt) {
    store->buffer = to_;
    store->indices = {*place};
    store->value = Of(store->value);
    return ir_.Make(std::move(node), stmt->loc());
  }
  ir::MapParts(
      node, [&](PrimRef e) { return Of(e); }, [&](BufferRef b) { return Of(b); });
  const StmtRef outer = ir_.Make(std::move(node), stmt->loc());
  return ir::MapChildren(ir_, outer, [&](StmtRef child) { return Of(child); });
}

}  // namespace lathe::schedule

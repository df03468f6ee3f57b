#include "generator/transform/reduce/resize_prim_func.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/map_parts.h"

namespace lathe::transform {
namespace {

class PrimFuncResizer {
 public:
  PrimFuncResizer(ir::Context& context, const Resize& resize)
      : context_(context), resize_(resize) {}

  ir::PrimFunc Run(ir::PrimFunc func) {
    for (ir::PrimParam& param : func.params) param.buffer = In(param.buffer);
    func.body = In(func.body);
    return func;
  }

  bool changed() const { return changed_ && !unsupported_; }

 private:
  ir::PrimRef Size(ir::PrimRef size) {
    const auto* imm = size->As<ir::IntImm>();
    if (imm == nullptr) return In(size);
    const int64_t resized = resize_(imm->value);
    if (resized == imm->value) return size;
    changed_ = true;
    return context_.Int(resized, size->dtype());
  }

  // Expressions share operands, so each is visited once.
  ir::PrimRef In(ir::PrimRef e) {
    if (e == nullptr) return nullptr;
    if (const auto done = exprs_.find(e); done != exprs_.end()) return done->second;
    unsupported_ |= e->As<ir::RegionArg>() != nullptr;
    ir::PrimRef mapped =
        ir::MapOperands(context_, e, [&](ir::PrimRef operand) { return In(operand); });
    if (const auto* load = mapped->As<ir::Load>()) {
      ir::Load resized = *load;
      resized.buffer = In(load->buffer);
      mapped = context_.Make(mapped->dtype(), ir::PrimExpr::Node(std::move(resized)));
    }
    exprs_[e] = mapped;
    return mapped;
  }

  ir::BufferRef In(ir::BufferRef buffer) {
    if (buffer == nullptr) return nullptr;
    if (const auto done = buffers_.find(buffer); done != buffers_.end()) return done->second;
    ir::Buffer resized = *buffer;
    for (ir::PrimRef& size : resized.shape) size = Size(size);
    const bool same = resized.shape == buffer->shape;
    return buffers_[buffer] = same ? buffer : context_.NewBuffer(std::move(resized));
  }

  ir::StmtRef In(ir::StmtRef stmt) {
    if (stmt == nullptr) return nullptr;
    ir::Stmt::Node node =
        ir::MapChildren(context_, stmt, [&](ir::StmtRef child) { return In(child); })->node();
    ir::MapParts(
        node, [&](ir::PrimRef e) { return In(e); },
        [&](ir::BufferRef buffer) { return In(buffer); });
    if (auto* loop = std::get_if<ir::ForStmt>(&node)) {
      loop->extent = Size(loop->extent);
    } else if (auto* block = std::get_if<ir::BlockStmt>(&node)) {
      for (ir::BlockAxis& axis : block->axes) axis.extent = Size(axis.extent);
      for (auto* regions : {&block->reads, &block->writes}) {
        if (!*regions) continue;
        for (ir::BufferRegion& region : **regions) Resized(region);
      }
      for (ir::BlockMatch& match : block->matches) Resized(match.source);
    } else if (const auto* alloc = std::get_if<ir::AllocStmt>(&node)) {
      unsupported_ |= alloc->constant.has_value();
    }
    return context_.Make(std::move(node), stmt->loc());
  }

  void Resized(ir::BufferRegion& region) {
    for (ir::PrimRef& extent : region.extents) extent = Size(extent);
  }

  ir::Context& context_;
  const Resize resize_;
  bool changed_ = false;
  bool unsupported_ = false;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> exprs_;
  absl::flat_hash_map<ir::BufferRef, ir::BufferRef> buffers_;
};

}  // namespace

bool ResizePrimFunc(ir::Context& context, const Resize& resize, ir::PrimFunc& func) {
  PrimFuncResizer resizer(context, resize);
  ir::PrimFunc resized = resizer.Run(func);
  if (!resizer.changed()) return false;
  func = std::move(resized);
  return true;
}

}  // namespace lathe::transform

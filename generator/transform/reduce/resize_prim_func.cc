#include "generator/transform/reduce/resize_prim_func.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/map_operands.h"
#include "generator/support/match.h"

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
    const auto* imm = size == nullptr ? nullptr : size->As<ir::IntImm>();
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

  void In(std::vector<ir::PrimRef>& all) {
    for (ir::PrimRef& e : all) e = In(e);
  }

  void In(ir::BufferRegion& region) {
    region.buffer = In(region.buffer);
    In(region.mins);
    for (ir::PrimRef& extent : region.extents) extent = Size(extent);
  }

  ir::StmtRef In(ir::StmtRef stmt) {
    if (stmt == nullptr) return nullptr;
    ir::Stmt::Node node = stmt->node();
    std::visit([&](auto& s) { Change(s); }, node);
    return context_.Make(std::move(node), stmt->loc());
  }

  void Change(ir::SeqStmt& s) {
    for (ir::StmtRef& child : s.stmts) child = In(child);
  }
  void Change(ir::ForStmt& s) {
    s.min = In(s.min);
    s.extent = Size(s.extent);
    s.step = In(s.step);
    s.body = In(s.body);
  }
  void Change(ir::BlockStmt& s) {
    for (ir::BlockAxis& axis : s.axes) {
      axis.min = In(axis.min);
      axis.extent = Size(axis.extent);
      axis.binding = In(axis.binding);
    }
    for (auto* regions : {&s.reads, &s.writes}) {
      if (!*regions) continue;
      for (ir::BufferRegion& region : **regions) In(region);
    }
    s.predicate = In(s.predicate);
    s.init = In(s.init);
    for (ir::BufferRef& buffer : s.allocs) buffer = In(buffer);
    for (ir::BlockMatch& match : s.matches) {
      match.buffer = In(match.buffer);
      In(match.source);
    }
    s.body = In(s.body);
  }
  void Change(ir::StoreStmt& s) {
    s.buffer = In(s.buffer);
    In(s.indices);
    s.value = In(s.value);
    s.predicate = In(s.predicate);
  }
  void Change(ir::LetStmt& s) {
    s.value = In(s.value);
    s.body = In(s.body);
  }
  void Change(ir::IfStmt& s) {
    s.cond = In(s.cond);
    s.then_case = In(s.then_case);
    s.else_case = In(s.else_case);
  }
  void Change(ir::WhileStmt& s) {
    s.cond = In(s.cond);
    s.body = In(s.body);
  }
  void Change(ir::AllocStmt& s) {
    unsupported_ |= s.constant.has_value();
    s.buffer = In(s.buffer);
    s.condition = In(s.condition);
    s.body = In(s.body);
  }
  void Change(ir::DeclBufferStmt& s) {
    s.buffer = In(s.buffer);
    s.body = In(s.body);
  }
  void Change(ir::AttrStmt& s) {
    s.buffer = In(s.buffer);
    s.value = In(s.value);
    s.body = In(s.body);
  }
  void Change(ir::AssertStmt& s) {
    s.cond = In(s.cond);
    s.body = In(s.body);
  }
  void Change(ir::EvaluateStmt& s) { s.value = In(s.value); }
  void Change(ir::ReturnStmt& s) { s.value = In(s.value); }
  void Change(ir::BreakStmt&) {}
  void Change(ir::ContinueStmt&) {}

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

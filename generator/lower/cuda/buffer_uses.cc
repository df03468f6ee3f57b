#include "generator/lower/cuda/buffer_uses.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/substitute.h"
#include "generator/ir/gpu_effects.h"
#include "generator/ir/memory_place.h"
#include "generator/support/match.h"

namespace lathe::lower {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

class Collect {
 public:
  Collect(ir::Context& context, const analysis::ShapeVarMap& lets) : ir_(context), lets_(lets) {}

  void Visit(StmtRef stmt) {
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef child : s.stmts) Visit(child);
        },
        [&](const ir::ForStmt& s) {
          Value(s.min);
          Value(s.extent);
          if (s.step != nullptr) Value(s.step);
          all_.loops.push_back(s.var);
          Visit(s.body);
        },
        [&](const ir::BlockStmt& s) { Block(s); },
        [&](const ir::StoreStmt& s) {
          Use(s.buffer, s.indices, true);
          Value(s.value);
          if (s.predicate != nullptr) Value(s.predicate);
        },
        [&](const ir::LetStmt& s) {
          Value(s.value);
          if (s.var->dtype().is_integer()) lets_[s.var] = Expanded(s.value);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::IfStmt& s) {
          Value(s.cond);
          Visit(s.then_case);
          if (s.else_case != nullptr) Visit(s.else_case);
        },
        [&](const ir::WhileStmt& s) {
          Value(s.cond);
          Visit(s.body);
        },
        [&](const ir::AllocStmt& s) {
          Own(s.buffer);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::DeclBufferStmt& s) {
          all_.vars.insert(s.buffer->data);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::AttrStmt& s) {
          if (s.value != nullptr) Value(s.value);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::AssertStmt& s) {
          Value(s.cond);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::EvaluateStmt& s) {
          all_.opaque = all_.opaque || s.value->As<ir::IntImm>() == nullptr;
          Value(s.value);
        },
        [](const auto&) {});
  }

  BufferUses Take() { return std::move(all_); }

 private:
  void Block(const ir::BlockStmt& s) {
    for (const ir::BlockAxis& axis : s.axes) {
      if (axis.binding == nullptr) {
        all_.opaque = true;
        continue;
      }
      Value(axis.binding);
      lets_[axis.var] = Expanded(axis.binding);
    }
    if (s.predicate != nullptr) Value(s.predicate);
    for (BufferRef buffer : s.allocs) Own(buffer);
    for (const ir::BlockMatch& match : s.matches) {
      all_.opaque = true;  // somewhere in the source
      Use(match.source.buffer, match.source.mins, true);
    }
    if (s.init != nullptr) Visit(s.init);
    Visit(s.body);
  }

  void Own(BufferRef buffer) {
    all_.own.insert(buffer->data);
    all_.vars.insert(buffer->data);
  }

  PrimRef Expanded(PrimRef e) { return analysis::Substitute(ir_, e, lets_); }

  void Use(BufferRef buffer, const std::vector<PrimRef>& indices, bool stores) {
    all_.vars.insert(buffer->data);
    BufferUse use{buffer, {}, stores};
    for (PrimRef index : indices) {
      Value(index);
      use.indices.push_back(Expanded(index));
    }
    for (PrimRef dim : buffer->shape) Value(dim);
    for (PrimRef stride : buffer->strides) Value(stride);
    if (buffer->elem_offset != nullptr) Value(buffer->elem_offset);
    all_.uses.push_back(std::move(use));
  }

  void Value(PrimRef e) {
    if (e->As<ir::SymVar>() != nullptr) all_.vars.insert(e);
    if (const auto* load = e->As<ir::Load>()) Use(load->buffer, load->indices, false);
    if (const auto* call = e->As<ir::Intrinsic>()) {
      for (PrimRef pointer : ir::WrittenThrough(*call, e->dtype())) {
        if (const ir::Load* place = ir::ElementBehind(pointer)) {
          Use(place->buffer, place->indices, true);
        } else if (const PrimRef data = ir::DataBehind(pointer)) {
          all_.written.insert(data);
        }
      }
      // A function that is given memory may do anything with it.
      for (PrimRef arg : call->args) all_.opaque = all_.opaque || IsPointer(arg);
    }
    ir::ForEachOperand(e, [&](PrimRef operand) { Value(operand); });
  }

  static bool IsPointer(PrimRef e) {
    return e->dtype().is_handle() && e->As<ir::StringImm>() == nullptr;
  }

  ir::Context& ir_;
  analysis::ShapeVarMap lets_;
  BufferUses all_;
};

}  // namespace

bool BufferUses::Stores(PrimRef data) const {
  return written.contains(data) || std::any_of(uses.begin(), uses.end(), [&](const BufferUse& use) {
           return use.stores && use.buffer->data == data;
         });
}

BufferUses UsesOf(ir::Context& context, StmtRef stmt, const analysis::ShapeVarMap& lets) {
  Collect collect(context, lets);
  collect.Visit(stmt);
  return collect.Take();
}

}  // namespace lathe::lower

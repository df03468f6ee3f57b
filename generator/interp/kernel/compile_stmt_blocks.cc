// Compiles blocks: axes, init statements and matched regions.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/analysis/indexed_by_thread.h"
#include "generator/interp/kernel/arithmetic_steps.h"
#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/compile_stmt.h"
#include "generator/interp/kernel/control_steps.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/view_steps.h"

namespace lathe::interp {

using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;

void StmtCompiler::Block(const ir::BlockStmt& s) {
  uint32_t to_end = kNone;
  if (s.predicate != nullptr) {
    to_end = b_.Emit({JumpIfFalseStep, 0, CompileScalarExpr(b_, s.predicate)});
  }
  CodeBuilder::Scope scope(b_);
  // Bindings are expressions over the outer loops, so all are evaluated before any axis is bound.
  std::vector<std::pair<PrimRef, Lanes>> axes;
  for (const ir::BlockAxis& axis : s.axes) {
    if (axis.binding != nullptr) axes.emplace_back(axis.var, CompileExpr(b_, axis.binding));
  }
  for (auto& [var, lanes] : axes) b_.Bind(var, std::move(lanes));
  const size_t outside = local_.size();
  for (ir::BufferRef buffer : s.allocs) {
    AllocateBuffer(buffer);
    if (!analysis::IsIndexedByThread(s.body, buffer)) NoteLocal(buffer);
  }
  for (const ir::BlockMatch& match : s.matches) MatchRegion(match);
  if (s.init != nullptr) BlockInit(s);
  if (s.body != nullptr) Sequence({&s.body, 1});
  local_.resize(std::min(outside, local_.size()));
  if (to_end != kNone) b_.at(to_end).b = b_.here();
}

void StmtCompiler::BlockInit(const ir::BlockStmt& s) {
  std::vector<uint32_t> to_body;
  for (const ir::BlockAxis& axis : s.axes) {
    if (axis.kind != ir::AxisKind::kReduce) continue;
    const DType t = axis.var->dtype();
    const Reg min = EmitCast(b_, axis.min->dtype(), t, CompileScalarExpr(b_, axis.min));
    const Reg at_start = EmitBinary(b_, BinaryOp::kEq, t, CompileScalarExpr(b_, axis.var), min);
    to_body.push_back(b_.Emit({JumpIfFalseStep, 0, at_start}));
  }
  Sequence({&s.init, 1});
  for (uint32_t jump : to_body) b_.at(jump).b = b_.here();
}

// The view refers to the memory of the source. Its strides and offset are bound to the variables
// that declare them.
void StmtCompiler::MatchRegion(const ir::BlockMatch& m) {
  const ir::Buffer& buffer = *m.buffer;
  const ir::BufferRegion& region = m.source;
  if (buffer.dtype != region.buffer->dtype || region.mins.size() != region.buffer->shape.size() ||
      region.extents.size() != region.mins.size() || buffer.shape.size() > region.mins.size()) {
    b_.Error("run-buffer-mismatch",
             absl::StrCat("'", buffer.name, "' cannot be a view of this region of '",
                          region.buffer->name, "': dtype or number of dimensions differ"));
    return;
  }
  const uint32_t source = ViewOf(b_, region.buffer);
  const uint32_t view = b_.NewView(buffer);
  std::vector<uint32_t> operands = {source, static_cast<uint32_t>(region.mins.size())};
  for (PrimRef min : region.mins) operands.push_back(CompileScalarExpr(b_, min));
  for (PrimRef extent : region.extents) {
    operands.push_back(extent == nullptr ? b_.ConstantReg(1) : CompileScalarExpr(b_, extent));
  }
  b_.Emit(
      {MatchViewStep, static_cast<uint32_t>(buffer.shape.size()), view, b_.AddOperands(operands)});
  b_.BindBuffer(m.buffer, view);
  const auto settle = [&](PrimRef e, ParamField field, uint32_t dim, absl::string_view what) {
    Instr get{ViewFieldStep, b_.NewReg(), view, static_cast<uint32_t>(field), dim};
    get.type = e->dtype();
    b_.Emit(get);
    if (e->As<ir::SymVar>() != nullptr && b_.Find(e) == nullptr) {
      b_.Bind(e, {get.dst});
      return;
    }
    const uint32_t trap = b_.AddTrap(
        Blame::kMalformed, "run-buffer-mismatch",
        absl::StrCat(what, " ", dim, " of the view '", buffer.name, "' must be ", ir::ToString(e)));
    b_.Emit({CheckEqualStep, 0, CompileScalarExpr(b_, e), get.dst, trap});
  };
  if (b_.Find(buffer.data) == nullptr && b_.Find(region.buffer->data) != nullptr) {
    b_.Bind(buffer.data, *b_.Find(region.buffer->data));
  }
  for (uint32_t d = 0; d < buffer.shape.size(); ++d) {
    settle(buffer.shape[d], ParamField::kDim, d, "dimension");
  }
  for (uint32_t d = 0; d < buffer.strides.size() && d < buffer.shape.size(); ++d) {
    settle(buffer.strides[d], ParamField::kStride, d, "stride");
  }
  const bool bindable = buffer.elem_offset != nullptr &&
                        buffer.elem_offset->As<ir::SymVar>() != nullptr &&
                        b_.Find(buffer.elem_offset) == nullptr;
  if (bindable) settle(buffer.elem_offset, ParamField::kOffset, 0, "offset");
}

}  // namespace lathe::interp

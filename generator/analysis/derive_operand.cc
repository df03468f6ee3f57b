#include "generator/analysis/derive_operand.h"

#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;

StructInfoRef OfConstant(ir::Context& context, const ir::Constant& c) {
  std::vector<ir::PrimRef> dims;
  dims.reserve(c.shape.size());
  for (int64_t dim : c.shape) dims.push_back(context.Int(dim));
  return context.Tensor(std::move(dims), c.dtype);
}

Derived OfTuple(Derivation& d, const ir::TupleExpr& tuple) {
  Derived result;
  std::vector<StructInfoRef> fields;
  fields.reserve(tuple.fields.size());
  for (const ir::Operand& field : tuple.fields) {
    const Derived part = DeriveOperand(d, field);
    fields.push_back(part.info);
    result.guess |= part.guess;
  }
  result.info = d.ir.Tuple(std::move(fields));
  return result;
}

}  // namespace

Derived DeriveOperand(Derivation& d, const ir::Operand& operand) {
  return Match(
      operand.node, [&](ir::ValueId id) { return d.Lookup(id); },
      [&](ir::ConstantId id) { return Derived{OfConstant(d.ir, d.module.constants[id])}; },
      [&](const ir::ShapeExpr& s) { return Derived{d.ir.Shape(s.values)}; },
      [&](const ir::PrimValue& p) { return Derived{d.ir.Prim(p.value->dtype(), p.value)}; },
      [&](const ir::StringImm&) { return Derived{d.ir.Object()}; },
      [&](const ir::DTypeImm&) { return Derived{d.ir.Object()}; },
      [&](const ir::TupleExpr& t) { return OfTuple(d, t); },
      [&](ir::GlobalId id) { return d.globals[id]; },
      [&](const ir::ExternFunc& f) { return Derived{DeriveExternFunc(d.ir, f)}; });
}

StructInfoRef DeriveExternFunc(ir::Context& context, const ir::ExternFunc& f) {
  if (f.info != nullptr) return f.info;
  return context.Make(ir::StructInfo::Node(
      ir::FuncInfo{std::nullopt, context.Object(), false, ir::Derive::kDefault}));
}

}  // namespace lathe::analysis

#include "generator/analysis/derive/derive_operand.h"

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
  if (const auto* id = operand.As<ir::ValueId>()) return d.Lookup(*id);
  if (const auto* id = operand.As<ir::GlobalId>()) return d.globals[*id];
  if (const auto* tuple = operand.As<ir::TupleExpr>()) return OfTuple(d, *tuple);
  return {DeriveLeaf(d.ir, d.module, operand)};
}

StructInfoRef DeriveLeaf(ir::Context& context, const ir::Module& module,
                         const ir::Operand& operand) {
  return Match(
      operand.node, [&](ir::ValueId) { return context.Object(); },
      [&](ir::ConstantId id) { return OfConstant(context, module.constants[id]); },
      [&](const ir::ShapeExpr& s) { return context.Shape(s.values); },
      [&](const ir::PrimValue& p) { return context.Prim(p.value->dtype(), p.value); },
      [&](const ir::StringImm&) { return context.Object(); },
      [&](const ir::DTypeImm&) { return context.Object(); },
      [&](const ir::TupleExpr&) { return context.Object(); },
      [&](ir::GlobalId) { return context.Object(); },
      [&](const ir::ExternFunc& f) { return DeriveExternFunc(context, f); });
}

StructInfoRef DeriveExternFunc(ir::Context& context, const ir::ExternFunc& f) {
  if (f.info != nullptr) return f.info;
  return context.Make(ir::StructInfo::Node(
      ir::FuncInfo{std::nullopt, context.Object(), false, ir::Derive::kDefault}));
}

}  // namespace lathe::analysis

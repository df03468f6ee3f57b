#include "generator/ir/print/print_operand.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print/print_constant.h"
#include "generator/ir/print/print_struct_info.h"
#include "generator/ir/print_literal.h"
#include "generator/ir/print_options.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

std::string Print(const Operand& operand, OperandPosition place, const GraphText& text, int depth);

// From 0.26 on the name of a parameter may denote a shape variable, and vice versa, so a bare
// variable is known to be a scalar.
std::string PrintPrim(PrimRef e, OperandPosition place, const GraphText& text) {
  const std::string scalar = text.Scalar(e);
  const bool bare =
      place == OperandPosition::kArgument && !text.before_0_26() && e->As<SymVar>() == nullptr;
  return bare ? scalar : absl::StrCat("R.prim_value(", scalar, ")");
}

std::string PrintTuple(const TupleExpr& tuple, OperandPosition place, const GraphText& text,
                       int depth) {
  if (tuple.fields.empty()) return "R.tuple()";
  // A tuple of only bare scalars would be read as a shape.
  const bool scalars =
      std::all_of(tuple.fields.begin(), tuple.fields.end(),
                  [](const Operand& field) { return field.As<PrimValue>() != nullptr; });
  const OperandPosition inner = scalars ? OperandPosition::kWhole : place;
  std::vector<std::string> fields;
  for (const Operand& field : tuple.fields) fields.push_back(Print(field, inner, text, depth));
  return TupleOf(fields);
}

std::string Print(const Operand& operand, OperandPosition place, const GraphText& text, int depth) {
  if (depth > kMaxPrintedDepth) return "...";
  return Match(
      operand.node, [&](ValueId id) { return text.Name(id); },
      [&](ConstantId id) { return PrintConstant(id, text); },
      [&](const ShapeExpr& s) {
        std::vector<std::string> dims;
        for (PrimRef e : s.values) dims.push_back(text.Scalar(e));
        return absl::StrCat("R.shape([", absl::StrJoin(dims, ", "), "])");
      },
      [&](const PrimValue& p) { return PrintPrim(p.value, place, text); },
      [](const StringImm& s) { return absl::StrCat("R.str(", StringLiteral(s.value), ")"); },
      [](const DTypeImm& d) { return absl::StrCat("R.dtype(\"", ToString(d.dtype), "\")"); },
      [&](const TupleExpr& t) { return PrintTuple(t, place, text, depth + 1); },
      [&](GlobalId id) { return absl::StrCat(kModuleAlias, ".", text.module.globals[id].name); },
      [&](const ExternFunc& f) { return PrintExtern(f, text); });
}

}  // namespace

std::string PrintOperand(const Operand& operand, OperandPosition place, const GraphText& text) {
  return Print(operand, place, text, 0);
}

std::string PrintExtern(const ExternFunc& f, const GraphText& text) {
  const std::string info =
      f.info == nullptr ? "" : absl::StrCat(", ", PrintStructInfo(f.info, text));
  return absl::StrCat("R.ExternFunc(", StringLiteral(f.name), info, ")");
}

}  // namespace lathe::ir

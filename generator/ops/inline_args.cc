// Normalizes call_tir and related operators: the arguments become a tuple literal instead of a
// variable bound to a tuple.
//
//   t = (x, y)                          t = (x, y)
//   z = R.call_tir(f, t, ...)     →     z = R.call_tir(f, (x, y), ...)
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"

namespace lathe::ops {
namespace {

using ir::NormalizeContext;
using ir::Operand;

// Follows `a = b` bindings to a tuple literal; null when there is none.
const ir::TupleExpr* FindTuple(NormalizeContext& c, const Operand& operand) {
  const Operand* at = &operand;
  // In a well-formed program every step goes to an earlier binding; the bound protects against
  // others.
  const int bindings = static_cast<int>(c.module().values.size());
  for (int step = 0; step <= bindings; ++step) {
    if (const auto* tuple = at->As<ir::TupleExpr>()) return tuple;
    const auto* var = at->As<ir::ValueId>();
    const ir::Rhs* rhs = var == nullptr ? nullptr : c.DefinitionOf(*var);
    at = rhs == nullptr ? nullptr : std::get_if<Operand>(rhs);
    if (at == nullptr) return nullptr;
  }
  return nullptr;
}

bool HoldsDataflowVar(NormalizeContext& c, const Operand& operand) {
  bool found = false;
  ir::ForEachLeaf(operand, [&](const Operand& leaf) {
    const auto* var = leaf.As<ir::ValueId>();
    found |= var != nullptr && c.module().values[*var].dataflow;
  });
  return found;
}

}  // namespace

bool NormalizeInlineArgs(NormalizeContext& c, ir::Call& call) {
  if (call.args.size() < 2 || call.args[1].As<ir::TupleExpr>() != nullptr) return false;
  const Operand args = call.args[1];
  const auto* info = c.InfoOf(args)->As<ir::TupleInfo>();
  if (info == nullptr) {  // a single value stands for a tuple of one
    if (c.InfoOf(args)->As<ir::ShapeInfo>() || c.InfoOf(args)->As<ir::FuncInfo>()) return false;
    call.args[1] = Operand{ir::TupleExpr{{args}}};
    return true;
  }
  if (const ir::TupleExpr* tuple = FindTuple(c, args)) {
    // A tuple that is visible outside of its dataflow block may contain variables that are not.
    const Operand inlined{*tuple};
    if (!HoldsDataflowVar(c, inlined) || HoldsDataflowVar(c, args)) {
      call.args[1] = inlined;
      return true;
    }
  }
  ir::TupleExpr fields;
  for (size_t i = 0; i < info->fields.size(); ++i) {
    const ir::ValueId field = c.Emit(ir::GetField{args, static_cast<int>(i)}, "arg");
    fields.fields.push_back(Operand{field});
  }
  call.args[1] = Operand{std::move(fields)};
  return true;
}

}  // namespace lathe::ops

#include "generator/ops/complete_call.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ops/ops.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::AttrList;
using ir::AttrValue;
using ir::Operand;
using ir::OpParam;
using ir::ParamKind;

// Converts a default of the table to an argument.
Operand DefaultOperand(ir::Context& context, const AttrValue& value) {
  if (const auto* b = value.As<bool>()) return Operand{ir::PrimValue{context.Bool(*b)}};
  if (const auto* i = value.As<int64_t>()) return Operand{ir::PrimValue{context.Int(*i)}};
  if (const auto* f = value.As<double>()) {
    return Operand{ir::PrimValue{context.Float(*f, ir::DType::Float(32))}};
  }
  if (const auto* s = value.As<std::string>()) return Operand{ir::StringImm{*s}};
  if (const auto* d = value.As<ir::DType>()) return Operand{ir::DTypeImm{*d}};
  return Operand{ir::TupleExpr{}};
}

// Expands paddings: one number for every side, or one per axis for both of its sides. The result
// has first the starts of all axes, then the ends.
void CompletePads(int sides, AttrList& list) {
  if (list.size() == 1) list.resize(sides, list[0]);
  if (static_cast<int>(list.size()) * 2 == sides) {
    const AttrList once = list;
    list.insert(list.end(), once.begin(), once.end());
  }
}

void ExpandShortForm(const OpParam& param, AttrValue& value) {
  if (const auto* dtype = value.As<ir::DType>(); dtype != nullptr && dtype->is_void()) {
    value = AttrValue();
  }
  const bool reals = param.kind == ParamKind::kFloat || param.kind == ParamKind::kFloats;
  const auto widen = [&](AttrValue& v) {
    if (const auto* i = v.As<int64_t>(); i != nullptr && reals) v = static_cast<double>(*i);
  };
  widen(value);
  if (param.kind != ParamKind::kInts && param.kind != ParamKind::kFloats) return;
  if (value.is_none()) return;
  if (!value.As<AttrList>()) value = AttrList{value};
  auto& list = std::get<AttrList>(value.node);
  std::for_each(list.begin(), list.end(), widen);
  if (param.pads) {
    CompletePads(param.repeat, list);
  } else if (param.repeat > 1 && list.size() == 1) {
    list.resize(param.repeat, list[0]);
  }
}

}  // namespace

absl::Status CompleteAttrs(const ir::Op& signature, ir::AttrMap& attrs) {
  for (const OpParam& param : signature.params) {
    if (!param.attr) continue;
    const auto [it, missing] = attrs.try_emplace(param.name);
    if (missing) {
      if (param.has_default) {
        it->second = param.default_value;
      } else if (!param.optional) {
        return absl::InvalidArgumentError(absl::StrCat("attribute '", param.name, "' is missing"));
      }
    }
    if (it->second.is_none() && !param.default_from.empty()) {
      it->second = attrs[param.default_from];
    }
    ExpandShortForm(param, it->second);
  }
  return absl::OkStatus();
}

absl::Status CompleteCall(ir::Context& context, const ir::Op& signature,
                          std::vector<std::optional<Operand>> args, ir::Call& call) {
  std::vector<const OpParam*> by_position;
  for (const OpParam& param : signature.params) {
    if (!param.attr) by_position.push_back(&param);
  }
  args.resize(std::max(args.size(), by_position.size()));
  // In the order of the surface call, since a default may be an earlier parameter.
  for (const OpParam* param : by_position) {
    std::optional<Operand>& arg = args[param->position];
    if (arg.has_value() || param->variadic) {
      if (arg.has_value() && param->repeat > 1) {
        auto* shape = arg->As<ir::ShapeExpr>();
        if (shape != nullptr && shape->values.size() == 1) {
          shape->values.resize(param->repeat, shape->values[0]);
        }
      }
      continue;
    }
    if (!param->default_from.empty()) {
      for (const OpParam* from : by_position) {
        if (from->name == param->default_from) arg = args[from->position];
      }
    } else if (param->has_default) {
      arg = DefaultOperand(context, param->default_value);
    } else if (!param->optional) {
      return absl::InvalidArgumentError(absl::StrCat("argument '", param->name, "' is missing"));
    }
  }
  while (!args.empty() && !args.back().has_value()) args.pop_back();
  std::sort(by_position.begin(), by_position.end(),
            [](const OpParam* a, const OpParam* b) { return a->position < b->position; });
  call.args.clear();
  for (size_t i = 0; i < args.size(); ++i) {
    if (!args[i].has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("argument '", by_position[i]->name,
                                                     "' is missing, but a later one is given"));
    }
    call.args.push_back(*std::move(args[i]));
  }
  return CompleteAttrs(signature, call.attrs);
}

ir::Call CallOf(absl::string_view name, std::vector<ir::Operand> args, ir::AttrMap attrs) {
  const ir::Op* op = FindOp(name);
  LATHE_CHECK(op != nullptr, "the operator is in the list");
  ir::Call call;
  call.callee = op;
  call.args = std::move(args);
  call.attrs = std::move(attrs);
  LATHE_CHECK(CompleteAttrs(*op, call.attrs).ok(), "its attributes are given");
  return call;
}

}  // namespace lathe::ops

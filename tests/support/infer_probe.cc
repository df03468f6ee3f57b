#include "tests/support/infer_probe.h"

#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"

namespace lathe::testing {

using ir::Operand;
using ir::PrimRef;
using ir::StructInfoRef;

StructInfoRef InferProbe::InfoOf(const Operand& operand) const {
  auto& context = const_cast<ir::Context&>(context_);
  if (const auto* id = operand.As<ir::ValueId>()) return module_.values[*id].info;
  if (const auto* shape = operand.As<ir::ShapeExpr>()) return context.Shape(shape->values);
  if (const auto* prim = operand.As<ir::PrimValue>()) {
    return context.Prim(prim->value->dtype(), prim->value);
  }
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    std::vector<StructInfoRef> fields;
    for (const Operand& field : tuple->fields) fields.push_back(InfoOf(field));
    return context.Tuple(std::move(fields));
  }
  if (operand.As<ir::ExternFunc>() != nullptr) {
    ir::FuncInfo info{.ret = context.Object(), .pure = false, .derive = ir::Derive::kDefault};
    return context.Make(ir::StructInfo::Node(info));
  }
  return context.Object();
}

std::string InferProbe::Show(const Operand& operand) const {
  if (const auto* id = operand.As<ir::ValueId>()) return module_.values[*id].name;
  return "literal";
}

PrimRef InferProbe::Simplify(PrimRef e) { return analysis::Simplify(context_, e); }
ir::Tri InferProbe::ProveEqual(PrimRef a, PrimRef b) {
  return analysis::ProveEqual(context_, a, b);
}
ir::Tri InferProbe::ProveLessEqual(PrimRef a, PrimRef b) {
  return analysis::ProveLessEqual(context_, a, b);
}

PrimRef InferProbe::Dim(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  for (const auto& [sign, op] :
       {std::pair{" + ", ir::BinaryOp::kAdd}, std::pair{" * ", ir::BinaryOp::kMul}}) {
    const size_t at = text.find(sign);
    if (at == absl::string_view::npos) continue;
    return context_.Make(op, Dim(text.substr(0, at)), Dim(text.substr(at + 3)));
  }
  int64_t value = 0;
  if (absl::SimpleAtoi(text, &value)) return context_.Int(value);
  PrimRef& var = vars_[std::string(text)];
  if (var == nullptr) var = context_.NewVar(text);
  return var;
}

std::vector<PrimRef> InferProbe::Dims(absl::string_view text) {
  std::vector<PrimRef> dims;
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    dims.push_back(Dim(part));
  }
  return dims;
}

Operand InferProbe::Of(StructInfoRef info) {
  ir::Value value;
  value.name = absl::StrCat("v", module_.values.size());
  value.info = info;
  return Operand{module_.values.Add(std::move(value))};
}

StructInfoRef InferProbe::Tensor(absl::string_view dims, absl::string_view dtype) {
  return context_.Tensor(Dims(dims), *ir::ParseDType(dtype));
}
Operand InferProbe::T(absl::string_view dims, absl::string_view dtype, ir::VDeviceRef device) {
  return Of(context_.Tensor(Dims(dims), *ir::ParseDType(dtype), device));
}
Operand InferProbe::T(int ndim, absl::string_view dtype) {
  return Of(context_.Tensor(ndim, *ir::ParseDType(dtype)));
}
Operand InferProbe::Tuple(std::vector<Operand> fields) {
  return Operand{ir::TupleExpr{std::move(fields)}};
}
Operand InferProbe::Prim(absl::string_view value) { return Operand{ir::PrimValue{Dim(value)}}; }
Operand InferProbe::Shape(absl::string_view dims) { return Operand{ir::ShapeExpr{Dims(dims)}}; }

std::string InferProbe::Infer(absl::string_view name, std::vector<Operand> args, ir::AttrMap attrs,
                              std::vector<StructInfoRef> sinfo_args) {
  const ir::Op* op = ops::FindSurfaceOp(name);
  if (op == nullptr || op->infer == nullptr) return absl::StrCat("no inference of ", name);
  ir::Call call{.callee = op, .attrs = std::move(attrs), .sinfo_args = std::move(sinfo_args)};
  std::vector<std::optional<Operand>> given(args.begin(), args.end());
  if (const absl::Status s = ops::CompleteCall(context_, *op, std::move(given), call); !s.ok()) {
    return std::string(s.message());
  }
  diags_ = Diagnostics();
  const absl::StatusOr<StructInfoRef> info = op->infer(*this, call);
  if (info.ok()) return ToString(*info);
  if (diags_.all().empty()) return "failed without a diagnostic";
  return absl::StrCat(diags_.all()[0].code, ": ", diags_.all()[0].message);
}

}  // namespace lathe::testing

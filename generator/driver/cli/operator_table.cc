#include "generator/driver/cli/operator_table.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "generator/ops/external_call.h"
#include "generator/ops/ops.h"
#include "generator/support/match.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;
using ir::OpParam;
using ir::ParamKind;

absl::string_view KindName(ParamKind kind) {
  switch (kind) {
    case ParamKind::kExpr:
    case ParamKind::kConst:
      return "expr";
    case ParamKind::kTuple:
      return "tuple";
    case ParamKind::kShape:
      return "shape";
    case ParamKind::kPrim:
      return "prim";
    case ParamKind::kFunc:
      return "func";
    case ParamKind::kString:
      return "str";
    case ParamKind::kDType:
      return "dtype";
    case ParamKind::kBool:
      return "bool";
    case ParamKind::kInt:
      return "int";
    case ParamKind::kFloat:
      return "float";
    case ParamKind::kInts:
      return "ints";
    case ParamKind::kFloats:
      return "floats";
    case ParamKind::kDevice:
      return "device";
    case ParamKind::kVDevice:
      return "vdevice";
    case ParamKind::kAny:
      return "any";
  }
  return "any";
}

// Returns the default value of a parameter, or "" if it is required.
std::string Default(const OpParam& p) {
  if (!p.default_from.empty()) return p.default_from;
  if (p.has_default) return DefaultText(p.default_value);
  return p.optional ? "None" : "";
}

std::string Parameter(const OpParam& p) {
  std::string text = absl::StrCat(p.variadic ? "*" : "", p.name);
  const absl::string_view kind = KindName(p.kind);
  if (kind != "expr") absl::StrAppend(&text, ": ", kind);
  const std::string otherwise = Default(p);
  if (!otherwise.empty() && !p.variadic) {
    absl::StrAppend(&text, kind != "expr" ? " = " : "=", otherwise);
  }
  return text;
}

std::string SurfaceName(const ir::Op& op) {
  return absl::StrCat("R.", absl::StripPrefix(op.name, "relax."));
}

}  // namespace

std::string DefaultText(const ir::AttrValue& value) {
  return Match(
      value.node, [](std::monostate) { return std::string("None"); },
      [](bool v) { return std::string(v ? "True" : "False"); },
      [](int64_t v) { return absl::StrCat(v); },
      [](double v) {
        return v == static_cast<int64_t>(v) ? absl::StrCat(v, ".0") : absl::StrCat(v);
      },
      [](const std::string& v) { return absl::StrCat("\"", v, "\""); },
      [](const ir::DType& v) { return absl::StrCat("\"", ToString(v), "\""); },
      [](const ir::AttrList& v) {
        std::vector<std::string> items;
        for (const ir::AttrValue& item : v) items.push_back(DefaultText(item));
        return absl::StrCat("[", absl::StrJoin(items, ", "), "]");
      },
      [](const auto&) { return std::string("..."); });
}

std::string OperatorSignature(const ir::Op& op) {
  std::vector<std::string> params;
  bool keywords = false;
  for (const OpParam& p : op.params) {
    if (p.keyword_only && !keywords) params.push_back("*");
    keywords |= p.keyword_only || p.variadic;
    params.push_back(Parameter(p));
  }
  if (op.sinfo_args == ir::SInfoArgs::kOut) params.push_back("out_sinfo");
  if (op.sinfo_args == ir::SInfoArgs::kList) params.push_back("sinfo_args");
  return absl::StrCat(SurfaceName(op), "(", absl::StrJoin(params, ", "), ")");
}

std::string OperatorComputation(const ir::Op& op) {
  if (op.compute != nullptr) return "loop nest";
  const std::string external = ops::ExternalFunction(op);
  if (external.empty()) return op.without_compute;
  return absl::StrCat(op.without_compute, ": the external function ", external);
}

std::string OperatorsAsText() {
  std::string out;
  for (const ir::Op& op : ops::AllOps()) absl::StrAppend(&out, OperatorSignature(op), "\n");
  return out;
}

std::string OperatorsAsMarkdown() {
  int nests = 0;
  for (const ir::Op& op : ops::AllOps()) nests += op.compute != nullptr ? 1 : 0;
  std::string out = absl::StrCat(
      "# Operators\n\nThe ", ops::AllOps().size(),
      " operators of Relax; `lathe ops --markdown` writes this page. ", nests,
      " are computed by a loop\nnest; for the others, the last column gives the reason. *Impure* "
      "operators have effects.\n\n| Call | | Computed as |\n|---|---|---|\n");
  for (const ir::Op& op : ops::AllOps()) {
    const std::string call = absl::StrReplaceAll(OperatorSignature(op), {{"|", "\\|"}});
    absl::StrAppend(&out, "| `", call, "` | ", op.pure ? "" : "impure", " | ",
                    OperatorComputation(op), " |\n");
  }
  return out;
}

std::string OperatorsAsJson() {
  Json list = Json::array();
  for (const ir::Op& op : ops::AllOps()) {
    Json params = Json::array();
    for (const OpParam& p : op.params) {
      Json param = {{"name", p.name},
                    {"kind", std::string(KindName(p.kind))},
                    {"attribute", p.attr},
                    {"required", Default(p).empty() && !p.variadic}};
      if (!Default(p).empty()) param["default"] = Default(p);
      if (p.variadic) param["variadic"] = true;
      if (p.keyword_only) param["keyword_only"] = true;
      params.push_back(std::move(param));
    }
    Json row = {{"name", op.name},
                {"call", OperatorSignature(op)},
                {"parameters", std::move(params)},
                {"pure", op.pure},
                {"infers", op.infer != nullptr},
                {"normal_form_of_its_own", op.normalize != nullptr},
                {"loop_nest", op.compute != nullptr}};
    if (op.compute == nullptr) row["why_no_loop_nest"] = op.without_compute;
    const std::string external = ops::ExternalFunction(op);
    if (!external.empty()) row["external_function"] = external;
    list.push_back(std::move(row));
  }
  return Json{{"schema_version", 1}, {"operators", std::move(list)}}.dump(2) + "\n";
}

}  // namespace lathe::driver

#include "generator/ir/print/print_call.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/ir/op.h"
#include "generator/ir/print/print_attr.h"
#include "generator/ir/print/print_operand.h"
#include "generator/ir/print/print_struct_info.h"
#include "generator/ir/print_literal.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// The attribute of packed calls that names the type of their other attributes.
constexpr char kAttrsTypeKey[] = "attrs_type_key";

class CallText {
 public:
  CallText(const Call& call, const GraphText& text) : call_(call), text_(text) {}

  std::string Print() {
    const std::string head = Match(
        call_.callee, [&](const Op* op) { return Operator(*op); },
        [&](ValueId id) { return Plain(text_.Name(id)); },
        [&](GlobalId id) {
          return Plain(absl::StrCat(kModuleAlias, ".", text_.module.globals[id].name));
        },
        [&](const ExternFunc& f) {
          parts_.push_back(f.info == nullptr ? StringLiteral(f.name) : PrintExtern(f, text_));
          return Plain("R.call_packed");
        });
    return absl::StrCat(head, "(", absl::StrJoin(parts_, ", "), ")");
  }

 private:
  void Keyword(absl::string_view name, absl::string_view value) {
    parts_.push_back(absl::StrCat(name, "=", value));
  }

  std::string Argument(const Operand& operand) const {
    return PrintOperand(operand, OperandPosition::kArgument, text_);
  }

  // Attributes that are not in the schema, sorted.
  void Attribute(const std::string& name, const AttrValue& value) {
    const InfoPrinter print_info = [&](StructInfoRef info) { return PrintStructInfo(info, text_); };
    Keyword(name, PrintAttr(value, text_.names, text_.scalar_style(), print_info));
  }

  std::string InfoList() const {
    std::vector<std::string> infos;
    for (const StructInfoRef info : call_.sinfo_args) infos.push_back(PrintStructInfo(info, text_));
    return TupleOf(infos);
  }

  // A call without a schema.
  std::string Plain(std::string callee) {
    for (const Operand& arg : call_.args) parts_.push_back(Argument(arg));
    const auto key = call_.attrs.find(kAttrsTypeKey);
    if (key != call_.attrs.end()) Attribute(key->first, key->second);
    for (const auto& [name, value] : call_.attrs) {
      if (name != kAttrsTypeKey) Attribute(name, value);
    }
    if (!call_.sinfo_args.empty()) Keyword(ListKeyword(), InfoList());
    return callee;
  }

  absl::string_view ListKeyword() const { return text_.before_0_26() ? "sinfo_args" : "ty_args"; }
  absl::string_view OutKeyword() const { return text_.before_0_26() ? "out_sinfo" : "out_ty"; }

  std::string Operator(const Op& op) {
    Arguments(op);
    if (op.sinfo_args == SInfoArgs::kOut) {
      OutInfo();
    } else if (op.sinfo_args == SInfoArgs::kList && !call_.sinfo_args.empty()) {
      Keyword(ListKeyword(), InfoList());
    }
    Attributes(op);
    if (op.sinfo_args == SInfoArgs::kNone && !call_.sinfo_args.empty()) {
      Keyword(ListKeyword(), InfoList());
    }
    const absl::string_view name = op.name;
    const absl::string_view below = absl::StripPrefix(name, "relax.");
    return std::string(below == name ? name : absl::StrCat("R.", below));
  }

  // In the order of the surface call. Arguments after an omitted one, or whose position differs
  // from the surface call, are printed by name.
  void Arguments(const Op& op) {
    const size_t count = call_.args.size();
    size_t printed = 0;
    bool gap = false;
    for (const OpParam& param : op.params) {
      if (param.attr) continue;
      const auto position = static_cast<size_t>(param.position);
      if (param.variadic) {
        for (size_t i = position; i < count; ++i) parts_.push_back(Argument(call_.args[i]));
        printed = count;
        continue;
      }
      if (position >= count) {
        gap = true;
        continue;
      }
      ++printed;
      const std::string value = Argument(param, call_.args[position]);
      if (gap || param.keyword_only) {
        Keyword(param.name, value);
      } else {
        parts_.push_back(value);
      }
    }
    // Surplus arguments are printed, so that they are visible.
    for (size_t i = printed; i < count; ++i) parts_.push_back(Argument(call_.args[i]));
  }

  std::string Argument(const OpParam& param, const Operand& operand) const {
    const auto* f = operand.As<ExternFunc>();
    if (param.kind == ParamKind::kFunc && f != nullptr && f->info == nullptr) {
      return StringLiteral(f->name);
    }
    // A bare number would read as R.const, or as a shape of one dimension.
    const bool taken = param.kind == ParamKind::kConst || param.kind == ParamKind::kShape;
    if (taken && operand.As<PrimValue>() != nullptr) {
      return PrintOperand(operand, OperandPosition::kWhole, text_);
    }
    return Argument(operand);
  }

  // out_ty=A, or out_ty=[A, B] for a tuple.
  void OutInfo() {
    if (call_.sinfo_args.size() != 1) {
      if (!call_.sinfo_args.empty()) Keyword(ListKeyword(), InfoList());
      return;
    }
    const auto* tuple = call_.sinfo_args[0]->As<TupleInfo>();
    if (tuple == nullptr) return Keyword(OutKeyword(), PrintStructInfo(call_.sinfo_args[0], text_));
    std::vector<std::string> fields;
    for (const StructInfoRef field : tuple->fields) fields.push_back(PrintStructInfo(field, text_));
    Keyword(OutKeyword(), absl::StrCat("[", absl::StrJoin(fields, ", "), "]"));
  }

  void Attributes(const Op& op) {
    std::vector<const OpParam*> params;
    absl::flat_hash_set<absl::string_view> known;
    for (const OpParam& param : op.params) {
      if (!param.attr) continue;
      params.push_back(&param);
      known.insert(param.name);
    }
    std::sort(params.begin(), params.end(),
              [](const OpParam* a, const OpParam* b) { return a->position < b->position; });
    for (const OpParam* param : params) {
      const auto it = call_.attrs.find(param->name);
      if (it == call_.attrs.end()) continue;
      if (param->omit_if_none && it->second.is_none()) continue;
      Attribute(*param, it->second);
    }
    for (const auto& [name, value] : call_.attrs) {
      if (!known.contains(name)) Attribute(name, value);
    }
  }

  // The parameter's kind determines the form, so that strings can stand for other values.
  void Attribute(const OpParam& param, const AttrValue& value) {
    if (param.kind == ParamKind::kDType) {
      if (value.is_none()) return Keyword(param.name, text_.before_0_26() ? "\"void\"" : "None");
      if (const auto* dtype = value.As<DType>()) {
        return Keyword(param.name, absl::StrCat("\"", ToString(*dtype), "\""));
      }
    }
    if (const auto* device = value.As<VDeviceRef>()) {
      return Keyword(param.name, PrintDeviceName(*device, text_.module));
    }
    Attribute(param.name, value);
  }

  const Call& call_;
  const GraphText& text_;
  std::vector<std::string> parts_;
};

}  // namespace

std::string PrintCall(const Call& call, const GraphText& text) {
  return CallText(call, text).Print();
}

}  // namespace lathe::ir

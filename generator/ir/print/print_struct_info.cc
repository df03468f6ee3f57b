#include "generator/ir/print/print_struct_info.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print/print_attr.h"
#include "generator/ir/print_literal.h"
#include "generator/ir/print_options.h"
#include "generator/ir/target_kind.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

bool MentionsSymbol(PrimRef e, const absl::flat_hash_set<int>& symbols) {
  if (const auto* var = e->As<SymVar>()) return symbols.contains(var->id);
  bool found = false;
  ForEachOperand(e, [&](PrimRef operand) { found = found || MentionsSymbol(operand, symbols); });
  return found;
}

class InfoText {
 public:
  explicit InfoText(const GraphText& text) : text_(text) {}

  std::string Print(StructInfoRef info) {
    if (++depth_ > kMaxPrintedDepth) return "...";
    std::string out = Match(
        info->node(),
        [&](const ObjectInfo&) { return std::string(text_.before_0_26() ? "R.Object" : "R.Any"); },
        [&](const PrimInfo& p) { return Print(p); },
        [&](const ShapeInfo& s) {
          if (s.values)
            return absl::StrCat("R.Shape([", absl::StrJoin(Dims(*s.values), ", "), "])");
          return absl::StrCat("R.Shape(ndim=", s.ndim, ")");
        },
        [&](const TensorInfo& t) { return Print(t); },
        [&](const TupleInfo& t) {
          if (t.fields.empty()) return std::string("R.Tuple");
          return absl::StrCat("R.Tuple(", absl::StrJoin(List(t.fields), ", "), ")");
        },
        [&](const FuncInfo& f) { return Print(f); });
    --depth_;
    return out;
  }

 private:
  std::string Dim(PrimRef e) const {
    const std::string text = text_.Scalar(e);
    const auto* var = e->As<SymVar>();
    if (var != nullptr && text_.declared_above.contains(var->id)) return text;
    return MentionsSymbol(e, text_.quoted) ? StringLiteral(text) : text;
  }
  std::vector<std::string> Dims(const std::vector<PrimRef>& dims) const {
    std::vector<std::string> out;
    for (PrimRef e : dims) out.push_back(Dim(e));
    return out;
  }
  std::vector<std::string> List(const std::vector<StructInfoRef>& infos) {
    std::vector<std::string> out;
    for (StructInfoRef info : infos) out.push_back(Print(info));
    return out;
  }

  std::string Print(const PrimInfo& p) const {
    const std::string dtype = ToString(p.dtype);
    if (p.value == nullptr) {
      if (text_.before_0_26() || p.dtype.is_void()) return absl::StrCat("R.Prim(\"", dtype, "\")");
      return absl::StrCat("T.", dtype);
    }
    // TVM 0.26 has no spelling for this; this one is still read.
    const bool usual = p.value->dtype() == p.dtype;
    return absl::StrCat("R.Prim(", usual ? "" : absl::StrCat("\"", dtype, "\", "),
                        "value=", Dim(p.value), ")");
  }

  std::string Print(const TensorInfo& t) const {
    std::vector<std::string> parts;
    if (const auto* dims = t.dims()) {
      parts.push_back(TupleOf(Dims(*dims)));
    } else if (const ValueId* var = t.shape_var()) {
      parts.push_back(text_.Name(*var));
    }
    // The parts of a distributed tensor are positional if the first two are present.
    const bool positional = t.sharding && !parts.empty() && !t.dtype.is_void();
    const auto key = [&](absl::string_view name) {
      return positional ? "" : absl::StrCat(name, "=");
    };
    if (!t.dtype.is_void()) {
      parts.push_back(absl::StrCat(key("dtype"), "\"", ToString(t.dtype), "\""));
    }
    if (t.sharding) {
      parts.push_back(absl::StrCat(key("device_mesh"), StringLiteral(t.sharding->mesh)));
      parts.push_back(absl::StrCat(key("placement"), StringLiteral(t.sharding->placement)));
    }
    // If the shape is a variable, the rank must be printed; a rank that contradicts the shape is
    // kept, for the rule that reports it.
    const int known = t.dims() == nullptr ? kUnknownRank : static_cast<int>(t.dims()->size());
    // TVM rejects a rank next to a variable, and takes it from the variable.
    const bool taken = text_.has_type_vars() && t.shape_var() != nullptr;
    if (t.ndim != known && !taken) {
      parts.push_back(absl::StrCat("ndim=", t.ndim));
    }
    if (t.vdevice != nullptr) {
      parts.push_back(absl::StrCat("vdevice=", PrintDeviceName(t.vdevice, text_.module)));
    }
    const absl::string_view head = t.sharding ? "R.DTensor" : "R.Tensor";
    if (parts.empty()) return std::string(head);
    return absl::StrCat(head, "(", absl::StrJoin(parts, ", "), ")");
  }

  std::string Print(const FuncInfo& f) {
    const char* purity = f.pure ? "True" : "False";
    if (f.params) {
      std::vector<std::string> parts = {TupleOf(List(*f.params)), Print(f.ret), purity};
      if (f.derive != Derive::kNone) parts.push_back(DeriveOf(f.derive));
      return absl::StrCat("R.Callable(", absl::StrJoin(parts, ", "), ")");
    }
    std::vector<std::string> parts;
    if (f.ret->As<ObjectInfo>() == nullptr) parts.push_back(absl::StrCat("ret=", Print(f.ret)));
    if (f.pure) parts.push_back("purity=True");
    if (f.derive != Derive::kDefault) parts.push_back(DeriveOf(f.derive));
    if (parts.empty()) return "R.Callable";
    return absl::StrCat("R.Callable(", absl::StrJoin(parts, ", "), ")");
  }

  static std::string DeriveOf(Derive derive) {
    return derive == Derive::kNone      ? "derive_func=None"
           : derive == Derive::kDefault ? "derive_func=\"default_derive\""
                                        : "derive_func=\"empty_derive\"";
  }

  const GraphText& text_;
  int depth_ = 0;
};

}  // namespace

std::string PrintStructInfo(StructInfoRef info, const GraphText& text) {
  return InfoText(text).Print(info);
}

std::string PrintDeviceName(VDeviceRef device, const Module& module) {
  const absl::string_view kind = KindOfTarget(device->target);
  int index = 0;
  for (const VDeviceRef declared : module.vdevices()) {
    if (*declared == *device) {
      return absl::StrCat("\"", kind, ":", index, ":", device->scope, "\"");
    }
    if (KindOfTarget(declared->target) == kind) ++index;
  }
  return PrintDevice(*device);
}

}  // namespace lathe::ir

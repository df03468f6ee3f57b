#include "generator/ir/struct_info.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::ir {
namespace {

std::string Dims(const std::vector<PrimRef>& dims) {
  const auto one = [](std::string* out, PrimRef e) { absl::StrAppend(out, ToString(e)); };
  return absl::StrCat("(", absl::StrJoin(dims, ", ", one), dims.size() == 1 ? ",)" : ")");
}

std::string TensorText(const TensorInfo& t, const NameOf& name_of) {
  std::vector<std::string> parts;
  if (const auto* dims = t.dims()) {
    parts.push_back(Dims(*dims));
  } else if (const ValueId* var = t.shape_var()) {
    parts.push_back(name_of ? name_of(*var) : absl::StrCat("%", var->index));
  }
  if (!t.dtype.is_void()) parts.push_back(absl::StrCat("dtype=\"", ToString(t.dtype), "\""));
  if (t.dims() == nullptr && t.ndim != kUnknownRank) parts.push_back(absl::StrCat("ndim=", t.ndim));
  if (t.vdevice != nullptr) parts.push_back(absl::StrCat("vdevice=\"", ToString(*t.vdevice), "\""));
  if (t.sharding) {
    parts.push_back(absl::StrCat("device_mesh=\"", t.sharding->mesh, "\""));
    parts.push_back(absl::StrCat("placement=\"", t.sharding->placement, "\""));
  }
  return absl::StrCat(t.sharding ? "R.DTensor(" : "R.Tensor(", absl::StrJoin(parts, ", "), ")");
}

std::string Text(StructInfoRef info, const NameOf& name_of, int depth) {
  // Deeper than anything a person reads; keeps hostile nesting off the stack.
  if (depth > 40) return "...";
  const auto list = [&](const std::vector<StructInfoRef>& items) {
    return absl::StrJoin(items, ", ", [&](std::string* out, StructInfoRef s) {
      absl::StrAppend(out, Text(s, name_of, depth + 1));
    });
  };
  return Match(
      info->node(), [](const ObjectInfo&) { return std::string("R.Object"); },
      [](const PrimInfo& p) {
        if (p.value != nullptr) return absl::StrCat("R.Prim(value=", ToString(p.value), ")");
        return absl::StrCat("R.Prim(\"", ToString(p.dtype), "\")");
      },
      [](const ShapeInfo& s) {
        if (s.values) {
          const auto one = [](std::string* out, PrimRef e) { absl::StrAppend(out, ToString(e)); };
          return absl::StrCat("R.Shape([", absl::StrJoin(*s.values, ", ", one), "])");
        }
        return s.ndim == kUnknownRank ? std::string("R.Shape")
                                      : absl::StrCat("R.Shape(ndim=", s.ndim, ")");
      },
      [&](const TensorInfo& t) { return TensorText(t, name_of); },
      [&](const TupleInfo& t) { return absl::StrCat("R.Tuple(", list(t.fields), ")"); },
      [&](const FuncInfo& f) {
        if (!f.params) return std::string("R.Callable");
        return absl::StrCat("R.Callable((", list(*f.params), f.params->size() == 1 ? ",), " : "), ",
                            Text(f.ret, name_of, depth + 1), f.pure ? ", True)" : ", False)");
      });
}

}  // namespace

std::string ToString(StructInfoRef info, const NameOf& name_of) { return Text(info, name_of, 0); }

std::string ToString(const VDevice& device) {
  return absl::StrCat(device.target, ":", device.index, ":", device.scope);
}

}  // namespace lathe::ir

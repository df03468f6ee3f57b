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

std::string ShapeText(const ShapeInfo& s) {
  if (s.values) {
    const auto one = [](std::string* out, PrimRef e) { absl::StrAppend(out, ToString(e)); };
    return absl::StrCat("R.Shape([", absl::StrJoin(*s.values, ", ", one), "])");
  }
  return s.ndim == kUnknownRank ? "R.Shape" : absl::StrCat("R.Shape(ndim=", s.ndim, ")");
}

// Larger than anything a person reads; bounds recursion on hostile nesting, and the output of
// tuples that share their parts, which would grow as 2^n.
constexpr int kMaxShownDepth = 40;
constexpr size_t kMaxText = 4000;

class Text {
 public:
  explicit Text(const NameOf& name_of) : name_of_(name_of) {}

  void Add(StructInfoRef info, int depth) {
    if (depth > kMaxShownDepth || out_.size() > kMaxText) {
      absl::StrAppend(&out_, "...");
      return;
    }
    Match(
        info->node(), [&](const ObjectInfo&) { absl::StrAppend(&out_, "R.Object"); },
        [&](const PrimInfo& p) {
          if (p.value != nullptr) {
            absl::StrAppend(&out_, "R.Prim(value=", ToString(p.value), ")");
          } else {
            absl::StrAppend(&out_, "R.Prim(\"", ToString(p.dtype), "\")");
          }
        },
        [&](const ShapeInfo& s) { absl::StrAppend(&out_, ShapeText(s)); },
        [&](const TensorInfo& t) { absl::StrAppend(&out_, TensorText(t, name_of_)); },
        [&](const TupleInfo& t) {
          absl::StrAppend(&out_, "R.Tuple(");
          AddAll(t.fields, depth);
          absl::StrAppend(&out_, ")");
        },
        [&](const FuncInfo& f) {
          absl::StrAppend(&out_, "R.Callable");
          if (!f.params) {
            if (f.derive == Derive::kEmpty)
              absl::StrAppend(&out_, "(derive_func=\"empty_derive\")");
            return;
          }
          absl::StrAppend(&out_, "((");
          AddAll(*f.params, depth);
          absl::StrAppend(&out_, f.params->size() == 1 ? ",), " : "), ");
          Add(f.ret, depth + 1);
          absl::StrAppend(&out_, f.pure ? ", True)" : ", False)");
        });
  }

  std::string Take() { return std::move(out_); }

 private:
  void AddAll(const std::vector<StructInfoRef>& items, int depth) {
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) absl::StrAppend(&out_, ", ");
      Add(items[i], depth + 1);
      if (out_.size() > kMaxText) return;
    }
  }

  const NameOf& name_of_;
  std::string out_;
};

}  // namespace

std::string ToString(StructInfoRef info, const NameOf& name_of) {
  Text text(name_of);
  text.Add(info, 0);
  return text.Take();
}

std::string ToString(const VDevice& device) {
  return absl::StrCat(device.target, ":", device.index, ":", device.scope);
}

}  // namespace lathe::ir

#include "generator/reader/relax_text/tir/scalar_device_calls.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

PrimRef MakeKept(ScalarElaborator& s, absl::string_view kind, std::vector<PrimRef> items) {
  return s.context().MakeIntrinsic(DType::Handle(), kind, std::move(items));
}

PrimRef MakeKeyword(ScalarElaborator& s, absl::string_view name, PrimRef value) {
  return MakeKept(s, ir::kKeywordArgument, {s.context().String(name), value});
}

absl::StatusOr<PrimRef> KeptValue(ScalarElaborator& s, const ast::Expr& e,
                                  const ScalarValue& value);

absl::StatusOr<PrimRef> KeptAttr(ScalarElaborator& s, const ast::Expr& e,
                                 const ir::AttrValue& value) {
  if (value.is_none()) return MakeKept(s, ir::kNoneArgument, {});
  if (const auto* scalar = value.As<PrimRef>()) return *scalar;
  if (const bool* truth = value.As<bool>()) return s.context().Bool(*truth);
  if (const auto* text = value.As<std::string>()) return s.context().String(*text);
  if (const auto* real = value.As<double>()) return s.context().Float(*real, DType::Float(32));
  if (const auto* dtype = value.As<DType>()) return s.context().String(ir::ToString(*dtype));
  if (const auto* number = value.As<int64_t>()) {
    return KeptValue(s, e, ScalarValue::Node(absl::int128(*number)));
  }
  std::vector<PrimRef> items;
  if (const auto* list = value.As<ir::AttrList>()) {
    for (const ir::AttrValue& item : *list) {
      LATHE_ASSIGN_OR_RETURN(const PrimRef kept, KeptAttr(s, e, item));
      items.push_back(kept);
    }
    return MakeKept(s, ir::kListArgument, std::move(items));
  }
  if (const auto* map = value.As<ir::AttrMap>()) {
    for (const auto& [key, item] : *map) {
      LATHE_ASSIGN_OR_RETURN(const PrimRef kept, KeptAttr(s, e, item));
      items.push_back(MakeKeyword(s, key, kept));
    }
    return MakeKept(s, ir::kDictArgument, std::move(items));
  }
  return s.el().Error(e, "wrong-kind-of-value")
         << "an argument of a device intrinsic must be a scalar, a string, a buffer or a part of "
            "one, None, or a list or dictionary of these";
}

absl::StatusOr<PrimRef> KeptValue(ScalarElaborator& s, const ast::Expr& e,
                                  const ScalarValue& value) {
  if (value.is_none()) return MakeKept(s, ir::kNoneArgument, {});
  if (const ScalarList* list = value.list()) {
    std::vector<PrimRef> items;
    for (const ScalarValue& item : *list) {
      LATHE_ASSIGN_OR_RETURN(const PrimRef kept, KeptValue(s, e, item));
      items.push_back(kept);
    }
    return MakeKept(s, ir::kListArgument, std::move(items));
  }
  if (const auto* dict = value.As<std::shared_ptr<const ir::AttrMap>>()) {
    return KeptAttr(s, e, ir::AttrValue(**dict));
  }
  return ToArgument(s.el(), e, value, DType::Int(32));
}

absl::StatusOr<PrimRef> KeptArgument(ScalarElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.Eval(e));
  return KeptValue(s, e, value);
}

// (8, 4), or 8, which is the same as (8,).
absl::StatusOr<PrimRef> KeptList(ScalarElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const PrimRef kept, KeptArgument(s, e));
  const auto* list = kept->As<ir::Intrinsic>();
  if (list != nullptr && list->name == ir::kListArgument) return kept;
  return MakeKept(s, ir::kListArgument, {kept});
}

}  // namespace

absl::StatusOr<ScalarValue> EvalDeviceCall(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name) {
  const auto& call = *e.As<ast::Call>();
  const bool is_tile = absl::StartsWith(name, "tile.");
  std::optional<DType> dtype;
  std::vector<PrimRef> values;
  for (const ast::ExprRef arg : call.args) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef value, KeptArgument(s, *arg));
    values.push_back(value);
  }
  for (const ast::Keyword& keyword : call.keywords) {
    if (keyword.name == "dtype" && !is_tile) {
      LATHE_ASSIGN_OR_RETURN(dtype, s.Type(*keyword.value));
    } else if (keyword.name.empty()) {
      return s.el().Unsupported(*keyword.value, "host-python")
             << "unpacking with '**' is not supported: programs are parsed, not run";
    } else {
      LATHE_ASSIGN_OR_RETURN(const PrimRef value, KeptArgument(s, *keyword.value));
      values.push_back(MakeKeyword(s, keyword.name, value));
    }
  }
  if (!dtype) dtype = ir::DeviceResult(name, values);
  return ScalarValue(s.context().MakeIntrinsic(*dtype, name, std::move(values)));
}

absl::StatusOr<ScalarValue> EvalLayoutSpec(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name) {
  const absl::string_view kind = name == "S" ? ir::kShardSpec : ir::kReplicaSpec;
  const ast::ExprList indices = e.As<ast::Subscript>()->indices;
  const auto* slice = indices.size() == 1 ? indices.front()->As<ast::Slice>() : nullptr;
  std::vector<PrimRef> parts;
  if (slice != nullptr) {
    if (slice->lower == nullptr || slice->upper == nullptr || slice->step != nullptr) {
      return s.el().Error(e, "wrong-arguments")
             << "T." << name << "[extents : strides] needs exactly these two";
    }
    LATHE_ASSIGN_OR_RETURN(const PrimRef extents, KeptList(s, *slice->lower));
    LATHE_ASSIGN_OR_RETURN(const PrimRef strides, KeptList(s, *slice->upper));
    return ScalarValue(MakeKept(s, kind, {extents, strides}));
  }
  if (indices.size() == 1) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef extents, KeptList(s, *indices.front()));
    return ScalarValue(MakeKept(s, kind, {extents}));
  }
  for (const ast::ExprRef index : indices) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef extent, KeptArgument(s, *index));
    parts.push_back(extent);
  }
  return ScalarValue(MakeKept(s, kind, {MakeKept(s, ir::kListArgument, std::move(parts))}));
}

}  // namespace lathe::relax_text

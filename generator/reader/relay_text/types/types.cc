#include "generator/reader/relay_text/types/types.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/reader/relay_text/syntax/tree.h"
#include "generator/support/match.h"

namespace lathe::relay {

TypeRef Types::Make(Type::Node node) {
  all_.push_back({std::move(node)});
  return &all_.back();
}

TypeRef Types::NewHole() {
  found_.push_back(nullptr);
  return Make(HoleType{static_cast<int>(found_.size()) - 1});
}

TypeRef Types::Resolve(TypeRef type) const {
  while (const auto* hole = type->As<HoleType>()) {
    const TypeRef found = found_[static_cast<size_t>(hole->index)];
    if (found == nullptr) break;
    type = found;
  }
  return type;
}

TypeRef Types::Map(TypeRef type, const std::function<TypeRef(TypeRef)>& map) {
  const auto map_all = [&](const std::vector<TypeRef>& types) {
    std::vector<TypeRef> mapped;
    for (TypeRef t : types) mapped.push_back(map(t));
    return mapped;
  };
  return Match(
      type->node, [&](const TensorType&) { return type; }, [&](const ParamType&) { return type; },
      [&](const OpType&) { return type; }, [&](const HoleType&) { return type; },
      [&](const TupleType& t) {
        std::vector<TypeRef> fields = map_all(t.fields);
        return fields == t.fields ? type : Tuple(std::move(fields));
      },
      [&](const RefType& r) {
        const TypeRef value = map(r.value);
        return value == r.value ? type : Make(RefType{value});
      },
      [&](const DataType& d) {
        std::vector<TypeRef> args = map_all(d.args);
        return args == d.args ? type : Make(DataType{d.data, std::move(args)});
      },
      [&](const FuncType& f) {
        std::vector<TypeRef> params = map_all(f.params);
        const TypeRef ret = map(f.ret);
        if (params == f.params && ret == f.ret) return type;
        return Make(FuncType{f.type_params, std::move(params), ret});
      });
}

TypeRef Types::ResolveAll(TypeRef type) {
  return Map(Resolve(type), [&](TypeRef t) { return ResolveAll(t); });
}

bool Types::HasHoles(TypeRef type) const {
  type = Resolve(type);
  const auto any = [&](const std::vector<TypeRef>& types) {
    return std::any_of(types.begin(), types.end(), [&](TypeRef t) { return HasHoles(t); });
  };
  return Match(
      type->node, [](const TensorType&) { return false; }, [](const ParamType&) { return false; },
      [](const OpType&) { return false; }, [](const HoleType&) { return true; },
      [&](const TupleType& t) { return any(t.fields); },
      [&](const RefType& r) { return HasHoles(r.value); },
      [&](const DataType& d) { return any(d.args); },
      [&](const FuncType& f) { return any(f.params) || HasHoles(f.ret); });
}

bool Types::Occurs(TypeRef hole, TypeRef type) const {
  type = Resolve(type);
  if (type == hole) return true;
  const auto any = [&](const std::vector<TypeRef>& types) {
    return std::any_of(types.begin(), types.end(), [&](TypeRef t) { return Occurs(hole, t); });
  };
  return Match(
      type->node, [](const TensorType&) { return false; }, [](const ParamType&) { return false; },
      [](const OpType&) { return false; },
      [&](const HoleType& h) { return h.index == hole->As<HoleType>()->index; },
      [&](const TupleType& t) { return any(t.fields); },
      [&](const RefType& r) { return Occurs(hole, r.value); },
      [&](const DataType& d) { return any(d.args); },
      [&](const FuncType& f) { return any(f.params) || Occurs(hole, f.ret); });
}

TypeRef Types::Fail(TypeRef a, TypeRef b) {
  clash_ = absl::StrCat(ToString(a), " and ", ToString(b));
  return nullptr;
}

std::string Types::ClashWithin(TypeRef a, TypeRef b) const {
  const bool whole = clash_ == absl::StrCat(ToString(a), " and ", ToString(b)) ||
                     clash_ == absl::StrCat(ToString(b), " and ", ToString(a));
  return whole ? "" : absl::StrCat(" (", clash_, " differ)");
}

TypeRef Types::Bind(TypeRef hole, TypeRef type) {
  if (Occurs(hole, type)) {
    const TypeRef same = Resolve(type);
    if (same->As<HoleType>() != nullptr) return same;
    clash_ = absl::StrCat(ToString(hole), " and ", ToString(type), ", which contains it,");
    return nullptr;
  }
  found_[static_cast<size_t>(hole->As<HoleType>()->index)] = type;
  return type;
}

// A found hole takes the common type: an element of any size makes the others of any size.
TypeRef Types::Unify(TypeRef a, TypeRef b) {
  const TypeRef x = Resolve(a), y = Resolve(b);
  if (x == y) return x;
  if (x->As<HoleType>() != nullptr) return Bind(x, y);
  if (y->As<HoleType>() != nullptr) return Bind(y, x);
  const TypeRef unified = UnifyNodes(x, y);
  if (unified == nullptr) return nullptr;
  for (TypeRef side : {a, b}) {
    const auto* hole = side->As<HoleType>();
    if (hole != nullptr && !Occurs(side, unified))
      found_[static_cast<size_t>(hole->index)] = unified;
  }
  return unified;
}

bool Types::UnifyLists(const std::vector<TypeRef>& a, const std::vector<TypeRef>& b,
                       std::vector<TypeRef>& unified) {
  for (size_t i = 0; i < a.size(); ++i) {
    unified.push_back(Unify(a[i], b[i]));
    if (unified.back() == nullptr) return false;
  }
  return true;
}

TypeRef Types::UnifyTensors(TypeRef a, TypeRef b) {
  const auto& x = *a->As<TensorType>();
  const auto& y = *b->As<TensorType>();
  if (x.dtype != y.dtype || x.dims.size() != y.dims.size()) return Fail(a, b);
  std::vector<int64_t> dims;
  for (size_t i = 0; i < x.dims.size(); ++i) {
    const bool any = x.dims[i] == kAnyDim || y.dims[i] == kAnyDim;
    if (!any && x.dims[i] != y.dims[i]) return Fail(a, b);
    dims.push_back(any ? kAnyDim : x.dims[i]);
  }
  if (dims == x.dims) return a;
  return dims == y.dims ? b : Tensor(std::move(dims), x.dtype);
}

TypeRef Types::UnifyFunctions(TypeRef a, TypeRef b) {
  const FuncType& x = *a->As<FuncType>();
  FuncType y = *b->As<FuncType>();
  if (x.params.size() != y.params.size() || x.type_params.size() != y.type_params.size()) {
    return Fail(a, b);
  }
  if (!x.type_params.empty()) {  // equal but for the names of the parameters
    TypeArgs renamed;
    for (size_t i = 0; i < x.type_params.size(); ++i) {
      renamed[y.type_params[i]] = Make(ParamType{x.type_params[i]});
    }
    for (TypeRef& param : y.params) param = Substitute(param, renamed);
    y.ret = Substitute(y.ret, renamed);
  }
  FuncType unified{x.type_params, {}, nullptr};
  if (!UnifyLists(x.params, y.params, unified.params)) return nullptr;
  unified.ret = Unify(x.ret, y.ret);
  return unified.ret == nullptr ? nullptr : Make(std::move(unified));
}

TypeRef Types::UnifyNodes(TypeRef a, TypeRef b) {
  if (a->node.index() != b->node.index()) return Fail(a, b);
  return Match(
      a->node, [&](const TensorType&) { return UnifyTensors(a, b); },
      [&](const FuncType&) { return UnifyFunctions(a, b); },
      [&](const TupleType& x) -> TypeRef {
        const auto& y = *b->As<TupleType>();
        if (x.fields.size() != y.fields.size()) return Fail(a, b);
        std::vector<TypeRef> unified;
        return UnifyLists(x.fields, y.fields, unified) ? Tuple(std::move(unified)) : nullptr;
      },
      [&](const RefType& x) -> TypeRef {
        const TypeRef value = Unify(x.value, b->As<RefType>()->value);
        return value == nullptr ? nullptr : Make(RefType{value});
      },
      [&](const DataType& x) -> TypeRef {
        const auto& y = *b->As<DataType>();
        if (x.data != y.data || x.args.size() != y.args.size()) return Fail(a, b);
        std::vector<TypeRef> unified;
        if (!UnifyLists(x.args, y.args, unified)) return nullptr;
        return Make(DataType{x.data, std::move(unified)});
      },
      [&](const ParamType& x) { return x.id == b->As<ParamType>()->id ? a : Fail(a, b); },
      [&](const OpType& x) { return x.row == b->As<OpType>()->row ? a : Fail(a, b); },
      [&](const HoleType&) { return Fail(a, b); });
}

TypeRef Types::Substitute(TypeRef type, const TypeArgs& args) {
  if (args.empty()) return type;
  type = Resolve(type);
  if (const auto* param = type->As<ParamType>()) {
    const auto found = args.find(param->id);
    return found == args.end() ? type : found->second;
  }
  return Map(type, [&](TypeRef t) { return Substitute(t, args); });
}

TypeRef Types::Instantiate(TypeRef type, std::vector<TypeRef>& args) {
  const FuncType func = *type->As<FuncType>();
  TypeArgs map;
  for (const TypeParamId param : func.type_params) {
    args.push_back(NewHole());
    map[param] = args.back();
  }
  FuncType instance{{}, {}, Substitute(func.ret, map)};
  for (TypeRef param : func.params) instance.params.push_back(Substitute(param, map));
  return Make(std::move(instance));
}

std::string Types::ToString(TypeRef type) const {
  type = Resolve(type);
  const auto list = [&](const std::vector<TypeRef>& types) {
    return absl::StrJoin(types, ", ",
                         [&](std::string* out, TypeRef t) { absl::StrAppend(out, ToString(t)); });
  };
  return Match(
      type->node,
      [&](const TensorType& t) {
        if (t.dims.empty()) return ir::ToString(t.dtype);
        const std::string dims = absl::StrJoin(t.dims, ", ", [](std::string* out, int64_t dim) {
          absl::StrAppend(out, dim == kAnyDim ? "?" : absl::StrCat(dim));
        });
        return absl::StrCat("Tensor[(", dims, "), ", ir::ToString(t.dtype), "]");
      },
      [&](const TupleType& t) { return absl::StrCat("(", list(t.fields), ")"); },
      [&](const FuncType& f) {
        std::string params = absl::StrJoin(
            f.type_params, ", ",
            [&](std::string* out, TypeParamId p) { absl::StrAppend(out, params_[p]); });
        if (!params.empty()) params = absl::StrCat("[", params, "]");
        return absl::StrCat("fn ", params, "(", list(f.params), ") -> ", ToString(f.ret));
      },
      [&](const RefType& r) { return absl::StrCat("ref(", ToString(r.value), ")"); },
      [&](const DataType& d) {
        return d.args.empty() ? data_[d.data] : absl::StrCat(data_[d.data], "[", list(d.args), "]");
      },
      [&](const ParamType& p) { return params_[p.id]; },
      [&](const OpType& o) { return absl::StrCat("operator '", o.name, "'"); },
      [&](const HoleType&) { return std::string("_"); });
}

}  // namespace lathe::relay

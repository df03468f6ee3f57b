#include "generator/reader/relax_text/tir/scalar_objects.h"

#include <memory>

#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::AttrMap;
using ir::AttrObject;
using ir::DType;
using ir::PrimRef;
using ScalarResult = absl::StatusOr<ScalarValue>;

ScalarResult Object(absl::string_view kind, AttrMap fields) {
  return ScalarValue(ScalarValue::Node(
      AttrObject{std::string(kind), std::make_shared<const AttrMap>(std::move(fields))}));
}

// T.target("cuda"), T.target({"kind": "cuda", "arch": "sm_80"}, host="llvm").
ScalarResult Target(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name, "target_config host?"));
  LATHE_ASSIGN_OR_RETURN(ir::AttrValue config, s.Attr(args["target_config"]));
  AttrMap fields;
  if (const auto* kind = config.As<std::string>()) {
    fields["kind"] = ir::AttrValue(*kind);
  } else if (const auto* map = config.As<AttrMap>(); map != nullptr && map->count("kind") > 0) {
    fields = *map;
  } else {
    return s.el().Error(args["target_config"], "wrong-kind-of-value")
           << "a target must be a name or a dictionary with a \"kind\"";
  }
  if (const ast::Expr* host = args.GetUnlessNone("host")) {
    LATHE_ASSIGN_OR_RETURN(fields["host"], s.Attr(*host));
  }
  return Object("target", std::move(fields));
}

// T.Range(begin, end): its end is what it does not reach any more.
ScalarResult Range(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "begin end?"));
  PrimRef begin = s.context().Int(0, s.int_dtype());
  PrimRef end = nullptr;
  if (const ast::Expr* stop = args.GetUnlessNone("end")) {
    LATHE_ASSIGN_OR_RETURN(begin, s.Scalar(args["begin"]));
    LATHE_ASSIGN_OR_RETURN(end, s.Scalar(*stop));
  } else {
    LATHE_ASSIGN_OR_RETURN(end, s.Scalar(args["begin"]));
  }
  MatchTypes(s.context(), begin, end);
  AttrMap fields;
  fields["begin"] = ir::AttrValue(begin);
  fields["end"] = ir::AttrValue(end);
  return Object("range", std::move(fields));
}

// T.iter_var(v, T.Range(0, 8), "ThreadIndex", "threadIdx.x").
ScalarResult IterVar(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name, "v dom iter_type thread_tag"));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue dom, s.Eval(args["dom"]));
  const auto* range = dom.As<AttrObject>();
  if (!dom.is_none() && (range == nullptr || range->kind != "range")) {
    return s.el().Error(args["dom"], "wrong-kind-of-value")
           << "expected a T.Range or None, got " << Describe(dom);
  }
  LATHE_ASSIGN_OR_RETURN(const ScalarValue given, s.Eval(args["v"]));
  PrimRef var = nullptr;
  if (const auto* text = given.As<std::string>()) {
    DType dtype = DType::Int(32);
    if (range != nullptr) {
      if (const PrimRef* end = ir::FindAttr<PrimRef>(*range->fields, "end")) {
        dtype = (*end)->dtype();
      }
    }
    var = s.context().NewVar(*text, dtype);
  } else {
    LATHE_ASSIGN_OR_RETURN(var, ToScalar(s.el(), args["v"], given, s.int_dtype()));
    if (var->As<ir::SymVar>() == nullptr) {
      return s.el().Error(args["v"], "wrong-kind-of-value") << "expected a variable";
    }
  }
  LATHE_ASSIGN_OR_RETURN(const std::string kind, s.String(args["iter_type"]));
  LATHE_ASSIGN_OR_RETURN(const std::string thread, s.String(args["thread_tag"]));
  return ScalarValue(ScalarValue::Node(MakeIterVar(var, range, kind, thread)));
}

// T.comm_reducer(lambda x, y: x + y, [T.float32(0)]).
ScalarResult Reducer(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name, "combiner identity"));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> identities, s.Scalars(args["identity"]));
  const size_t count = identities.size();
  std::vector<DType> dtypes;
  for (int side = 0; side < 2; ++side) {
    for (PrimRef identity : identities) dtypes.push_back(identity->dtype());
  }
  LATHE_ASSIGN_OR_RETURN(auto lambda, s.EvalLambda(args["combiner"], dtypes, s.int_dtype()));
  if (count == 0 || lambda.params.size() != 2 * count) {
    return s.el().Error(args["combiner"], "wrong-arguments")
           << "the reducer has " << CountOf(count, "identity element")
           << ", so its lambda must take " << 2 * count << " parameters, got "
           << lambda.params.size();
  }
  ir::CommReducer reducer;
  reducer.lhs.assign(lambda.params.begin(), lambda.params.begin() + count);
  reducer.rhs.assign(lambda.params.begin() + count, lambda.params.end());
  reducer.identities = std::move(identities);
  ScalarList results;
  if (lambda.result.list() != nullptr) {
    results = *lambda.result.list();
  } else {
    results.push_back(lambda.result);
  }
  for (const ScalarValue& result : results) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef scalar,
                           ToScalar(s.el(), args["combiner"], result, s.int_dtype()));
    reducer.results.push_back(scalar);
  }
  if (reducer.results.size() != count) {
    return s.el().Error(args["combiner"], "wrong-arguments")
           << "the reducer has " << CountOf(count, "identity element") << " and "
           << CountOf(reducer.results.size(), "result");
  }
  return ScalarValue(s.context().Make(DType::Handle(), std::move(reducer)));
}

constexpr absl::string_view kAxisSeparator = "axis_separator";

ScalarResult IndexMap(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, name, "mapping inverse_index_map? index_dtype?"));
  DType dtype = DType::Int(64);
  if (const ast::Expr* given = args.GetUnlessNone("index_dtype")) {
    LATHE_ASSIGN_OR_RETURN(dtype, s.Type(*given));
  }
  LATHE_ASSIGN_OR_RETURN(auto forward, EvalIndexMap(s, args["mapping"], dtype));
  if (const ast::Expr* back = args.GetUnlessNone("inverse_index_map")) {
    auto whole = std::make_shared<ir::IndexMap>(*forward);
    LATHE_ASSIGN_OR_RETURN(whole->inverse, EvalIndexMap(s, *back, dtype));
    forward = std::move(whole);
  }
  return ScalarValue(ScalarValue::Node(std::move(forward)));
}

struct Maker {
  absl::string_view name;
  NodeFn eval;
};
constexpr Maker kMakers[] = {
    {"target", Target},   {"Target", Target},        {"Range", Range},        {"iter_var", IterVar},
    {"IterVar", IterVar}, {"comm_reducer", Reducer}, {"index_map", IndexMap},
};

}  // namespace

absl::StatusOr<std::shared_ptr<const ir::IndexMap>> EvalIndexMap(ScalarElaborator& s,
                                                                 const ast::Expr& e, DType dtype) {
  auto map = std::make_shared<ir::IndexMap>();
  LATHE_ASSIGN_OR_RETURN(auto lambda, s.EvalLambda(e, {}, dtype));
  map->inputs = std::move(lambda.params);
  ScalarList outputs;
  if (lambda.result.list() != nullptr) {
    outputs = *lambda.result.list();
  } else {
    outputs.push_back(lambda.result);
  }
  for (const ScalarValue& output : outputs) {
    const auto* text = output.As<std::string>();
    if (text != nullptr && *text == kAxisSeparator) {
      map->separators.push_back(static_cast<int>(map->outputs.size()));
      continue;
    }
    LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, ToScalar(s.el(), e, output, dtype));
    map->outputs.push_back(scalar);
  }
  return std::shared_ptr<const ir::IndexMap>(std::move(map));
}

AttrObject MakeIterVar(PrimRef var, const AttrObject* dom, absl::string_view kind,
                       absl::string_view thread) {
  AttrMap fields;
  fields["var"] = ir::AttrValue(var);
  if (dom != nullptr) fields["dom"] = ir::AttrValue(*dom);
  fields["kind"] = ir::AttrValue(std::string(kind));
  fields["thread"] = ir::AttrValue(std::string(thread));
  return AttrObject{"iter_var", std::make_shared<const AttrMap>(std::move(fields))};
}

NodeFn FindObject(absl::string_view name) {
  for (const Maker& maker : kMakers) {
    if (maker.name == name) return maker.eval;
  }
  return nullptr;
}

std::vector<absl::string_view> ObjectNames() {
  std::vector<absl::string_view> names;
  for (const Maker& maker : kMakers) names.push_back(maker.name);
  return names;
}

}  // namespace lathe::relax_text

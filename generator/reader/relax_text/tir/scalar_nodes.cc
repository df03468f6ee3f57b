#include "generator/reader/relax_text/tir/scalar_nodes.h"

#include <cmath>
#include <limits>

#include "absl/strings/numbers.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/reader/relax_text/tir/scalar_operators.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;
using ScalarResult = absl::StatusOr<ScalarValue>;

struct BinaryName {
  absl::string_view name;
  ir::BinaryOp op;
};
constexpr BinaryName kBinaryNames[] = {
    {"Add", ir::BinaryOp::kAdd},
    {"Sub", ir::BinaryOp::kSub},
    {"Mul", ir::BinaryOp::kMul},
    {"Div", ir::BinaryOp::kDiv},
    {"Mod", ir::BinaryOp::kMod},
    {"FloorDiv", ir::BinaryOp::kFloorDiv},
    {"FloorMod", ir::BinaryOp::kFloorMod},
    {"Min", ir::BinaryOp::kMin},
    {"Max", ir::BinaryOp::kMax},
    {"EQ", ir::BinaryOp::kEq},
    {"NE", ir::BinaryOp::kNe},
    {"LT", ir::BinaryOp::kLt},
    {"LE", ir::BinaryOp::kLe},
    {"GT", ir::BinaryOp::kGt},
    {"GE", ir::BinaryOp::kGe},
    {"And", ir::BinaryOp::kAnd},
    {"Or", ir::BinaryOp::kOr},
    {"min", ir::BinaryOp::kMin},
    {"max", ir::BinaryOp::kMax},
    {"div", ir::BinaryOp::kDiv},
    {"truncdiv", ir::BinaryOp::kDiv},
    {"truncmod", ir::BinaryOp::kMod},
    {"floordiv", ir::BinaryOp::kFloorDiv},
    {"floormod", ir::BinaryOp::kFloorMod},
    {"indexdiv", ir::BinaryOp::kFloorDiv},
    {"indexmod", ir::BinaryOp::kFloorMod},
    {"bitwise_and", ir::BinaryOp::kBitAnd},
    {"bitwise_or", ir::BinaryOp::kBitOr},
    {"bitwise_xor", ir::BinaryOp::kBitXor},
    {"shift_left", ir::BinaryOp::kShl},
    {"shift_right", ir::BinaryOp::kShr},
};

ScalarResult Binary(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "a b dtype?"));
  LATHE_ASSIGN_OR_RETURN(const PrimRef a, s.Scalar(args["a"]));
  LATHE_ASSIGN_OR_RETURN(const PrimRef b, s.Scalar(args["b"]));
  LATHE_ASSIGN_OR_RETURN(const PrimRef made, MakeOperation(s.el(), e, *BinaryOpNamed(name), a, b));
  return ScalarValue(made);
}

ScalarResult Unary(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "a dtype?"));
  LATHE_ASSIGN_OR_RETURN(const PrimRef a, s.Scalar(args["a"]));
  return ScalarValue(s.context().Make(name == "Not" ? ir::UnaryOp::kNot : ir::UnaryOp::kBitNot, a));
}

// Rounded up: floor((a + b - 1) / b).
ScalarResult CeilDiv(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "lhs rhs"));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue lhs, s.Eval(args["lhs"]));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue rhs, s.Eval(args["rhs"]));
  const auto apply = [&](ast::BinaryOp op, const ScalarValue& x, const ScalarValue& y) {
    return ApplyBinary(s.el(), e, op, x, y, s.int_dtype());
  };
  LATHE_ASSIGN_OR_RETURN(const ScalarValue sum, apply(ast::BinaryOp::kAdd, lhs, rhs));
  LATHE_ASSIGN_OR_RETURN(
      const ScalarValue top,
      apply(ast::BinaryOp::kSub, sum, ScalarValue(ScalarValue::Node(absl::int128(1)))));
  return apply(ast::BinaryOp::kFloorDiv, top, rhs);
}

ScalarResult Choice(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name,
                                             name == "Select" ? "condition true_value false_value"
                                                              : "cond t f dtype?"));
  const bool eager = name == "Select";
  LATHE_ASSIGN_OR_RETURN(const PrimRef cond, s.Scalar(args[eager ? "condition" : "cond"]));
  LATHE_ASSIGN_OR_RETURN(PrimRef yes, s.Scalar(args[eager ? "true_value" : "t"]));
  LATHE_ASSIGN_OR_RETURN(PrimRef no, s.Scalar(args[eager ? "false_value" : "f"]));
  if (!MatchTypes(s.context(), yes, no)) {
    return s.el().Error(e, "scalar-type-mismatch")
           << "the two values of the selection have different dtypes, "
           << ir::ToString(yes->dtype()) << " and " << ir::ToString(no->dtype());
  }
  if (eager) return ScalarValue(s.context().MakeSelect(cond, yes, no));
  return ScalarValue(s.context().MakeIntrinsic(yes->dtype(), "if_then_else", {cond, yes, no}));
}

ScalarResult Cast(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, name, name == "Cast" ? "dtype value" : "value dtype"));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, s.Type(args["dtype"]));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.Eval(args["value"]));
  LATHE_ASSIGN_OR_RETURN(const PrimRef scalar,
                         ToScalar(s.el(), args["value"], value, s.int_dtype()));
  // T.cast of a number is that number in the type; T.Cast is the node itself.
  if (name == "cast") return ScalarValue(Convert(s.context(), dtype, scalar));
  return ScalarValue(s.context().MakeCast(dtype, scalar));
}

// The lanes of a vector: a number, or a number times T.vscale() for scalable ones.
absl::StatusOr<int> Lanes(ScalarElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.Eval(e));
  const ir::Intrinsic* scale = nullptr;
  int64_t lanes = 1;
  if (const auto* scalar = value.As<PrimRef>(); scalar != nullptr) {
    scale = (*scalar)->As<ir::Intrinsic>();
    if (const auto* product = (*scalar)->As<ir::Binary>()) {
      const bool swapped = product->lhs->As<ir::IntImm>() != nullptr;
      const auto* factor = (swapped ? product->lhs : product->rhs)->As<ir::IntImm>();
      scale = (swapped ? product->rhs : product->lhs)->As<ir::Intrinsic>();
      if (factor != nullptr) lanes = factor->value;
    }
  }
  const bool scalable = scale != nullptr && scale->name == "vscale";
  if (!scalable) {
    LATHE_ASSIGN_OR_RETURN(lanes, ToInt(s.el(), e, value));
  }
  if (lanes < 2 - (scalable ? 1 : 0) || lanes > std::numeric_limits<int16_t>::max()) {
    return s.el().Error(e, "number-out-of-range")
           << "a vector must have 2 to " << std::numeric_limits<int16_t>::max() << " lanes, got "
           << lanes;
  }
  return static_cast<int>(scalable ? -lanes : lanes);
}

ScalarResult Ramp(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name, "base stride lanes"));
  LATHE_ASSIGN_OR_RETURN(PrimRef base, s.Scalar(args["base"]));
  LATHE_ASSIGN_OR_RETURN(PrimRef stride, s.Scalar(args["stride"]));
  LATHE_ASSIGN_OR_RETURN(const int lanes, Lanes(s, args["lanes"]));
  if (!base->dtype().is_scalar() || !MatchTypes(s.context(), base, stride)) {
    return s.el().Error(e, "scalar-type-mismatch")
           << "the base and stride of a ramp must be scalars of one dtype";
  }
  return ScalarValue(s.context().Make(base->dtype().with_lanes(lanes), ir::Ramp{base, stride}));
}

ScalarResult Broadcast(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "value lanes"));
  LATHE_ASSIGN_OR_RETURN(const PrimRef value, s.Scalar(args["value"]));
  LATHE_ASSIGN_OR_RETURN(const int lanes, Lanes(s, args["lanes"]));
  if (!value->dtype().is_scalar()) {
    return s.el().Error(e, "scalar-type-mismatch")
           << "only a scalar can be broadcast, got " << ir::ToString(value->dtype());
  }
  return ScalarValue(s.context().Make(value->dtype().with_lanes(lanes), ir::Broadcast{value}));
}

ScalarResult Shuffle(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "vectors indices"));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> vectors, s.Scalars(args["vectors"]));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, s.Scalars(args["indices"]));
  if (vectors.empty() || indices.empty() ||
      indices.size() > static_cast<size_t>(std::numeric_limits<int16_t>::max())) {
    return s.el().Error(e, "wrong-arguments") << "a shuffle needs vectors and indices";
  }
  const DType dtype = vectors[0]->dtype().with_lanes(static_cast<int>(indices.size()));
  return ScalarValue(s.context().Make(dtype, ir::Shuffle{std::move(vectors), std::move(indices)}));
}

// T.Let(body, where={x: 1}); the older T.let(x, 1, body).
ScalarResult Let(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  const bool old = name == "let";
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name, old ? "v value body" : "expr where"));
  std::vector<std::pair<PrimRef, PrimRef>> bindings;
  const auto bind = [&](const ast::Expr& key, const ast::Expr& value) -> absl::Status {
    LATHE_ASSIGN_OR_RETURN(const PrimRef var, s.Scalar(key));
    LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, s.Scalar(value));
    if (var->As<ir::SymVar>() == nullptr) {
      return s.el().Error(key, "wrong-kind-of-value") << "only a variable can be bound";
    }
    bindings.emplace_back(var, Convert(s.context(), var->dtype(), scalar));
    return absl::OkStatus();
  };
  if (old) {
    LATHE_RETURN_IF_ERROR(bind(args["v"], args["value"]));
  } else {
    const auto* where = args["where"].As<ast::Dict>();
    if (where == nullptr || where->items.empty()) {
      return s.el().Error(args["where"], "wrong-kind-of-value")
             << "expected a dictionary of variables and values";
    }
    for (const ast::DictItem& item : where->items) {
      if (item.key == nullptr) return AlreadyDiagnosed();
      LATHE_RETURN_IF_ERROR(bind(*item.key, *item.value));
    }
  }
  LATHE_ASSIGN_OR_RETURN(PrimRef body, s.Scalar(args[old ? "body" : "expr"]));
  for (auto it = bindings.rbegin(); it != bindings.rend(); ++it) {
    body = s.context().Make(body->dtype(), ir::Let{it->first, it->second, body});
  }
  return ScalarValue(body);
}

double GreatestOf(DType t) {
  switch (t.code) {
    case ir::TypeCode::kBFloat:
      return 3.38953138925153547590470800371487866880e38;
    case ir::TypeCode::kFloat8E4M3Fn:
      return 448;
    case ir::TypeCode::kFloat8E5M2:
      return 57344;
    case ir::TypeCode::kFloat6E2M3Fn:
      return 7.5;
    case ir::TypeCode::kFloat6E3M2Fn:
      return 28;
    case ir::TypeCode::kFloat4E2M1Fn:
      return 6;
    case ir::TypeCode::kFloat:
      return t.bits == 16   ? 65504
             : t.bits == 32 ? static_cast<double>(std::numeric_limits<float>::max())
             : t.bits == 64 ? std::numeric_limits<double>::max()
                            : 0;
    default:
      return 0;
  }
}

ScalarResult Limit(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "dtype"));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, s.Type(args["dtype"]));
  const bool low = name == "min_value";
  if (name == "infinity" && dtype.code == ir::TypeCode::kFloat) {
    return ScalarValue(s.context().Float(std::numeric_limits<double>::infinity(), dtype));
  }
  if (name != "infinity" && dtype.is_scalar()) {
    if (const double greatest = GreatestOf(dtype); greatest != 0) {
      return ScalarValue(s.context().Float(low ? -greatest : greatest, dtype));
    }
    if (dtype.is_bool()) return ScalarValue(s.context().Bool(!low));
    if (dtype.is_integer() && dtype.bits <= 64) {
      const absl::int128 span = absl::int128(1) << (dtype.bits - (dtype.is_int() ? 1 : 0));
      const absl::int128 least = dtype.is_int() ? -span : absl::int128(0);
      return ScalarValue(MakeNumber(s.context(), dtype, low ? least : span - 1));
    }
  }
  return s.el().Error(args["dtype"], "unknown-dtype")
         << "T." << name << " is not defined for " << ir::ToString(dtype);
}

ScalarResult Immediate(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  if (name == "StringImm") {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "value"));
    LATHE_ASSIGN_OR_RETURN(const std::string text, s.String(args["value"]));
    return ScalarValue(s.context().String(text));
  }
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, name, "dtype value"));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, s.Type(args["dtype"]));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.Eval(args["value"]));
  PrimRef made = nullptr;
  if (const auto* whole = value.As<absl::int128>()) {
    made = MakeNumber(s.context(), dtype, *whole);
  } else if (const double* real = value.As<double>()) {
    made = MakeNumber(s.context(), dtype, *real);
  } else if (const bool* truth = value.As<bool>()) {
    made = MakeNumber(s.context(), dtype, absl::int128(*truth ? 1 : 0));
  } else if (const auto* text = value.As<std::string>(); text != nullptr && dtype.is_floating()) {
    double parsed = 0;
    if (absl::SimpleAtod(*text, &parsed)) made = MakeNumber(s.context(), dtype, parsed);
  }
  if (made != nullptr) return ScalarValue(made);
  return s.el().Error(args["value"], "number-out-of-range")
         << "the value is not a number of dtype " << ir::ToString(dtype);
}

ScalarResult BufferLoad(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name, "buffer indices predicate?"));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue buffer, s.Eval(args["buffer"]));
  if (buffer.As<ir::BufferRef>() == nullptr) {
    return s.el().Error(args["buffer"], "wrong-kind-of-value")
           << "expected a buffer, got " << Describe(buffer);
  }
  const ir::BufferRef target = *buffer.As<ir::BufferRef>();
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, s.Scalars(args["indices"]));
  if (indices.size() != target->shape.size()) {
    return s.el().Error(e, "buffer-index-count")
           << "'" << target->name << "' has " << CountOf(target->shape.size(), "dimension")
           << ", got " << CountOf(indices.size(), "index", "indices");
  }
  PrimRef predicate = nullptr;
  if (const ast::Expr* mask = args.GetUnlessNone("predicate")) {
    LATHE_ASSIGN_OR_RETURN(predicate, s.Scalar(*mask));
  }
  return ScalarValue(s.context().MakeLoad(target, std::move(indices), predicate));
}

struct NodeRow {
  absl::string_view name;
  NodeFn eval;
};
constexpr NodeRow kNodes[] = {
    {"Not", Unary},
    {"bitwise_not", Unary},
    {"ceildiv", CeilDiv},
    {"Select", Choice},
    {"if_then_else", Choice},
    {"Cast", Cast},
    {"cast", Cast},
    {"Ramp", Ramp},
    {"ramp", Ramp},
    {"Broadcast", Broadcast},
    {"broadcast", Broadcast},
    {"Shuffle", Shuffle},
    {"Let", Let},
    {"let", Let},
    {"min_value", Limit},
    {"max_value", Limit},
    {"infinity", Limit},
    {"StringImm", Immediate},
    {"IntImm", Immediate},
    {"FloatImm", Immediate},
    {"BufferLoad", BufferLoad},
};

}  // namespace

std::optional<ir::BinaryOp> BinaryOpNamed(absl::string_view name) {
  for (const BinaryName& known : kBinaryNames) {
    if (known.name == name) return known.op;
  }
  return std::nullopt;
}

NodeFn FindNode(absl::string_view name) {
  for (const NodeRow& node : kNodes) {
    if (node.name == name) return node.eval;
  }
  return BinaryOpNamed(name) ? Binary : nullptr;
}

std::vector<absl::string_view> NodeNames() {
  std::vector<absl::string_view> names;
  for (const NodeRow& node : kNodes) names.push_back(node.name);
  for (const BinaryName& binary : kBinaryNames) names.push_back(binary.name);
  return names;
}

}  // namespace lathe::relax_text

// Imports elementwise operators of one and two tensors, most of which exist in Relax.
#include "generator/reader/onnx/extremes.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/small_formats.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/reader/onnx/unify_dims.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

struct Name {
  const char* onnx;
  const char* relax;
};
constexpr Name kUnaryNames[] = {
    {"Abs", "abs"},         {"Acos", "acos"},
    {"Acosh", "acosh"},     {"Asin", "asin"},
    {"Asinh", "asinh"},     {"Atan", "atan"},
    {"Atanh", "atanh"},     {"BitwiseNot", "bitwise_not"},
    {"Ceil", "ceil"},       {"Cos", "cos"},
    {"Cosh", "cosh"},       {"Erf", "erf"},
    {"Exp", "exp"},         {"Floor", "floor"},
    {"IsNaN", "isnan"},     {"Log", "log"},
    {"Neg", "negative"},    {"Not", "logical_not"},
    {"Relu", "nn.relu"},    {"Round", "round"},
    {"Sigmoid", "sigmoid"}, {"Sign", "sign"},
    {"Sin", "sin"},         {"Sinh", "sinh"},
    {"Sqrt", "sqrt"},       {"Tan", "tan"},
    {"Tanh", "tanh"},
};
constexpr Name kElementwiseNames[] = {
    {"Add", "add"},
    {"And", "logical_and"},
    {"BitwiseAnd", "bitwise_and"},
    {"BitwiseOr", "bitwise_or"},
    {"BitwiseXor", "bitwise_xor"},
    {"Equal", "equal"},
    {"Greater", "greater"},
    {"GreaterOrEqual", "greater_equal"},
    {"Less", "less"},
    {"LessOrEqual", "less_equal"},
    {"Max", "maximum"},
    {"Min", "minimum"},
    {"Mul", "multiply"},
    {"Or", "logical_or"},
    {"Sub", "subtract"},
    {"Sum", "add"},
    {"Xor", "logical_xor"},
};

template <size_t kCount>
std::string RelaxName(const Name (&rows)[kCount], const std::string& op) {
  for (const Name& row : rows) {
    if (op == row.onnx) return std::string("relax.") + row.relax;
  }
  return "relax." + op;
}

// Aligns the second operand at the attribute `axis`, as operator sets before 7 broadcast it.
absl::StatusOr<Operand> AlignedSecond(NodeCall& n) {
  Operand b = n.In(1);
  if (n.opset() >= 7 || n.Int("broadcast", 0) == 0 || !n.HasAttribute("axis")) return b;
  Dims dims = n.DimsOf(b);
  const int rank = n.Rank(n.In(0));
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), rank));
  while (axis + std::ssize(dims) < rank) dims.push_back(n.ir().Int(1));
  return n.Reshape(b, dims);
}

}  // namespace

absl::StatusOr<Results> ImportUnary(NodeCall& n) {
  // Small floats are an input of IsNaN alone.
  const int32_t format = n.term(0).format;
  const Operand x = format == 0 ? n.In(0) : DecodeSmall(n, n.In(0), format);
  const DType dtype = n.TypeOf(x);
  if (n.op() == "Erf" && !dtype.is_floating()) {
    // Truncates integers, of a float32 as in ONNX's reference: that of 4 is 1.
    return n.Cast(n.Op("relax.erf", {n.Cast(x, DType::Float(32))}), dtype);
  }
  return n.Op(RelaxName(kUnaryNames, n.op()), {x});
}

absl::StatusOr<Results> ImportBinary(NodeCall& n) {
  const auto strings = [&](int i) { return n.term(i).format == kStringType || n.term(i).strings; };
  if (strings(0) && strings(1)) return EqualStrings(n);
  LATHE_ASSIGN_OR_RETURN(Operand b, AlignedSecond(n));
  Operand a = n.In(0);
  UnifyDims(n, a, b);
  return n.Op(RelaxName(kElementwiseNames, n.op()), {a, b});
}

absl::StatusOr<Results> ImportVariadic(NodeCall& n) {
  Operand all = n.In(0);
  const std::string op = n.op() == "Mean" ? "relax.add" : RelaxName(kElementwiseNames, n.op());
  for (int i = 1; i < n.inputs(); ++i) {
    Operand next = n.In(i);
    UnifyDims(n, all, next);
    const bool extreme = n.op() == "Max" || n.op() == "Min";
    all = extreme ? Extreme(n, op.c_str(), all, next) : n.Op(op, {all, next});
  }
  if (n.op() == "Mean" && n.inputs() > 1) {
    all = n.Op("relax.divide", {all, n.Number(n.inputs(), n.TypeOf(all))});
  }
  return all;
}

absl::StatusOr<Results> ImportIdentity(NodeCall& n) { return n.term(0); }

// Integer division truncates, in ONNX and in Relax.
absl::StatusOr<Results> ImportDivision(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand b, AlignedSecond(n));
  return n.Op("relax.divide", {n.In(0), b});
}

absl::StatusOr<Results> ImportMod(NodeCall& n) {
  const Operand a = n.In(0), b = n.In(1);
  const bool like_c = n.Int("fmod", 0) != 0;
  const bool real = n.TypeOf(a).is_floating();
  if (!like_c && !real) return n.Op("relax.floor_mod", {a, b});
  if (!like_c) {
    // Converts C's remainder to one with the sign of the divisor.
    return n.Elementwise("mod", {a, b}, [&](ScalarMath& m, const Scalars& x) {
      const PrimRef zero = m.Const(0, x[1]->dtype());
      const PrimRef rest = m.Call("fmod", {x[0], x[1]}), below = m.Lt(x[1], zero);
      const PrimRef apart = m.Ne(m.Lt(rest, zero), below);
      const PrimRef nothing = m.Select(below, m.Const(-0.0, x[1]->dtype()), zero);
      return m.Select(m.Eq(rest, zero), nothing, m.Select(apart, m.Add(rest, x[1]), rest));
    });
  }
  return n.Elementwise("fmod", {a, b}, [&](ScalarMath& m, const Scalars& x) {
    return real ? m.Call("fmod", {x[0], x[1]}) : m.Binary(ir::BinaryOp::kMod, x[0], x[1]);
  });
}

absl::StatusOr<Results> ImportPow(NodeCall& n) {
  const Operand base = n.In(0);
  const DType dtype = n.TypeOf(base), exponent = n.TypeOf(n.In(1));
  LATHE_ASSIGN_OR_RETURN(const Operand b, AlignedSecond(n));
  if (dtype.is_floating()) return n.Op("relax.power", {base, n.Cast(b, dtype)});
  if (!exponent.is_floating()) {
    // Exact integers, whose bits above those of the base are dropped.
    const bool narrow = dtype.bits <= 32 && (exponent.bits < 32 || exponent == DType::Int(32));
    const DType whole = DType::Int(narrow ? 32 : 64);
    return n.Cast(n.Op("relax.power", {n.Cast(base, whole), n.Cast(b, whole)}), dtype);
  }
  const DType wide = DType::Float(64);
  return n.Cast(n.Op("relax.power", {n.Cast(base, wide), n.Cast(b, wide)}), dtype);
}

absl::StatusOr<Results> ImportBitShift(NodeCall& n) {
  const bool left = n.String("direction", "") == "LEFT";
  if (n.opset() >= 28) {
    // Shifts by the width or more shift out all bits.
    return n.Elementwise("bit_shift", {n.In(0), n.In(1)}, [&](ScalarMath& m, const Scalars& x) {
      const DType t = x[0]->dtype();
      const PrimRef zero = m.Const(0, t);
      const PrimRef some = m.InRange(x[1], zero, m.Const(t.bits, t));
      const auto op = left ? ir::BinaryOp::kShl : ir::BinaryOp::kShr;
      const PrimRef shifted = m.Binary(op, x[0], m.Select(some, x[1], zero));
      const bool fills = !left && t.is_int();
      const PrimRef rest = fills ? m.Select(m.Lt(x[0], zero), m.Const(-1, t), zero) : zero;
      return m.Select(some, shifted, rest);
    });
  }
  return n.Op(left ? "relax.left_shift" : "relax.right_shift", {n.In(0), n.In(1)});
}

absl::StatusOr<Results> ImportWhere(NodeCall& n) {
  return n.Op("relax.where", {n.In(0), n.In(1), n.In(2)});
}

absl::StatusOr<Results> ImportIsInf(NodeCall& n) {
  const bool negative = n.Int("detect_negative", 1) != 0;
  const bool positive = n.Int("detect_positive", 1) != 0;
  const int32_t format = n.term(0).format;
  const Operand x = format == 0 ? n.In(0) : DecodeSmall(n, n.In(0), format);
  return n.Elementwise(
      "isinf", {x},
      [&](ScalarMath& m, const Scalars& x) {
        const PrimRef value = m.Cast(x[0], DType::Float(64));
        const auto is = [&](PrimRef limit) { return m.Eq(value, limit); };
        const PrimRef no = m.ir().Bool(false);
        return m.Or(positive ? is(m.Highest(DType::Float(64))) : no,
                    negative ? is(m.Lowest(DType::Float(64))) : no);
      },
      DType::Bool());
}

absl::StatusOr<Results> ImportPRelu(NodeCall& n) {
  const Operand x = n.In(0);
  Operand slope = n.In(1);
  // Before operator set 7, a list of slopes was one per channel.
  if (n.opset() < 7 && n.Rank(slope) == 1 && n.Rank(x) > 1) {
    Dims dims(static_cast<size_t>(n.Rank(x)), n.ir().Int(1));
    dims[1] = n.DimsOf(slope)[0];
    slope = n.Reshape(slope, dims);
  }
  return n.Elementwise("prelu", {x, slope}, [](ScalarMath& m, const Scalars& x) {
    return m.Select(m.Lt(x[0], m.Const(0, x[0]->dtype())), m.Mul(x[0], x[1]), x[0]);
  });
}

absl::StatusOr<Results> ImportClip(NodeCall& n) {
  Operand y = n.In(0);
  const DType dtype = n.TypeOf(y);
  const bool attributes = n.opset() < 11;
  const char* const ops[] = {"relax.maximum", "relax.minimum"};
  for (int i = 0; i < 2; ++i) {
    const char* name = i == 0 ? "min" : "max";
    if (attributes ? !n.HasAttribute(name) : !n.Has(i + 1)) continue;
    const Operand bound = attributes ? n.Number(n.Float(name, 0), dtype) : n.In(i + 1);
    // A NaN in `y` gives the second operand.
    y = n.Op(ops[i], {bound, y});
  }
  return y;
}

absl::StatusOr<Results> ImportConstant(NodeCall& n) {
  if (const Tensor* value = n.TensorAttribute("value")) {
    if (value->type == kStringType) {
      Term term;
      term.strings = std::make_shared<const Strings>(Strings{value->dims, value->strings});
      return term;
    }
    absl::StatusOr<ir::Constant> constant = ReadTensor(*value, n.import().folder);
    if (!constant.ok()) return n.Error() << "its value " << constant.status().message();
    Term term = TermOf(n.import(), *std::move(constant));
    if (IsSmallFormat(value->type)) term.format = value->type;
    return term;
  }
  if (const SparseTensor* sparse = n.SparseAttribute("sparse_value")) {
    absl::StatusOr<ir::Constant> constant = ReadSparseTensor(*sparse, n.import().folder);
    if (!constant.ok()) return n.Error() << "its value " << constant.status().message();
    return TermOf(n.import(), *std::move(constant));
  }
  const auto term = [&](const Operand& made) -> absl::StatusOr<Results> {
    Term t(made);
    const auto constant = ConstantOf(n.import(), t);
    return constant ? TermOf(n.import(), *constant) : t;
  };
  if (n.HasAttribute("value_float")) {
    return term(n.Number(n.Float("value_float", 0), DType::Float(32)));
  }
  if (n.HasAttribute("value_int")) {
    return Term(Elements{DType::Int(64), 0, {n.ir().Int(n.Int("value_int", 0))}});
  }
  if (n.HasAttribute("value_ints")) return term(n.IntsTensor(n.Ints("value_ints")));
  if (n.HasAttribute("value_floats")) {
    const std::vector<double> values = n.Floats("value_floats");
    return term(n.builder().Constant(DType::Float(32), {std::ssize(values)}, values));
  }
  if (n.HasAttribute("value_string") || n.HasAttribute("value_strings")) {
    Term strings;
    const bool one = n.HasAttribute("value_string");
    std::vector<std::string> values = n.StringList("value_strings");
    if (one) values = {n.String("value_string", "")};
    std::vector<int64_t> shape;
    if (!one) shape.push_back(std::ssize(values));
    strings.strings = std::make_shared<const Strings>(Strings{shape, values});
    return strings;
  }
  return n.Error() << "the attribute with the value is missing";
}

}  // namespace lathe::onnx

// Rows of elementwise operators.
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

void FloatUnary(Sketch& s, const std::string& op) { s.Op(op, {s.Any(Kind::kFloat).value}); }
void NumberUnary(Sketch& s, const std::string& op) { s.Op(op, {s.Any(Kind::kNumber).value}); }
void BoolUnary(Sketch& s, const std::string& op) { s.Op(op, {s.Any(Kind::kBool).value}); }
void BitsUnary(Sketch& s, const std::string& op) {
  s.Op(op, {s.Any(s.dice.Percent(80) ? Kind::kInt : Kind::kBool).value});
}

// A tensor that broadcasts against `x`, or a scalar.
Operand Beside(Sketch& s, const Tensor& x) {
  const size_t chance = s.dice.Below(100);
  if (chance < 12) return s.Like(x.dtype, {});
  if (chance < 20 && x.dtype == DType::Int(64)) return {ir::PrimValue{s.Dim()}};
  if (chance < 20 && !x.dtype.is_bool()) {
    return s.Number(static_cast<double>(s.dice.Between(1, 3)), x.dtype);
  }
  Dims dims = x.dims;
  if (chance < 40 && !dims.empty()) {
    dims.erase(dims.begin(), dims.begin() + static_cast<int>(s.dice.Below(dims.size() + 1)));
    for (PrimRef& dim : dims) {
      if (s.dice.Percent(25)) dim = s.Int(1);
    }
  }
  return s.Like(x.dtype, dims);
}

void Pair(Sketch& s, const std::string& op, Kind kind) {
  Tensor x = s.Any(kind);
  const Operand y = Beside(s, x);
  if (s.dice.Percent(15)) return void(s.Op(op, {y, x.value}));
  s.Op(op, {x.value, y});
}
void NumberPair(Sketch& s, const std::string& op) { Pair(s, op, Kind::kNumber); }
void FloatPair(Sketch& s, const std::string& op) { Pair(s, op, Kind::kFloat); }
void BoolPair(Sketch& s, const std::string& op) { Pair(s, op, Kind::kBool); }
void BitsPair(Sketch& s, const std::string& op) {
  Pair(s, op, s.dice.Percent(80) ? Kind::kInt : Kind::kBool);
}
void AnyPair(Sketch& s, const std::string& op) { Pair(s, op, Kind::kAny); }

// Integers are divided by small numbers, 0 among them.
void Division(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber);
  if (x.dtype.is_floating()) return void(s.Op(op, {x.value, Beside(s, x)}));
  const double by = s.dice.Of({0.0, 1.0, 2.0, 3.0, 5.0});
  s.Op(op, {x.value, s.Constant(x.dtype, {}, {x.dtype.is_int() && s.dice.Percent(20) ? -by : by})});
}

void Power(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber);
  if (x.dtype.is_floating()) return void(s.Op(op, {x.value, Beside(s, x)}));
  s.Op(op, {x.value, s.Constant(x.dtype, {}, {static_cast<double>(s.dice.Below(4))})});
}

void Shift(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kInt);
  s.Op(op, {x.value, s.Constant(x.dtype, {}, {static_cast<double>(s.dice.Below(7))})});
}

void Where(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny);
  const bool soft = s.AllowSoft(false);
  const Operand condition = s.Like(DType::Bool(), s.dice.Percent(85) ? x.dims : Dims{});
  s.AllowSoft(soft);
  s.Op(op, {condition, x.value, s.Like(x.dtype, x.dims)});
}

void Clip(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber);
  const double low = static_cast<double>(s.dice.Between(0, 2));
  s.Op(op, {x.value, s.Number(low, x.dtype),
            s.Number(low + static_cast<double>(s.dice.Between(0, 3)), x.dtype)});
}

void MultiplyAdd(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kFloat);
  s.Op(op, {x.value, s.Like(x.dtype, x.dims), s.Like(x.dtype, x.dims)});
}

void CastElements(Sketch& s, const std::string& op) {
  const bool widen = s.soft_allowed();
  Tensor x = s.Any(widen ? Kind::kFloat : Kind::kAny);
  s.Op(op, {x.value}, {{"dtype", AttrValue(widen ? x.dtype : s.SomeDType(Kind::kAny))}});
}

void LeakyRelu(Sketch& s, const std::string& op) {
  s.Op(op, {s.Any(Kind::kFloat).value}, {{"alpha", AttrValue(s.dice.Of({0.01, 0.25, 1.0}))}});
}

void Softplus(Sketch& s, const std::string& op) {
  s.Op(op, {s.Any(Kind::kFloat).value},
       {{"beta", AttrValue(s.dice.Of({0.5, 1.0, 2.0}))},
        {"threshold", AttrValue(s.dice.Of({1.0, 20.0}))}});
}

constexpr OpRow kElementwiseRows[] = {
    {"relax.abs", NumberUnary, true},
    {"relax.acos", FloatUnary},
    {"relax.acosh", FloatUnary},
    {"relax.add", NumberPair, true},
    {"relax.asin", FloatUnary},
    {"relax.asinh", FloatUnary},
    {"relax.astype", CastElements, true},
    {"relax.atan", FloatUnary, true},
    {"relax.atan2", FloatPair},
    {"relax.atanh", FloatUnary},
    {"relax.bitwise_and", BitsPair},
    {"relax.bitwise_not", BitsUnary},
    {"relax.bitwise_or", BitsPair},
    {"relax.bitwise_xor", BitsPair},
    {"relax.ceil", NumberUnary},
    {"relax.clip", Clip, true},
    {"relax.cos", FloatUnary, true},
    {"relax.cosh", FloatUnary},
    {"relax.divide", Division},
    {"relax.equal", AnyPair},
    {"relax.erf", FloatUnary, true},
    {"relax.ewise_fma", MultiplyAdd},
    {"relax.exp", FloatUnary},
    {"relax.floor", NumberUnary},
    {"relax.floor_divide", Division},
    {"relax.floor_mod", Division},
    {"relax.greater", NumberPair},
    {"relax.greater_equal", NumberPair},
    {"relax.isfinite", NumberUnary},
    {"relax.isinf", NumberUnary},
    {"relax.isnan", NumberUnary},
    {"relax.left_shift", Shift},
    {"relax.less", NumberPair},
    {"relax.less_equal", NumberPair},
    {"relax.log", FloatUnary},
    {"relax.log_add_exp", FloatPair},
    {"relax.logical_and", BoolPair},
    {"relax.logical_not", BoolUnary},
    {"relax.logical_or", BoolPair},
    {"relax.logical_xor", BoolPair},
    {"relax.maximum", NumberPair, true},
    {"relax.minimum", NumberPair, true},
    {"relax.mod", Division},
    {"relax.multiply", NumberPair},
    {"relax.negative", NumberUnary, true},
    {"relax.nn.gelu", FloatUnary},
    {"relax.nn.gelu_tanh", FloatUnary},
    {"relax.nn.leakyrelu", LeakyRelu, true},
    {"relax.nn.relu", NumberUnary, true},
    {"relax.nn.selu", FloatUnary},
    {"relax.nn.silu", FloatUnary},
    {"relax.nn.softplus", Softplus},
    {"relax.not_equal", AnyPair},
    {"relax.power", Power},
    {"relax.right_shift", Shift},
    {"relax.round", NumberUnary},
    {"relax.rsqrt", FloatUnary},
    {"relax.sigmoid", FloatUnary, true},
    {"relax.sign", NumberUnary},
    {"relax.sin", FloatUnary, true},
    {"relax.sinh", FloatUnary},
    {"relax.sqrt", FloatUnary},
    {"relax.square", NumberUnary},
    {"relax.subtract", NumberPair, true},
    {"relax.tan", FloatUnary},
    {"relax.tanh", FloatUnary, true},
    {"relax.trunc", NumberUnary},
    {"relax.where", Where, true},
    {"relax.wrap_param", CastElements, true},
};

}  // namespace

absl::Span<const OpRow> ElementwiseRows() { return kElementwiseRows; }

}  // namespace lathe::random

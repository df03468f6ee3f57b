#include "generator/interp/eval_scalar.h"

#include <cmath>
#include <limits>
#include <string>

#include "generator/interp/data/scalar.h"
#include "generator/ir/context.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::interp {
namespace {

using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;
using ir::UnaryOp;

const DType kF32 = DType::Float(32);
const DType kF64 = DType::Float(64);
const DType kI32 = DType::Int(32);
const DType kI64 = DType::Int(64);

class EvalScalar : public ::testing::Test {
 protected:
  // The value of `e`, or the code of the error.
  std::string Eval(PrimRef e) {
    diags_ = Diagnostics();
    int64_t steps = std::numeric_limits<int64_t>::max();
    const RunEnv env{std::make_shared<MemoryBudget>(), &steps, nullptr, &diags_, {}};
    const auto value = evaluator_.Eval(
        e, as_,
        [&](PrimRef var) {
          const auto it = vars_.find(var);
          return it == vars_.end() ? nullptr : &it->second;
        },
        env);
    if (value.ok()) {
      EXPECT_EQ(value->dtype, e->dtype());
      return ToString(*value);
    }
    EXPECT_EQ(diags_.error_count(), 1);
    return diags_.all().empty() ? "no diagnostic" : diags_.all()[0].code;
  }
  double Number(PrimRef e) {
    const std::string text = Eval(e);
    return text == "nan" ? NAN : std::strtod(text.c_str(), nullptr);
  }
  PrimRef Call(absl::string_view name, std::vector<PrimRef> args) {
    const DType t = args[0]->dtype();
    return c_.MakeIntrinsic(t, name, std::move(args));
  }

  ir::Context c_;
  ScalarEvaluator evaluator_;
  ScalarEvaluator::As as_ = ScalarEvaluator::As::kNumber;
  std::map<PrimRef, Scalar> vars_;
  Diagnostics diags_;
};

TEST_F(EvalScalar, LiteralsAndVariables) {
  EXPECT_EQ(Eval(c_.Int(-7)), "-7");
  EXPECT_EQ(Eval(c_.Int(300, DType::UInt(8))), "44");
  EXPECT_EQ(Eval(c_.Float(0.1, kF32)), "0.1");
  EXPECT_EQ(Eval(c_.Bool(true)), "True");
  const PrimRef n = c_.NewVar("n");
  EXPECT_EQ(Eval(n), "run-unbound-variable");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kAdd, n, c_.Int(1))), "run-unbound-variable");
  vars_[n] = Scalar::Int(4);
  EXPECT_EQ(Eval(n), "4");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kMul, c_.Make(BinaryOp::kAdd, n, c_.Int(1)), n)), "20");
}

TEST_F(EvalScalar, SizesHaveNoOtherValue) {
  const PrimRef n = c_.NewVar("n");
  const PrimRef square = c_.Make(BinaryOp::kMul, n, n);
  const PrimRef half = c_.Make(BinaryOp::kFloorMod, c_.Int(7), n);
  const PrimRef bytes = c_.Make(BinaryOp::kDiv, c_.Int(7), n);
  vars_[n] = Scalar::Int(int64_t{1} << 32);
  EXPECT_EQ(Eval(square), "0");
  EXPECT_EQ(Eval(half), "7");
  as_ = ScalarEvaluator::As::kSize;
  EXPECT_EQ(Eval(square), "run-size-overflow");
  EXPECT_EQ(Eval(half), "7");
  vars_[n] = Scalar::Int(-3);
  EXPECT_EQ(Eval(square), "9");
  vars_[n] = Scalar::Int(0);
  EXPECT_EQ(Eval(half), "run-division-by-zero");
  EXPECT_EQ(Eval(bytes), "run-division-by-zero");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kFloorDiv, c_.Int(7), n)), "run-division-by-zero");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kMod, c_.Int(7), n)), "run-division-by-zero");
  const PrimRef narrow = c_.Make(BinaryOp::kFloorDiv, c_.Int(7, kI32), c_.MakeCast(kI32, n));
  EXPECT_EQ(Eval(narrow), "run-division-by-zero");
  const PrimRef next = c_.Make(BinaryOp::kAdd, c_.Int(std::numeric_limits<int64_t>::max()), n);
  EXPECT_EQ(Eval(next), std::to_string(std::numeric_limits<int64_t>::max()));
  vars_[n] = Scalar::Int(1);
  EXPECT_EQ(Eval(next), "run-size-overflow");
  const PrimRef below = c_.Make(BinaryOp::kSub, c_.Int(std::numeric_limits<int64_t>::min()), n);
  EXPECT_EQ(Eval(below), "run-size-overflow");
  vars_[n] = Scalar::Int(0);
  // What the first side decides leaves the second out.
  const PrimRef least =
      c_.Make(BinaryOp::kGt, c_.Make(BinaryOp::kFloorDiv, c_.Int(7), n), c_.Int(2));
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kAnd, c_.Make(BinaryOp::kGt, n, c_.Int(0)), least)), "False");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kOr, c_.Make(BinaryOp::kEq, n, c_.Int(0)), least)), "True");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kOr, c_.Make(BinaryOp::kGt, n, c_.Int(0)), least)),
            "run-division-by-zero");
  as_ = ScalarEvaluator::As::kNumber;
  EXPECT_EQ(Eval(half), "0");
  EXPECT_EQ(Eval(bytes), "0");
  EXPECT_EQ(Eval(narrow), "0");
  vars_[n] = Scalar::Int(1);
  EXPECT_EQ(Eval(next), std::to_string(std::numeric_limits<int64_t>::min()));
}

TEST_F(EvalScalar, EveryBinaryOperator) {
  const auto on = [&](BinaryOp op, int64_t a, int64_t b) {
    return Eval(c_.Make(op, c_.Int(a, kI32), c_.Int(b, kI32)));
  };
  EXPECT_EQ(on(BinaryOp::kAdd, std::numeric_limits<int32_t>::max(), 1), "-2147483648");
  EXPECT_EQ(on(BinaryOp::kSub, 3, 5), "-2");
  EXPECT_EQ(on(BinaryOp::kMul, 65536, 65536), "0");
  EXPECT_EQ(on(BinaryOp::kDiv, -7, 2), "-3");
  EXPECT_EQ(on(BinaryOp::kMod, -7, 2), "-1");
  EXPECT_EQ(on(BinaryOp::kFloorDiv, -7, 2), "-4");
  EXPECT_EQ(on(BinaryOp::kFloorMod, -7, 2), "1");
  EXPECT_EQ(on(BinaryOp::kMin, -7, 2), "-7");
  EXPECT_EQ(on(BinaryOp::kMax, -7, 2), "2");
  EXPECT_EQ(on(BinaryOp::kEq, 2, 2), "True");
  EXPECT_EQ(on(BinaryOp::kNe, 2, 2), "False");
  EXPECT_EQ(on(BinaryOp::kLt, 1, 2), "True");
  EXPECT_EQ(on(BinaryOp::kLe, 2, 2), "True");
  EXPECT_EQ(on(BinaryOp::kGt, 1, 2), "False");
  EXPECT_EQ(on(BinaryOp::kGe, 1, 2), "False");
  EXPECT_EQ(on(BinaryOp::kBitAnd, 12, 10), "8");
  EXPECT_EQ(on(BinaryOp::kBitOr, 12, 10), "14");
  EXPECT_EQ(on(BinaryOp::kBitXor, 12, 10), "6");
  EXPECT_EQ(on(BinaryOp::kShl, 1, 31), "-2147483648");
  EXPECT_EQ(on(BinaryOp::kShr, -8, 1), "-4");
  for (BinaryOp op : {BinaryOp::kDiv, BinaryOp::kMod, BinaryOp::kFloorDiv, BinaryOp::kFloorMod}) {
    EXPECT_EQ(on(op, 7, 0), "0");
    EXPECT_EQ(on(op, -7, 0), "0");
    const bool quotient = op == BinaryOp::kDiv || op == BinaryOp::kFloorDiv;
    EXPECT_EQ(on(op, std::numeric_limits<int32_t>::min(), -1), quotient ? "-2147483648" : "0");
    const PrimRef bytes[] = {c_.Int(200, DType::UInt(8)), c_.Int(0, DType::UInt(8))};
    EXPECT_EQ(Eval(c_.Make(op, bytes[0], bytes[1])), "0");
    const PrimRef least = c_.Int(std::numeric_limits<int64_t>::min());
    EXPECT_EQ(Eval(c_.Make(op, least, c_.Int(-1))), quotient ? "-9223372036854775808" : "0");
    const PrimRef small = c_.Int(-128, DType::Int(8));
    EXPECT_EQ(Eval(c_.Make(op, small, c_.Int(-1, DType::Int(8)))), quotient ? "-128" : "0");
  }
  const PrimRef yes = c_.Bool(true);
  const PrimRef no = c_.Bool(false);
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kAnd, yes, no)), "False");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kOr, yes, no)), "True");
  const PrimRef half = c_.Float(0.5, kF32);
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kDiv, half, c_.Float(0, kF32))), "inf");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kFloorMod, c_.Float(-5.5, kF32), c_.Float(2, kF32))), "0.5");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kBitAnd, half, half)), "run-malformed-program");
}

TEST_F(EvalScalar, UnarySelectCastAndLet) {
  EXPECT_EQ(Eval(c_.Make(UnaryOp::kNeg, c_.Int(-128, DType::Int(8)))), "-128");
  EXPECT_EQ(Eval(c_.Make(UnaryOp::kNot, c_.Bool(true))), "False");
  EXPECT_EQ(Eval(c_.Make(UnaryOp::kBitNot, c_.Int(0, DType::UInt(16)))), "65535");
  const PrimRef one = c_.Int(1);
  const PrimRef bad = c_.Make(BinaryOp::kDiv, one, c_.Int(0));
  as_ = ScalarEvaluator::As::kSize;
  EXPECT_EQ(Eval(c_.MakeSelect(c_.Bool(true), one, bad)), "run-division-by-zero");
  EXPECT_EQ(Eval(c_.MakeIntrinsic(kI64, "if_then_else", {c_.Bool(true), one, bad})), "1");
  EXPECT_EQ(Eval(c_.MakeIntrinsic(kI64, "if_then_else", {c_.Bool(false), bad, c_.Int(2)})), "2");
  EXPECT_EQ(Eval(c_.MakeCast(DType::UInt(8), c_.Float(300, kF32))), "255");
  EXPECT_EQ(Eval(c_.MakeCast(DType::Float(16), c_.Float(1e6, kF32))), "inf");
  const PrimRef x = c_.NewVar("x");
  const PrimRef let = c_.Make(kI64, ir::Let{x, c_.Int(5), c_.Make(BinaryOp::kMul, x, x)});
  EXPECT_EQ(Eval(let), "25");
  EXPECT_EQ(Eval(c_.Make(BinaryOp::kAdd, let, x)), "run-unbound-variable");
}

struct UnaryCase {
  const char* name;
  double (*want)(double);
};
const UnaryCase kUnary[] = {
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"exp10", [](double x) { return std::pow(10.0, x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"abs", [](double x) { return std::fabs(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
    {"round", [](double x) { return std::nearbyint(x); }},
    {"nearbyint", [](double x) { return std::nearbyint(x); }},
};

TEST_F(EvalScalar, MathematicsAgreesWithTheLibrary) {
  for (const UnaryCase& row : kUnary) {
    for (const double x : {0.0, -0.0, 0.25, 0.5, -0.75, 1.0, 1.5, 2.5, -3.5, 20.0, 1e30}) {
      const double want = row.want(x);
      const double got = Number(Call(row.name, {c_.Float(x, kF64)}));
      EXPECT_TRUE(got == want || (std::isnan(got) && std::isnan(want)))
          << row.name << "(" << x << ") is " << got << ", not " << want;
      // In float32 the double result is rounded once.
      const double narrow = Number(Call(row.name, {c_.Float(x, kF32)}));
      const float rounded = static_cast<float>(row.want(static_cast<float>(x)));
      EXPECT_TRUE(static_cast<float>(narrow) == rounded ||
                  (std::isnan(narrow) && std::isnan(rounded)))
          << row.name << "(" << x << ") in float32";
    }
  }
}

TEST_F(EvalScalar, MathematicsOfTwoAndThree) {
  const auto f = [&](double v) { return c_.Float(v, kF64); };
  EXPECT_EQ(Number(Call("pow", {f(2), f(0.5)})), std::pow(2, 0.5));
  EXPECT_EQ(Number(Call("fmod", {f(-5.5), f(2)})), std::fmod(-5.5, 2));
  EXPECT_EQ(Number(Call("atan2", {f(1), f(-2)})), std::atan2(1, -2));
  EXPECT_EQ(Number(Call("hypot", {f(3), f(4)})), 5);
  EXPECT_EQ(Number(Call("copysign", {f(3), f(-0.0)})), -3);
  EXPECT_EQ(Number(Call("nextafter", {f(1), f(2)})), std::nextafter(1.0, 2.0));
  EXPECT_EQ(Number(Call("nextafter", {f(0), f(-1)})), -std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(Eval(Call("nextafter", {c_.Float(1, kF32), c_.Float(0, kF32)})), "0.99999994");
  EXPECT_EQ(Number(Call("ldexp", {f(3), c_.Int(4, kI32)})), 48);
  EXPECT_EQ(Number(Call("logaddexp", {f(1000), f(1000)})), 1000 + std::log(2));
  const float a = 1.0f + 0x1p-12f;
  EXPECT_EQ(static_cast<float>(
                Number(Call("fma", {c_.Float(a, kF32), c_.Float(a, kF32), c_.Float(-1, kF32)}))),
            std::fma(a, a, -1.0f));
}

TEST_F(EvalScalar, BitsTestsAndFixedPoint) {
  const auto i = [&](int64_t v) { return c_.Int(v, kI32); };
  EXPECT_EQ(Eval(Call("popcount", {i(-1)})), "32");
  EXPECT_EQ(Eval(Call("clz", {i(1)})), "31");
  EXPECT_EQ(Eval(Call("clz", {i(0)})), "32");
  EXPECT_EQ(Eval(Call("abs", {i(-5)})), "5");
  EXPECT_EQ(Eval(Call("pow", {i(-3), i(3)})), "-27");
  EXPECT_EQ(Eval(Call("pow", {i(2), i(-1)})), "0");
  EXPECT_EQ(Eval(Call("bitwise_and", {i(6), i(3)})), "2");
  EXPECT_EQ(Eval(Call("shift_right", {i(-6), i(1)})), "-3");
  EXPECT_EQ(Eval(Call("likely", {c_.Bool(true)})), "True");
  const auto test = [&](const char* name, double v) {
    return Eval(c_.MakeIntrinsic(DType::Bool(), name, {c_.Float(v, kF32)}));
  };
  EXPECT_EQ(test("isnan", NAN), "True");
  EXPECT_EQ(test("isinf", -HUGE_VAL), "True");
  EXPECT_EQ(test("isfinite", 1), "True");
  EXPECT_EQ(test("isfinite", NAN), "False");
  // 1000 * 0.75 * 2^-2, rounded: 187.5 goes up.
  const int64_t three_quarters = int64_t{3} << 29;
  EXPECT_EQ(Eval(Call("q_multiply_shift", {i(1000), i(three_quarters), i(31), i(-2)})), "188");
  EXPECT_EQ(Eval(Call("q_multiply_shift", {i(-1000), i(three_quarters), i(31), i(1)})), "-1500");
  EXPECT_EQ(Eval(c_.MakeIntrinsic(DType::UInt(32), "reinterpret", {c_.Float(1, kF32)})),
            "1065353216");
  EXPECT_EQ(Eval(c_.MakeIntrinsic(kF32, "reinterpret", {i(-1082130432)})), "-1");
  EXPECT_EQ(Eval(c_.MakeIntrinsic(DType::UInt(64), "large_uint_imm",
                                  {c_.Int(1, DType::UInt(32)), c_.Int(2, DType::UInt(32))})),
            "8589934593");
}

TEST_F(EvalScalar, UnsupportedExpressions) {
  EXPECT_EQ(Eval(Call("texture2d_load", {c_.Int(1, kI32)})), "run-unsupported-intrinsic");
  EXPECT_EQ(Eval(c_.MakeCast(DType::Int(32), c_.Int(1, DType::Int(128)))), "run-unsupported-dtype");
  // Never reached, so never refused.
  EXPECT_EQ(Eval(c_.MakeIntrinsic(
                kI32, "if_then_else",
                {c_.Bool(false), Call("texture2d_load", {c_.Int(1, kI32)}), c_.Int(7, kI32)})),
            "7");
  PrimRef deep = c_.NewVar("n");
  vars_[deep] = Scalar::Int(1);
  for (int n = 0; n < 2000; ++n) deep = c_.Make(UnaryOp::kNeg, deep);
  EXPECT_EQ(Eval(deep), "run-nesting-limit");
  // Shared parts are evaluated where they stand: 2^40 steps are too many.
  PrimRef wide = c_.NewVar("m");
  vars_[wide] = Scalar::Int(1);
  for (int n = 0; n < 40; ++n) wide = c_.Make(BinaryOp::kAdd, wide, wide);
  EXPECT_EQ(Eval(wide), "run-code-limit");
}

}  // namespace
}  // namespace lathe::interp

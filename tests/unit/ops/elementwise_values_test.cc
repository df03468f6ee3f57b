// Values of binary.cc, unary.cc, where.cc against plain loops over doubles.
#include <cmath>
#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Broadcast;
using reference::BroadcastShape;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

double Sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
double Floor(double a, double b) { return std::floor(a / b); }

struct BinaryCase {
  const char* op;
  double (*f)(double, double);
  bool integers = true;
  bool reals = true;
};
const BinaryCase kBinary[] = {
    {"add", [](double a, double b) { return a + b; }},
    {"subtract", [](double a, double b) { return a - b; }},
    {"multiply", [](double a, double b) { return a * b; }},
    {"divide", [](double a, double b) { return a / b; }, false},
    {"floor_divide", Floor, false},
    {"floor_mod", [](double a, double b) { return a - Floor(a, b) * b; }, false},
    {"mod", [](double a, double b) { return std::fmod(a, b); }, false},
    {"minimum", [](double a, double b) { return a < b ? a : b; }},
    {"maximum", [](double a, double b) { return a < b ? b : a; }},
    {"atan2", [](double a, double b) { return std::atan2(a, b); }, false},
    {"log_add_exp", [](double a, double b) { return std::log(std::exp(a) + std::exp(b)); }, false},
    {"equal", [](double a, double b) { return double(a == b); }},
    {"not_equal", [](double a, double b) { return double(a != b); }},
    {"less", [](double a, double b) { return double(a < b); }},
    {"less_equal", [](double a, double b) { return double(a <= b); }},
    {"greater", [](double a, double b) { return double(a > b); }},
    {"greater_equal", [](double a, double b) { return double(a >= b); }},
    {"logical_and", [](double a, double b) { return double(a != 0 && b != 0); }},
    {"logical_or", [](double a, double b) { return double(a != 0 || b != 0); }},
    {"logical_xor", [](double a, double b) { return double((a != 0) != (b != 0)); }},
    {"bitwise_and", [](double a, double b) { return double(int(a) & int(b)); }, true, false},
    {"bitwise_or", [](double a, double b) { return double(int(a) | int(b)); }, true, false},
    {"bitwise_xor", [](double a, double b) { return double(int(a) ^ int(b)); }, true, false},
};

Array Apply(double (*f)(double, double), const Array& a, const Array& b) {
  Array out(BroadcastShape(a.shape, b.shape));
  ForEach(out.shape, [&](const Shape& at) { out[at] = f(Broadcast(a, at), Broadcast(b, at)); });
  return out;
}

TEST(BinaryValues, AgreeWithPlainLoops) {
  const std::pair<Shape, Shape> shapes[] = {{{2, 3}, {2, 3}}, {{}, {}},      {{4, 1, 3}, {2, 1}},
                                            {{3}, {}},        {{0, 2}, {1}}, {{1, 1}, {5}}};
  uint32_t seed = 1;
  for (const BinaryCase& c : kBinary) {
    for (const char* dtype :
         {"float32", "float64", "float16", "bfloat16", "int32", "int8", "int64"}) {
      const bool real = std::string(dtype).find("float") != std::string::npos;
      if (real ? !c.reals : !c.integers) continue;
      for (const auto& [x, y] : shapes) {
        SCOPED_TRACE(std::string(c.op) + " " + dtype);
        const TypedArray a = RandomArray(x, dtype, seed++), b = RandomArray(y, dtype, seed++);
        const std::vector<TypedArray> out = RunOp(c.op, {a, b});
        ASSERT_EQ(out.size(), 1u);
        const double tolerance = std::string(dtype) == "bfloat16"  ? 2e-2
                                 : std::string(dtype) == "float16" ? 3e-3
                                                                   : 1e-5;
        // Remainders jump where quotients round.
        if (tolerance > 1e-3 && std::string(c.op).find("mod") != std::string::npos) continue;
        if (tolerance > 1e-3 && std::string(c.op) == "floor_divide") continue;
        ExpectNear(out[0], Apply(c.f, a.array, b.array), tolerance, tolerance);
      }
    }
  }
}

TEST(BinaryValues, IntegerDivisionsRoundEachItsWay) {
  const TypedArray a{Array({6}, {7, -7, 7, -7, 6, 0}), "int32"};
  const TypedArray b{Array({6}, {2, 2, -2, -2, 3, 5}), "int32"};
  ExpectNear(RunOp("floor_divide", {a, b})[0], Array({6}, {3, -4, -4, 3, 2, 0}));
  ExpectNear(RunOp("floor_mod", {a, b})[0], Array({6}, {1, 1, -1, -1, 0, 0}));
  ExpectNear(RunOp("divide", {a, b})[0], Array({6}, {3, -3, -3, 3, 2, 0}));
  ExpectNear(RunOp("mod", {a, b})[0], Array({6}, {1, -1, 1, -1, 0, 0}));
}

TEST(BinaryValues, PowersAndShiftsOfIntegers) {
  const TypedArray a{Array({6}, {2, -3, 7, 1, -1, 0}), "int32"};
  const TypedArray b{Array({6}, {30, 3, 0, -5, -3, 0}), "int32"};
  ExpectNear(RunOp("power", {a, b})[0], Array({6}, {1073741824, -27, 1, 1, -1, 1}));
  const TypedArray n{Array({6}, {3, 1, 0, 4, 2, 31}), "int32"};
  ExpectNear(RunOp("left_shift", {a, n})[0], Array({6}, {16, -6, 7, 16, -4, 0}));
  ExpectNear(RunOp("right_shift", {a, n})[0], Array({6}, {0, -2, 7, 0, -1, 0}));
  const TypedArray u{Array({2}, {200, 3}), "uint8"}, v{Array({2}, {2, 5}), "uint8"};
  ExpectNear(RunOp("power", {u, v})[0], Array({2}, {64, 243}));
}

TEST(BinaryValues, TakeScalarsAndBools) {
  const TypedArray a{Array({3}, {1, 2, 3}), "float32"};
  ExpectNear(RunOp("add", {a, 4.0})[0], Array({3}, {5, 6, 7}));
  ExpectNear(RunOp("subtract", {4.0, a})[0], Array({3}, {3, 2, 1}));
  const TypedArray x{Array({2}, {1, 0}), "bool"}, y{Array({2}, {1, 1}), "bool"};
  ExpectNear(RunOp("bitwise_xor", {x, y})[0], Array({2}, {0, 1}));
  ExpectNear(RunOp("logical_and", {x, y})[0], Array({2}, {1, 0}));
}

struct UnaryCase {
  const char* op;
  double (*f)(double);
};
const UnaryCase kUnary[] = {
    {"abs", [](double x) { return std::fabs(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"isfinite", [](double x) { return double(std::isfinite(x)); }},
    {"isinf", [](double x) { return double(std::isinf(x)); }},
    {"isnan", [](double x) { return double(std::isnan(x)); }},
    {"log", [](double x) { return std::log(x); }},
    {"negative", [](double x) { return -x; }},
    {"nn.gelu", [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }},
    {"nn.gelu_tanh",
     [](double x) {
       return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
     }},
    {"nn.relu", [](double x) { return x > 0 ? x : 0; }},
    {"nn.selu",
     [](double x) {
       return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
     }},
    {"nn.silu", [](double x) { return x / (1 + std::exp(-x)); }},
    {"round", [](double x) { return std::nearbyint(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"sign", Sign},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"square", [](double x) { return x * x; }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
};

TEST(UnaryValues, AgreeWithPlainLoops) {
  uint32_t seed = 100;
  for (const UnaryCase& c : kUnary) {
    for (const char* dtype : {"float32", "float64", "float16"}) {
      SCOPED_TRACE(std::string(c.op) + " " + dtype);
      for (const Shape& shape : {Shape{3, 4}, Shape{}, Shape{0}}) {
        const TypedArray x = RandomArray(shape, dtype, seed++);
        Array want(shape);
        for (size_t i = 0; i < want.data.size(); ++i) want.data[i] = c.f(x.array.data[i]);
        const double tolerance = std::string(dtype) == "float16" ? 2e-2 : 2e-6;
        ExpectNear(RunOp(c.op, {x})[0], want, tolerance, tolerance);
      }
    }
  }
}

TEST(UnaryValues, OfIntegersAndInfinities) {
  const TypedArray x{Array({4}, {-3, 0, 5, -128}), "int8"};
  ExpectNear(RunOp("sign", {x})[0], Array({4}, {-1, 0, 1, -1}));
  ExpectNear(RunOp("round", {x})[0], x.array);
  ExpectNear(RunOp("bitwise_not", {x})[0], Array({4}, {2, -1, -6, 127}));
  ExpectNear(RunOp("logical_not", {x})[0], Array({4}, {0, 1, 0, 0}));
  ExpectNear(RunOp("isfinite", {x})[0], Array({4}, {1, 1, 1, 1}));
  const TypedArray y{Array({3}, {INFINITY, -INFINITY, NAN}), "float32"};
  ExpectNear(RunOp("isinf", {y})[0], Array({3}, {1, 1, 0}));
  ExpectNear(RunOp("isnan", {y})[0], Array({3}, {0, 0, 1}));
  ExpectNear(RunOp("isfinite", {y})[0], Array({3}, {0, 0, 0}));
  ExpectNear(RunOp("log_add_exp", {y, y})[0], y.array);
  const TypedArray one{Array({3}, {1, 1, 1}), "float32"};
  ExpectNear(RunOp("log_add_exp", {y, one})[0], Array({3}, {INFINITY, 1, NAN}));
}

TEST(WhereValues, ClipsAndChooses) {
  const TypedArray c{Array({2, 1}, {1, 0}), "bool"};
  const TypedArray a = RandomArray({2, 3}, "float32", 7), b = RandomArray({3}, "float32", 8);
  Array want({2, 3});
  ForEach(want.shape, [&](const Shape& at) {
    want[at] = Broadcast(c.array, at) != 0 ? a.array[at] : Broadcast(b.array, at);
  });
  ExpectNear(RunOp("where", {c, a, b})[0], want);
  const TypedArray u{Array({3}, {0, 100, 255}), "uint8"};
  ExpectNear(RunOp("clip", {u, int64_t{-1}, int64_t{300}})[0], u.array);
  ExpectNear(RunOp("clip", {u, int64_t{50}, int64_t{99}})[0], Array({3}, {50, 99, 99}));
  ExpectNear(RunOp("clip", {b, -0.5, 0.5})[0],
             Array({3}, {std::fmin(std::fmax(b.array.data[0], -0.5), 0.5),
                         std::fmin(std::fmax(b.array.data[1], -0.5), 0.5),
                         std::fmin(std::fmax(b.array.data[2], -0.5), 0.5)}));
  ExpectNear(RunOp("ewise_fma", {b, b, b})[0],
             Apply([](double x, double y) { return x * y + y; }, b.array, b.array));
  ExpectNear(RunOp("astype", {TypedArray{Array({3}, {1.75, -1.75, 0}), "float32"}},
                   {{"dtype", ir::DType::Int(8)}})[0],
             Array({3}, {1, -1, 0}));
}

}  // namespace
}  // namespace lathe::ops

#include "tests/support/op_sweep.h"

#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/dtype.h"
#include "gtest/gtest.h"
#include "tests/support/run_program.h"

namespace lathe::testing {

using reference::Array;
using reference::Shape;
using reference::Wide;

namespace {

std::string Show(const TypedArray& typed) {
  return absl::StrCat(typed.dtype, "(", absl::StrJoin(typed.array.shape, ", "), ")");
}

std::string Show(const OpArg& arg) {
  if (const auto* typed = std::get_if<TypedArray>(&arg)) return Show(*typed);
  if (const auto* whole = std::get_if<int64_t>(&arg)) return absl::StrCat(*whole);
  if (const auto* real = std::get_if<double>(&arg)) return absl::StrCat(*real);
  if (const auto* numbers = std::get_if<Numbers>(&arg)) return absl::StrJoin(numbers->values, ",");
  if (const auto* shape = std::get_if<ShapeArg>(&arg)) {
    return absl::StrCat("R.shape([", absl::StrJoin(shape->dims, ", "), "])");
  }
  std::string text;
  for (const TypedArray& typed : std::get<std::vector<TypedArray>>(arg)) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", Show(typed));
  }
  return absl::StrCat("[", text, "]");
}

std::string Show(const ir::AttrValue& value) {
  if (const auto* whole = value.As<int64_t>()) return absl::StrCat(*whole);
  if (const auto* flag = value.As<bool>()) return *flag ? "True" : "False";
  if (const auto* real = value.As<double>()) return absl::StrCat(*real);
  if (const auto* text = value.As<std::string>()) return *text;
  if (const auto* dtype = value.As<ir::DType>()) return ToString(*dtype);
  const auto* list = value.As<ir::AttrList>();
  if (list == nullptr) return "...";
  std::string text;
  for (const ir::AttrValue& item : *list) absl::StrAppend(&text, Show(item), ",");
  return absl::StrCat("[", text, "]");
}

bool Close(double got, double want, const std::string& dtype, Tolerance tolerance) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return true;
  const double scale = std::fmax(std::fabs(want), tolerance.floor);
  return std::fabs(got - want) <= tolerance.steps * reference::EpsilonOf(dtype) * scale;
}

void ExpectSame(const std::vector<TypedArray>& got, const std::vector<TypedArray>& want,
                Tolerance tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const TypedArray &g = got[i], &w = want[i];
    ASSERT_EQ(g.dtype, w.dtype);
    ASSERT_EQ(g.array.shape, w.array.shape);
    for (size_t n = 0; n < w.whole.size(); ++n) {
      ASSERT_EQ(g.whole[n], w.whole[n]) << "result " << i << ", element " << n;
    }
    if (!w.whole.empty()) continue;
    const bool real = reference::FormatOf(w.dtype).is_float();
    for (size_t n = 0; n < w.array.data.size(); ++n) {
      const double exact = w.array.data[n];
      const double number = real ? double(reference::Rounded(exact, w.dtype)) : exact;
      ASSERT_TRUE(Close(g.array.data[n], number, w.dtype, real ? tolerance : Tolerance()))
          << "result " << i << ", element " << n << ": got " << g.array.data[n] << ", want "
          << number << " (" << exact << ")";
    }
  }
}

}  // namespace

void OpSweep::Expect(const std::vector<OpArg>& args, const ir::AttrMap& attrs,
                     const std::vector<TypedArray>& want, Tolerance tolerance) {
  ++cases_;
  std::string call;
  for (const OpArg& arg : args) absl::StrAppend(&call, Show(arg), " ");
  for (const auto& [key, value] : attrs) absl::StrAppend(&call, key, "=", Show(value), " ");
  SCOPED_TRACE(absl::StrCat("R.", op_, " of ", call));
  ExpectSame(RunOp(op_, args, attrs), want, tolerance);
}

void OpSweep::ExpectProgram(const std::string& expression, const std::vector<TypedArray>& inputs,
                            const std::vector<TypedArray>& want) {
  ++cases_;
  std::string params, call;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string comma = inputs[i].array.shape.size() == 1 ? "," : "";
    absl::StrAppend(&params, i == 0 ? "" : ", ", "x", i, ": R.Tensor((",
                    absl::StrJoin(inputs[i].array.shape, ", "), comma, "), \"", inputs[i].dtype,
                    "\")");
    absl::StrAppend(&call, Show(inputs[i]), " ");
  }
  SCOPED_TRACE(absl::StrCat(expression, " of ", call));
  interp::Program program(absl::StrCat(R"(
@I.ir_module
class Module:
    @R.function
    def main()",
                                       params, "):\n        y = ", expression,
                                       "\n        return y\n"));
  std::vector<interp::Value> args;
  for (const TypedArray& input : inputs) {
    args.push_back(program.Of(*ir::ParseDType(input.dtype), input.array.shape, input.array.data));
  }
  const absl::StatusOr<interp::Value> value = program.RunValue(std::move(args));
  ASSERT_TRUE(value.ok()) << program.Errors();
  std::vector<TypedArray> got;
  const std::vector<interp::Value>* fields = value->AsTuple();
  for (const interp::Value& each : fields == nullptr ? std::vector{*value} : *fields) {
    if (const auto* dims = each.AsShape()) {
      got.push_back({Array({static_cast<int64_t>(dims->size())}), "int64", *dims});
      got.back().array.data.assign(dims->begin(), dims->end());
    }
    if (each.AsTensor() != nullptr) got.push_back(Read(*each.AsTensor()));
  }
  ExpectSame(got, want, {});
}

const std::vector<Shape>& SweepShapes() {
  static const auto* const shapes = new std::vector<Shape>{{},
                                                           {5},
                                                           {0},
                                                           {1},
                                                           {2, 3},
                                                           {1, 4},
                                                           {3, 0},
                                                           {2, 3, 4},
                                                           {2, 1, 3},
                                                           {0, 2, 1},
                                                           {1, 2, 1, 3},
                                                           {3, 2, 2, 2},
                                                           {2, 2, 1, 2, 3},
                                                           {1, 1, 2, 0, 3}};
  return *shapes;
}

const std::vector<std::string>& FloatDTypes() {
  static const auto* const dtypes = new std::vector<std::string>{
      "float32", "float16", "float64", "bfloat16", "float8_e4m3fn", "float8_e5m2"};
  return *dtypes;
}

const std::vector<std::string>& WholeDTypes() {
  static const auto* const dtypes = new std::vector<std::string>{
      "int64", "int32", "uint8", "int8", "uint64", "int16", "uint32", "int4", "uint16", "uint4"};
  return *dtypes;
}

const std::vector<std::string>& AllDTypes() {
  static const auto* const dtypes = [] {
    auto* all = new std::vector<std::string>(FloatDTypes());
    all->insert(all->end(), WholeDTypes().begin(), WholeDTypes().end());
    all->push_back("bool");
    return all;
  }();
  return *dtypes;
}

TypedArray DrawSmall(const Shape& shape, const std::string& dtype, uint32_t seed) {
  const reference::NumberFormat& format = reference::FormatOf(dtype);
  TypedArray typed{Array(shape), dtype, {}};
  std::mt19937 random(seed);
  for (double& x : typed.array.data) {
    const int draw = static_cast<int>(random() % 64);
    // Halves up to 3.5 are exact in every float.
    if (format.is_float()) x = (draw % 15 - 7) / 2.0;
    if (format.kind == reference::NumberFormat::kSigned) x = draw % 15 - 7;
    if (format.kind == reference::NumberFormat::kUnsigned) x = draw % 16;
    if (format.kind == reference::NumberFormat::kBool) x = draw % 2;
  }
  return typed;
}

TypedArray DrawWide(const Shape& shape, const std::string& dtype, uint32_t seed, bool specials) {
  const reference::NumberFormat& format = reference::FormatOf(dtype);
  std::mt19937_64 random(seed);
  if (!format.is_float()) {
    std::vector<Wide> numbers(static_cast<size_t>(reference::SizeOf(shape)));
    const Wide low = reference::LowestOf(dtype), high = reference::HighestOf(dtype);
    for (Wide& x : numbers) {
      const uint64_t kind = random() % 8;
      x = kind == 0   ? low
          : kind == 1 ? high
          : kind == 2 ? Wide{static_cast<int64_t>(random() % 3)} - (low < 0 ? 1 : 0)
          : high == 1 ? Wide{random() % 2}
                      : Wide{random()};
    }
    return OfWide(shape, dtype, numbers);
  }
  TypedArray typed{Array(shape), dtype, {}};
  const double inf = std::numeric_limits<double>::infinity();
  for (double& x : typed.array.data) {
    const uint64_t kind = random() % 16;
    const double fraction = static_cast<double>(random() % 2048) / 1024 - 1;
    const int exponent = static_cast<int>(random() % 12) - 6;
    x = kind == 0   ? 0.0
        : kind == 1 ? static_cast<double>(random() % 9) - 4
        : kind == 2 ? std::copysign(0.5, fraction) + std::nearbyint(fraction * 8)
                    : std::ldexp(fraction, exponent);
    if (specials && kind == 3) x = inf;
    if (specials && kind == 4) x = -inf;
    if (specials && kind == 5) x = std::numeric_limits<double>::quiet_NaN();
    if (specials && kind == 6) x = std::copysign(format.largest, fraction);
    x = static_cast<double>(reference::Rounded(x, dtype));
  }
  return typed;
}

TypedArray DrawIndices(const Shape& shape, const std::string& dtype, uint32_t seed, int64_t low,
                       int64_t high) {
  TypedArray typed{Array(shape), dtype, {}};
  std::mt19937 random(seed);
  for (double& x : typed.array.data) {
    x = static_cast<double>(low + static_cast<int64_t>(random() % uint32_t(high - low)));
  }
  return typed;
}

Wide WideAt(const TypedArray& typed, size_t n) {
  if (typed.whole.empty()) return static_cast<Wide>(typed.array.data[n]);
  return typed.dtype == "uint64" ? Wide{static_cast<uint64_t>(typed.whole[n])}
                                 : Wide{typed.whole[n]};
}

TypedArray OfWide(const Shape& shape, const std::string& dtype, const std::vector<Wide>& numbers) {
  TypedArray typed{Array(shape), dtype, {}};
  for (size_t n = 0; n < numbers.size(); ++n) {
    const Wide x = reference::Wrapped(numbers[n], dtype);
    typed.array.data[n] = static_cast<double>(x);
    typed.whole.push_back(static_cast<int64_t>(x));
  }
  return typed;
}

ir::AttrValue IntList(const std::vector<int64_t>& numbers) {
  ir::AttrList list;
  for (int64_t number : numbers) list.push_back(number);
  return ir::AttrValue(std::move(list));
}

}  // namespace lathe::testing

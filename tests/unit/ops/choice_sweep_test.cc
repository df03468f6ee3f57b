// Elementwise operators that convert, clip or choose: astype, wrap_param, clip, where, ewise_fma.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "generator/ir/dtype.h"
#include "tests/reference/cast.h"
#include "tests/unit/ops/swept_operators.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Broadcast;
using reference::ForEach;
using reference::FormatOf;
using reference::Rounded;
using reference::Shape;
using reference::Wide;
using testing::AllDTypes;
using testing::Cycle;
using testing::DrawSmall;
using testing::DrawWide;
using testing::OfWide;
using testing::OpSweep;
using testing::SweepShapes;
using testing::Tolerance;
using testing::TypedArray;

TypedArray Cast(const TypedArray& x, const std::string& to) {
  TypedArray out{Array(x.array.shape), to, {}};
  std::vector<Wide> whole;
  for (size_t n = 0; n < x.array.data.size(); ++n) {
    const bool real = FormatOf(x.dtype).is_float();
    const long double number =
        real ? (long double)x.array.data[n] : static_cast<long double>(WideAt(x, n));
    if (FormatOf(to).is_float()) {
      out.array.data[n] = static_cast<double>(Rounded(number, to));
    } else {
      whole.push_back(real ? reference::CastToWhole(number, to) : WideAt(x, n));
    }
  }
  return FormatOf(to).is_float() ? out : OfWide(x.array.shape, to, whole);
}

// Halfway between two numbers of `to`, and slightly below and above.
TypedArray DrawHalfway(const std::string& from, const std::string& to, uint32_t seed) {
  TypedArray x = DrawWide({60}, from, seed, true);
  const int fraction = FormatOf(to).fraction;
  for (size_t n = 0; n < x.array.data.size(); n += 2) {
    const double power = std::ldexp(1.0, static_cast<int>(n) % 30 - 18);
    const double step = std::ldexp(power, -fraction);
    const double beside = n % 3 == 0 ? 0 : std::ldexp(step, -8) * (n % 3 == 1 ? 1 : -1);
    const double number = power + step * (static_cast<double>(n % 4) + 0.5) + beside;
    x.array.data[n] = static_cast<double>(Rounded(n % 8 < 4 ? number : -number, from));
  }
  return x;
}

void SweepPairs(OpSweep& sweep) {
  for (const std::string& from : AllDTypes()) {
    for (const std::string& to : AllDTypes()) {
      const bool halfway = FormatOf(from).is_float() && FormatOf(to).is_float();
      const TypedArray x =
          halfway ? DrawHalfway(from, to, sweep.seed()) : DrawWide({60}, from, sweep.seed(), true);
      sweep.Expect({x}, DTypeAttr(to), {Cast(x, to)});
    }
  }
}

void SweepCast(OpSweep& sweep) {
  for (size_t i = 0; i < AllDTypes().size(); ++i) {
    const TypedArray x = DrawWide(Cycle(SweepShapes(), i), AllDTypes()[i], sweep.seed());
    const std::string& to = Cycle(AllDTypes(), 5 * i + 3);
    sweep.Expect({x}, DTypeAttr(to), {Cast(x, to)});
  }
}

// Bounds that the dtype does not hold, and those the wrong way round: then the upper one counts.
void SweepClipOfWhole(OpSweep& sweep) {
  const std::pair<int64_t, int64_t> bounds[] = {
      {-3, 5},         {0, 0},     {-1, 300},
      {INT64_MIN, -2}, {4, 1},     {-1000, INT64_MAX},
      {100, 100000},   {-300, -1}, {INT64_MIN, INT64_MAX}};
  size_t i = 0;
  for (const std::string& dtype : testing::WholeDTypes()) {
    for (const auto& [low, high] : bounds) {
      const TypedArray x = DrawWide(Cycle(SweepShapes(), i++), dtype, sweep.seed());
      // The nearest that the dtype holds.
      const auto inside = [&](Wide bound) {
        return std::clamp(bound, reference::LowestOf(dtype), reference::HighestOf(dtype));
      };
      std::vector<Wide> want;
      for (size_t n = 0; n < x.array.data.size(); ++n) {
        want.push_back(std::min(std::max(WideAt(x, n), inside(low)), inside(high)));
      }
      sweep.Expect({x, low, high}, {}, {OfWide(x.array.shape, dtype, want)});
    }
  }
}

void SweepClip(OpSweep& sweep) {
  SweepClipOfWhole(sweep);
  size_t i = 0;
  for (const std::string& dtype : testing::FloatDTypes()) {
    for (const auto& [low, high] :
         {std::pair{-0.75, 1.5}, std::pair{0.1, 0.1}, std::pair{2.0, -1.0},
          std::pair{-HUGE_VAL, 0.3}, std::pair{-100.0, HUGE_VAL}}) {
      if (!FormatOf(dtype).infinite && std::isinf(low + high)) continue;
      TypedArray x = DrawWide(Cycle(SweepShapes(), i++), dtype, sweep.seed());
      TypedArray want = x;
      // A bound is a float32, then of the dtype.
      const auto bound = [&](double b) { return double(Rounded(Rounded(b, "float32"), dtype)); };
      for (double& number : want.array.data) {
        number = std::min(std::max(number, bound(low)), bound(high));
      }
      sweep.Expect({x, low, high}, {}, {want});
      for (size_t n = 0; n < want.array.data.size(); ++n) {
        want.array.data[n] = std::min(std::max(x.array.data[n], -2.0), 3.0);
      }
      sweep.Expect({x, int64_t{-2}, int64_t{3}}, {}, {want});
    }
  }
}

void SweepWhere(OpSweep& sweep) {
  const std::vector<std::vector<Shape>> shapes = {{{2, 1}, {3}, {2, 3}},
                                                  {{}, {2, 3}, {}},
                                                  {{4}, {}, {}},
                                                  {{}, {}, {}},
                                                  {{1, 0}, {2, 1}, {1}},
                                                  {{3, 1, 1}, {2, 1}, {4}},
                                                  {{1}, {1, 1}, {1}},
                                                  {{2, 1, 2}, {2, 2}, {}},
                                                  {{2, 1, 2, 1, 2}, {1, 4, 1}, {2, 1, 1, 4, 1}}};
  size_t i = 0;
  for (const std::string& dtype : AllDTypes()) {
    for (size_t part = 0; part < 2; ++part) {
      const std::vector<Shape>& s = Cycle(shapes, i++);
      const TypedArray c = DrawSmall(s[0], "bool", sweep.seed());
      const TypedArray a = DrawSmall(s[1], dtype, sweep.seed());
      const TypedArray b = DrawSmall(s[2], dtype, sweep.seed());
      Array want(reference::BroadcastShape(reference::BroadcastShape(s[0], s[1]), s[2]));
      ForEach(want.shape, [&](const Shape& at) {
        want[at] = Broadcast(c.array, at) != 0 ? Broadcast(a.array, at) : Broadcast(b.array, at);
      });
      sweep.Expect({c, a, b}, {}, {{want, dtype, {}}});
    }
  }
}

// A spelling of where: selects the number where the mask is true.
void SweepMaskedFill(OpSweep& sweep) {
  for (size_t i = 0; i < AllDTypes().size(); ++i) {
    const TypedArray x = DrawSmall(Cycle(SweepShapes(), i), AllDTypes()[i], sweep.seed());
    const bool real = FormatOf(x.dtype).is_float();
    const TypedArray mask = DrawSmall(x.array.shape, "bool", sweep.seed());
    Array want = x.array;
    for (size_t n = 0; n < want.data.size(); ++n) {
      if (mask.array.data[n] != 0) want.data[n] = real ? -1.5 : 1;
    }
    sweep.ExpectProgram(real ? "R.masked_fill(x0, x1, -1.5)" : "R.masked_fill(x0, x1, 1)",
                        {x, mask}, {{want, x.dtype, {}}});
  }
}

void SweepFma(OpSweep& sweep) {
  for (size_t i = 0; i < SweepShapes().size(); ++i) {
    const Shape& shape = SweepShapes()[i];
    const std::string& real = Cycle(testing::FloatDTypes(), i);
    const TypedArray a = DrawWide(shape, real, sweep.seed()),
                     b = DrawWide(shape, real, sweep.seed()),
                     c = DrawWide(shape, real, sweep.seed());
    TypedArray want = a;
    for (size_t n = 0; n < want.array.data.size(); ++n) {
      const double product = double(Rounded(a.array.data[n] * b.array.data[n], real));
      want.array.data[n] = product + c.array.data[n];
    }
    sweep.Expect({a, b, c}, {}, {want});
    const std::string& whole = Cycle(testing::WholeDTypes(), i);
    const TypedArray x = DrawWide(shape, whole, sweep.seed()),
                     y = DrawSmall(shape, whole, sweep.seed()),
                     z = DrawWide(shape, whole, sweep.seed());
    std::vector<Wide> sum;
    for (size_t n = 0; n < want.array.data.size(); ++n) {
      sum.push_back(WideAt(x, n) * WideAt(y, n) + WideAt(z, n));
    }
    sweep.Expect({x, y, z}, {}, {OfWide(shape, whole, sum)});
  }
}

}  // namespace

std::vector<testing::SweptOperator> ChoiceSweeps() {
  return {{"astype",
           [](OpSweep& sweep) {
             SweepPairs(sweep);
             SweepCast(sweep);
           }},
          {"clip", SweepClip},
          {"ewise_fma", SweepFma},
          {"where",
           [](OpSweep& sweep) {
             SweepWhere(sweep);
             SweepMaskedFill(sweep);
           }},
          {"wrap_param", SweepCast}};
}

}  // namespace lathe::ops

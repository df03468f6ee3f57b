#include "generator/transform/quantize/product_numbers.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace lathe::transform {

using ir::DType;

namespace {

// The initial int32 sum of each column and the bound of its sums; nullopt when they overflow.
struct ColumnStarts {
  std::vector<int64_t> bias;
  std::vector<int64_t> bounds;
  std::vector<double> off;  // error of rounding the real bias to units of the sums
};
std::optional<ColumnStarts> StartsOf(const IntegerProduct& p) {
  const int bits = p.x.affine.dtype.bits;
  const int64_t largest =
      p.x.affine.dtype.is_int() ? int64_t{1} << (bits - 1) : (int64_t{1} << bits) - 1;
  ColumnStarts starts;
  for (int64_t c = 0; c < p.columns; ++c) {
    const auto at = static_cast<size_t>(c);
    int64_t sum = 0, magnitude = 0;
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t w = p.weights[at * static_cast<size_t>(p.depth) + static_cast<size_t>(k)];
      sum += w;
      magnitude += std::abs(w);
    }
    double real = p.bias.empty() ? 0 : p.bias[at];
    if (!p.epilogue) real /= p.x.affine.scale * p.scales[at];
    if (!(std::abs(real) < std::ldexp(1, 31))) return std::nullopt;
    const int64_t bias = static_cast<int64_t>(std::nearbyint(real)) - p.x.affine.zero * sum;
    const int64_t bound = std::abs(bias) + magnitude * largest;
    if (bound > std::numeric_limits<int32_t>::max()) return std::nullopt;
    starts.bias.push_back(bias + p.moved * sum);  // within the bound too
    starts.bounds.push_back(bound);
    starts.off.push_back(std::abs(real - std::nearbyint(real)));
  }
  return starts;
}

// True when adding the bias to the integer sums is accurate enough: the rounding error is far below
// a unit of a quantized result, or nearly zero for a real one.
bool MayHoldBias(const ColumnStarts& starts, const std::vector<double>& factors,
                 const RequiredResult& wanted) {
  // A bias that was quantized in these units was converted to float32, so it is not exactly an
  // integer.
  constexpr double kNothing = 1e-2, kLittle = 1.0 / 16;
  for (size_t c = 0; c < factors.size(); ++c) {
    const bool fine = wanted.affine ? starts.off[c] * factors[c] <= kLittle * wanted.affine->scale
                                    : starts.off[c] <= kNothing;
    if (!fine) return false;
  }
  return true;
}

}  // namespace

DType WeightDType(const std::vector<int32_t>& weights) {
  int bits = 8;
  for (int32_t w : weights) {
    while (bits < 32 && (w < -(int64_t{1} << (bits - 1)) || w >= int64_t{1} << (bits - 1))) {
      bits *= 2;
    }
  }
  return DType::Int(bits);
}

std::optional<ProductNumbers> NumbersOf(const IntegerProduct& p, const RealOperator& op,
                                        const RequiredResult& wanted) {
  auto starts = StartsOf(p);
  if (!starts) return std::nullopt;
  if (p.epilogue) {
    return ProductNumbers{WeightDType(p.weights), std::move(starts->bias), *p.epilogue};
  }
  std::vector<double> factors;
  for (double scale : p.scales) factors.push_back(scale * p.x.affine.scale);
  if (!MayHoldBias(*starts, factors, wanted)) return std::nullopt;
  auto epilogue = IntegerEpilogue::Make(std::move(factors), starts->bounds, op, wanted);
  if (!epilogue) return std::nullopt;
  return ProductNumbers{WeightDType(p.weights), std::move(starts->bias), *std::move(epilogue)};
}

}  // namespace lathe::transform

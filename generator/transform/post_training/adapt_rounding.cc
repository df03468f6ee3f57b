#include "generator/transform/post_training/adapt_rounding.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "generator/transform/post_training/constant_values.h"

namespace lathe::transform {
namespace {

// A symmetric or triangular matrix, of which the pairs (i, j) with j <= i are used.
class Triangle {
 public:
  explicit Triangle(size_t size) : size_(size), values_(size * (size + 1) / 2) {}

  size_t size() const { return size_; }
  double& at(size_t i, size_t j) { return values_[i * (i + 1) / 2 + j]; }
  double* row(size_t i) { return values_.data() + i * (i + 1) / 2; }
  std::vector<double>& values() { return values_; }

 private:
  size_t size_;
  std::vector<double> values_;
};

// Factors a positive definite matrix as L * L^T; false if it is singular.
bool Factor(Triangle& m) {
  for (size_t i = 0; i < m.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = m.at(i, j);
      const double *a = m.row(i), *b = m.row(j);
      for (size_t k = 0; k < j; ++k) sum -= a[k] * b[k];
      if (i != j) {
        m.at(i, j) = sum / m.at(j, j);
      } else if (sum > 0) {
        m.at(i, i) = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  return true;
}

// The inverse of a lower triangular matrix.
Triangle Inverted(Triangle& l) {
  Triangle out(l.size());
  for (size_t j = 0; j < l.size(); ++j) {
    out.at(j, j) = 1 / l.at(j, j);
    for (size_t i = j + 1; i < l.size(); ++i) {
      double sum = 0;
      for (size_t k = j; k < i; ++k) sum += l.at(i, k) * out.at(k, j);
      out.at(i, j) = -sum / l.at(i, i);
    }
  }
  return out;
}

// The moments with their elements in reverse order. If they factor as L * L^T, the inverse of L
// holds the compensation: row i has the weights of the elements after the one that it stands for.
std::optional<Triangle> CompensationOf(const GroupMoments& moments, int64_t rows) {
  const size_t size = moments.sums.size();
  Triangle reversed(size);
  double trace = 0;
  for (size_t i = 0; i < size; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      const double value = moments.squares[i * (i + 1) / 2 + j] / static_cast<double>(rows);
      reversed.at(size - 1 - j, size - 1 - i) = value;
      if (i == j) trace += value;
    }
  }
  if (trace <= 0) return std::nullopt;
  // Keeps inputs that are always 0, or equal, from making the matrix singular.
  constexpr double kDamping = 0.01;
  for (size_t i = 0; i < size; ++i) {
    reversed.at(i, i) += kDamping * trace / static_cast<double>(size);
  }
  if (!Factor(reversed)) return std::nullopt;
  return Inverted(reversed);
}

}  // namespace

void AdaptRounding(const ir::Constant& weights, const InputMoments& moments,
                   QuantizedWeights& quantized) {
  const ProductView& view = moments.view();
  const std::vector<float> values = FloatsOf(weights);
  const auto depth = static_cast<size_t>(view.depth());
  for (int64_t g = 0; g < view.groups(); ++g) {
    const GroupMoments& group = moments.groups()[static_cast<size_t>(g)];
    if (group.squares.empty() || moments.rows() == 0) return;
    auto inverse = CompensationOf(group, moments.rows());
    if (!inverse) continue;
    for (int64_t c = 0; c < view.columns_of_group(); ++c) {
      const int64_t column = g * view.columns_of_group() + c;
      std::vector<double> left(depth);
      for (size_t k = 0; k < depth; ++k) {
        left[k] = static_cast<double>(values[view.WeightAt(column, static_cast<int64_t>(k))]);
      }
      for (size_t k = 0; k < depth; ++k) {
        const size_t place = view.WeightAt(column, static_cast<int64_t>(k));
        const double scale = quantized.ScaleAt(place);
        const double q = RoundToBits(left[k], scale, quantized.bits);
        quantized.integers[place] = static_cast<int64_t>(q);
        const size_t at = depth - 1 - k;  // in the reversed order
        const double* row = inverse->row(at);
        const double error = (left[k] - q * scale) / row[at];
        for (size_t j = 0; j < at; ++j) left[depth - 1 - j] -= error * row[j];
      }
    }
  }
}

std::vector<double> MeanErrors(const ir::Constant& weights, const InputMoments& moments,
                               const QuantizedWeights& quantized) {
  const ProductView& view = moments.view();
  const std::vector<float> values = FloatsOf(weights);
  std::vector<double> errors;
  for (int64_t column = 0; column < view.columns(); ++column) {
    const auto group = static_cast<size_t>(column / view.columns_of_group());
    const std::vector<double>& sums = moments.groups()[group].sums;
    double error = 0;
    for (int64_t k = 0; k < view.depth(); ++k) {
      const size_t at = view.WeightAt(column, k);
      const double off = quantized.ValueAt(at) - static_cast<double>(values[at]);
      error += off * sums[static_cast<size_t>(k)];
    }
    errors.push_back(moments.rows() == 0 ? 0 : error / static_cast<double>(moments.rows()));
  }
  return errors;
}

}  // namespace lathe::transform

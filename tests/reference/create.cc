#include "tests/reference/create.h"

#include <cmath>

namespace lathe::reference {

Array Arange(double start, double end, double step) {
  Array out({0});
  for (int64_t n = 0;; ++n) {
    const double number = start + static_cast<double>(n) * step;
    if (step > 0 ? number >= end : number <= end) return out;
    out.data.push_back(number);
    ++out.shape[0];
  }
}

Array Eye(int64_t rows, int64_t columns, int64_t k) {
  Array out({rows, columns});
  for (int64_t i = 0; i < rows; ++i) {
    if (i + k >= 0 && i + k < columns) out[{i, i + k}] = 1;
  }
  return out;
}

Array HammingWindow(int64_t size, bool periodic, double alpha, double beta) {
  Array out({size});
  const double turn = 2 * std::acos(-1.0) / static_cast<double>(periodic ? size : size - 1);
  for (int64_t n = 0; n < size; ++n) {
    out[{n}] = alpha - beta * (n == 0 ? 1 : std::cos(turn * static_cast<double>(n)));
  }
  if (size == 1) out[{0}] = 1;
  return out;
}

namespace {

Array Triangle(const Array& x, int64_t k, bool upper) {
  Array out = x;
  ForEach(x.shape, [&](const Shape& at) {
    const int64_t diagonal = at[at.size() - 1] - at[at.size() - 2];
    if (upper ? diagonal < k : diagonal > k) out[at] = 0;
  });
  return out;
}

}  // namespace

Array Tril(const Array& x, int64_t k) { return Triangle(x, k, false); }
Array Triu(const Array& x, int64_t k) { return Triangle(x, k, true); }

}  // namespace lathe::reference

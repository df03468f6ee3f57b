#include "tests/reference/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lathe::reference {

Array Attention(const Array& q, const Array& k, const Array& v, const Array& bias, double scale,
                const Sees& sees) {
  Array out({q.shape[0], q.shape[1], q.shape[2], v.shape[3]});
  ForEach({q.shape[0], q.shape[1], q.shape[2]}, [&](const Shape& at) {
    const int64_t batch = at[0], query = at[1], head = at[2];
    const int64_t key_head = head / (q.shape[2] / k.shape[2]);
    const int64_t value_head = head / (q.shape[2] / v.shape[2]);
    std::vector<int64_t> seen;
    std::vector<double> scores;
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t key = 0; key < k.shape[1]; ++key) {
      if (!sees(query, key)) continue;
      double dot = 0;
      for (int64_t d = 0; d < q.shape[3]; ++d) {
        dot += q[{batch, query, head, d}] * k[{batch, key, key_head, d}];
      }
      seen.push_back(key);
      scores.push_back(dot * scale + Broadcast(bias, {batch, head, query, key}));
      largest = std::max(largest, scores.back());
    }
    double sum = 0;
    for (double score : scores) sum += std::exp(score - largest);
    for (int64_t d = 0; d < v.shape[3]; ++d) {
      double mixed = 0;
      for (size_t n = 0; n < seen.size(); ++n) {
        mixed += std::exp(scores[n] - largest) * v[{batch, seen[n], value_head, d}];
      }
      out[{batch, query, head, d}] = mixed / sum;
    }
  });
  return out;
}

}  // namespace lathe::reference

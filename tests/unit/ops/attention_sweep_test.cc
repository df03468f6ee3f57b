// Attention over dtypes, shapes, shared heads, biases, masks and windows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/attention.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"
#include "tests/unit/ops/float_dtypes.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Sees;
using reference::Shape;
using testing::ExpectOp;
using testing::RandomArray;
using testing::TypedArray;

struct AttentionSizes {
  int64_t batch, queries, keys, head, value;
};
const AttentionSizes kAttentionSizes[] = {{2, 3, 5, 4, 2}, {1, 4, 4, 3, 3}, {1, 1, 6, 2, 5},
                                          {1, 3, 3, 1, 1}, {0, 2, 3, 2, 2}, {1, 0, 3, 2, 2},
                                          {1, 2, 4, 2, 0}, {1, 4, 2, 2, 3}, {1, 2, 0, 2, 2}};
struct Heads {
  int64_t query, key, value;
};
const Heads kHeads[] = {{1, 1, 1}, {4, 4, 4}, {4, 2, 2}, {4, 1, 2}};
const double kAttentionScales[] = {0, 0.125, 1.0};  // 0: not given
const char* const kMasks[] = {"", "TopLeft", "BottomRight"};
const int64_t kWindows[] = {0, 1, 2};  // 0: not given
constexpr double kAttentionRoundings = 8;

double ScaleOr(double scale, int64_t head) {
  return scale > 0 ? scale : 1 / std::sqrt(static_cast<double>(head));
}

// A window of w lets a query see the w keys up to its own place.
bool SeesKey(const std::string& mask, int64_t window, int64_t queries, int64_t keys, int64_t query,
             int64_t key) {
  const int64_t place = mask == "BottomRight" ? query + keys - queries : query;
  return (mask.empty() || key <= place) && (window == 0 || key > place - window);
}

ir::AttrMap Attrs(double scale, const std::string& mask, int64_t window) {
  ir::AttrMap attrs;
  if (scale > 0) attrs["scale"] = scale;
  if (!mask.empty()) attrs["causal_mask"] = mask;
  if (window > 0) attrs["window_size"] = window;
  return attrs;
}

TEST(AttentionSweep, WithAndWithoutBias) {
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kFloats), std::size(kAttentionSizes),
                                             std::size(kHeads), std::size(kAttentionScales),
                                             std::size(kMasks), std::size(kWindows), 2, 2, 2, 2})) {
    const char* dtype = kFloats[pick[0]];
    const AttentionSizes& s = kAttentionSizes[pick[1]];
    const Heads& h = kHeads[pick[2]];
    const std::string mask = kMasks[pick[4]];
    // A window without a mask would let a query see what comes after it, too.
    const int64_t window = mask.empty() ? 0 : kWindows[pick[5]];
    const Sees sees = [&](int64_t i, int64_t j) {
      return SeesKey(mask, window, s.queries, s.keys, i, j);
    };
    const TypedArray q = RandomArray({s.batch, s.queries, h.query, s.head}, dtype, seed++),
                     k = RandomArray({s.batch, s.keys, h.key, s.head}, dtype, seed++),
                     v = RandomArray({s.batch, s.keys, h.value, s.value}, dtype, seed++);
    const auto either = [&](size_t which, int64_t length) { return pick[which] == 0 ? length : 1; };
    TypedArray bias = RandomArray(
        {either(6, s.batch), either(7, h.query), either(8, s.queries), s.keys}, dtype, seed++);
    // A mask of the program's own.
    for (size_t i = 0; pick[9] == 1 && i < bias.array.data.size(); i += 3) {
      bias.array.data[i] = -std::numeric_limits<double>::infinity();
    }
    const double scale = ScaleOr(kAttentionScales[pick[3]], s.head);
    const ir::AttrMap attrs = Attrs(kAttentionScales[pick[3]], mask, window);
    const Array none({1, 1, 1, 1});
    ExpectOp("nn.attention", {q, k, v}, attrs,
             {{Attention(q.array, k.array, v.array, none, scale, sees), dtype}},
             kAttentionRoundings);
    ExpectOp("nn.attention_bias", {q, k, v, bias}, attrs,
             {{Attention(q.array, k.array, v.array, bias.array, scale, sees), dtype}},
             kAttentionRoundings);
  }
}

// Sequences one after the other, of which a query sees only its own.
TEST(AttentionSweep, VarLen) {
  struct Starts {
    std::vector<double> queries, keys;
  };
  const Starts kStarts[] = {{{0, 2, 5}, {0, 4, 7}},
                            {{0, 3}, {0, 3}},
                            {{0, 1, 2, 6}, {0, 2, 3, 8}},
                            {{0, 2, 2, 4}, {0, 3, 4, 6}},  // one without a query
                            {{0, 2, 4}, {0, 3, 3}}};       // one without a key
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kFloats), std::size(kStarts), 2, std::size(kAttentionScales),
                          std::size(kMasks), std::size(kWindows)})) {
    const char* dtype = kFloats[pick[0]];
    const Starts& starts = kStarts[pick[1]];
    const int64_t heads = pick[2] == 0 ? 2 : 4;
    const std::string mask = kMasks[pick[4]];
    const int64_t window = mask.empty() ? 0 : kWindows[pick[5]];
    const int64_t queries = static_cast<int64_t>(starts.queries.back()),
                  keys = static_cast<int64_t>(starts.keys.back());
    const Sees sees = [&](int64_t i, int64_t j) {
      for (size_t n = 0; n + 1 < starts.queries.size(); ++n) {
        const int64_t q = i - static_cast<int64_t>(starts.queries[n]);
        const int64_t k = j - static_cast<int64_t>(starts.keys[n]);
        const int64_t own_queries = static_cast<int64_t>(starts.queries[n + 1]) - i + q;
        const int64_t own_keys = static_cast<int64_t>(starts.keys[n + 1]) - j + k;
        if (q < 0 || q >= own_queries || k < 0 || k >= own_keys) continue;
        return SeesKey(mask, window, own_queries, own_keys, q, k);
      }
      return false;
    };
    const TypedArray q = RandomArray({1, queries, heads, 3}, dtype, seed++),
                     k = RandomArray({1, keys, 2, 3}, dtype, seed++),
                     v = RandomArray({1, keys, 2, 2}, dtype, seed++);
    const auto at = [](const std::vector<double>& places) {
      return TypedArray{Array({static_cast<int64_t>(places.size())}, places), "int32"};
    };
    const auto longest = [](const std::vector<double>& places) {
      double most = 0;
      for (size_t n = 0; n + 1 < places.size(); ++n) {
        most = std::max(most, places[n + 1] - places[n]);
      }
      return TypedArray{Array({}, most), "int32"};
    };
    const double scale = ScaleOr(kAttentionScales[pick[3]], 3);
    ExpectOp("nn.attention_var_len",
             {q, k, v, at(starts.queries), at(starts.keys), longest(starts.queries),
              longest(starts.keys)},
             Attrs(kAttentionScales[pick[3]], mask, window),
             {{Attention(q.array, k.array, v.array, Array({1, 1, 1, 1}), scale, sees), dtype}},
             kAttentionRoundings);
  }
}

}  // namespace
}  // namespace lathe::ops

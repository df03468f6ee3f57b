#include "generator/schedule/cuda/attention_shape.h"

#include <algorithm>

#include "generator/support/check.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {
namespace {

using ir::AttentionShape;

// The largest shape comes first.
constexpr AttentionShape kCoreAttentionShapes[] = {
    {64, 16, 64}, {64, 16, 32}, {32, 16, 32}, {16, 16, 64}, {16, 16, 32}};
constexpr AttentionShape kThreadAttentionShapes[] = {
    {64, 0, 32}, {32, 0, 32}, {32, 0, 16}, {16, 0, 32}, {16, 0, 16}};
// The limit of sums of a row in a thread: beyond it, larger shapes would spill registers.
constexpr int64_t kMaxAttentionSums = 64;

int64_t RoundedUp(int64_t count, int64_t to) { return (count + to - 1) / to * to; }

// The layout of the tiles in lathe/cuda_attention.h and lathe/cuda_mma_attention.h.
int64_t SharedBytes(const AttentionShape& s, int64_t depth, int64_t columns) {
  if (s.warp_rows > 0) {
    const int64_t width = columns > 32 ? RoundedUp(columns, 64) : columns > 16 ? 32 : 16;
    return (s.rows + s.keys) * RoundedUp(depth, 32) * 2 + s.keys * width * 2;
  }
  const int64_t stride = RoundedUp(depth, 8) + 4;
  const int64_t wide = columns >= 64 ? 4 : columns > 16 ? 2 : 1;
  const int64_t width = RoundedUp(columns, 16 * wide);
  return 4 * (s.rows * stride + s.keys * std::max(stride, width) + s.rows * (s.keys + 4));
}

bool StaysInRegisters(const AttentionShape& s, int64_t columns) {
  return s.warp_rows > 0 || s.rows / 8 * RoundedUp(columns, 16) / 16 <= kMaxAttentionSums;
}

template <size_t kCount>
AttentionShape First(const AttentionShape (&shapes)[kCount], int64_t depth, int64_t columns,
                     int64_t rows) {
  const AttentionShape* found = nullptr;
  for (const AttentionShape& s : shapes) {
    if (SharedBytes(s, depth, columns) > kStaticSharedBytes || !StaysInRegisters(s, columns))
      continue;
    // A tile is not chosen if half of its rows would stay empty.
    if (found == nullptr || (rows <= found->rows / 2 && s.rows < found->rows)) found = &s;
  }
  LATHE_CHECK(found != nullptr, "no tile for heads of this size");
  return *found;
}

}  // namespace

AttentionShape AttentionShapeFor(bool cores, int64_t depth, int64_t columns,
                                 std::optional<int64_t> rows) {
  const int64_t most = rows.value_or(kStaticSharedBytes);
  return cores ? First(kCoreAttentionShapes, depth, columns, most)
               : First(kThreadAttentionShapes, depth, columns, most);
}

}  // namespace lathe::schedule

// Tests attention by threads (runtime-c/cuda_attention.h) and by tensor cores
// (cuda_mma_attention.h) against sums in double. NO_BARRIERS and NO_WAIT are as in
// tensor_products.cu. The argument selects one case.
#include <math.h>

#include "case.h"
// Before the headers whose barriers it replaces.
// clang-format off
#include "planted.h"
// clang-format on
#include "cuda_half.h"
#include "cuda_mma_attention.h"

// The layout of a factor: contiguous along its lines or its depth, or computed elements.
enum Order { kByDepth, kByLines, kOne };

template <typename T>
struct FormatOf {
  static float Wide(T element) { return element; }
  static T Narrow(float value) { return value; }
};
template <>
struct FormatOf<lathe_f16_cores> {
  static float Wide(uint16_t element) { return lathe_float_from_f16(element); }
  static uint16_t Narrow(float value) { return lathe_f16_from_float(value); }
};
template <>
struct FormatOf<lathe_bf16_cores> {
  static float Wide(uint16_t element) { return lathe_float_from_bf16(element); }
  static uint16_t Narrow(float value) { return lathe_bf16_from_float(value); }
};

template <Order kOrder, typename T>
__device__ auto FactorOf(const T* from, int stride) {
  const auto place = [=](int line, int k) {
    return kOrder == kByLines ? &from[k * stride + line] : &from[line * stride + k];
  };
  const auto value = [](T element) { return element; };
  if constexpr (kOrder == kByDepth) {
    return lathe_contiguous_along_depth<T>(place, value);
  } else if constexpr (kOrder == kByLines) {
    return lathe_contiguous_along_lines<T>(place, value);
  } else {
    return lathe_elements_along_depth([=](int line, int k) { return *place(line, k); });
  }
}

// The mask of keys: none; all after the query's own position plus `ahead`; and those more than
// `window` before that.
struct Mask {
  bool hides;
  int ahead, window;
  bool Sees(int row, int key) const {
    return !hides || (key <= row + ahead && row + ahead - window < key);
  }
};
constexpr float kLowest = -3.402823466e+38f;

template <typename Tile, typename Element>
struct Cores {
  template <typename... Args>
  static __device__ void Attend(typename Tile::shared& shared, Args... args) {
    lathe_attend_mma<Tile, int>(shared, args...);
  }
};
template <typename Tile>
struct Cores<Tile, float> {
  template <typename... Args>
  static __device__ void Attend(typename Tile::shared& shared, Args... args) {
    lathe_attend<Tile, int>(shared, args...);
  }
};

template <typename Tile, Order kQ, Order kK, Order kV, typename T>
__global__ void Attend(const T* q, const T* k, const T* v, float* out, int rows, int keys,
                       int q_stride, int k_stride, int v_stride, Mask mask) {
  __shared__ typename Tile::shared shared;
  for (int at = (int)blockIdx.x; at * Tile::rows < rows; at += (int)gridDim.x) {
    const auto score = [=](int row, int key, float sum) {
      return mask.Sees(row, key) ? sum * 0.5f : kLowest;
    };
    const auto seen = lathe_some_keys(kLowest, [=](int first, int last) -> lathe_key_range<int> {
      return {first + mask.ahead - mask.window + 1, last + mask.ahead + 1};
    });
    const auto finish = [=](int row, int column, float result) {
      out[row * Tile::columns + column] = result;
    };
    const auto by_query = FactorOf<kQ>(q, q_stride);
    const auto by_key = FactorOf<kK>(k, k_stride);
    // A line of the values is a column of the result, and keys are its depth.
    const auto by_value = FactorOf<kV>(v, v_stride);
    if (mask.hides) {
      Cores<Tile, T>::Attend(shared, at * Tile::rows, rows, keys, by_query, by_key, by_value, score,
                             seen, finish);
    } else {
      Cores<Tile, T>::Attend(shared, at * Tile::rows, rows, keys, by_query, by_key, by_value, score,
                             lathe_every_key(), finish);
    }
  }
}

float Number(int a, int b, int c) { return (float)((a * 7 + b * 13 + c * 5) % 23 - 11) / 8.0f; }

// `aligned`: lines begin at multiples of 16 bytes.
template <typename Tile, typename Format, Order kQ, Order kK, Order kV>
void Try(const char* what, int rows, int keys, Mask mask, bool aligned, float off,
         cudaStream_t stream) {
  using F = FormatOf<Format>;
  using T = decltype(F::Narrow(0.0f));
  constexpr int depth = Tile::depth, columns = Tile::columns;
  const auto stride = [&](Order order, int lines, int deep) {
    const int own = order == kByLines ? lines : deep;
    return aligned ? (own + 7) / 8 * 8 : own;
  };
  const int q_stride = stride(kQ, rows, depth), k_stride = stride(kK, keys, depth);
  const int v_stride = stride(kV, columns, keys);
  const auto fill = [&](Order order, int lines, int deep, int step, int salt) {
    std::vector<T> all((size_t)((order == kByLines ? deep : lines) * step + 1));
    for (int line = 0; line < lines; ++line) {
      for (int k = 0; k < deep; ++k) {
        all[(size_t)(order == kByLines ? k * step + line : line * step + k)] =
            F::Narrow(Number(line, k, salt));
      }
    }
    return all;
  };
  std::vector<float> wanted((size_t)(rows * columns));
  for (int r = 0; r < rows; ++r) {
    std::vector<double> scores((size_t)keys);
    double most = -INFINITY, whole = 0;
    for (int key = 0; key < keys; ++key) {
      double sum = 0;
      for (int d = 0; d < depth; ++d) sum += Number(r, d, 1) * Number(key, d, 2);
      scores[(size_t)key] = mask.Sees(r, key) ? sum * 0.5 : kLowest;
      most = fmax(most, scores[(size_t)key]);
    }
    for (double& score : scores) whole += score = exp(score - most);
    for (int c = 0; c < columns; ++c) {
      double sum = 0;
      for (int key = 0; key < keys; ++key) sum += scores[(size_t)key] * Number(c, key, 3);
      wanted[(size_t)(r * columns + c)] = (float)(sum / whole);
    }
  }
  float* const out = OnGpu(std::vector<float>(wanted.size()), stream);
  // Two blocks, so that each makes several tiles.
  Launch(Attend<Tile, kQ, kK, kV, T>, 2, (unsigned)Tile::threads, stream,
         OnGpu(fill(kQ, rows, depth, q_stride, 1), stream),
         OnGpu(fill(kK, keys, depth, k_stride, 2), stream),
         OnGpu(fill(kV, columns, keys, v_stride, 3), stream), out, rows, keys, q_stride, k_stride,
         v_stride, mask);
  const std::vector<float> got = Back(out, wanted.size(), stream);
  for (size_t i = 0; i < got.size(); ++i) {
    if (fabsf(got[i] - wanted[i]) <= off || (keys == 0 && got[i] != got[i])) continue;
    (void)printf("%s: %d queries, %d keys: row %zu, column %zu is %g instead of %g\n", what, rows,
                 keys, i / columns, i % columns, got[i], wanted[i]);
    exit(1);
  }
}

int main(int argc, char** argv) {
  Tries tries(argc, argv);
  const cudaStream_t stream = tries.stream();
  const Mask all = {false, 0, 0}, causal = {true, 0, 1 << 20}, window = {true, 5, 20};
  const Mask late = {true, -40, 1 << 20};  // the first 40 queries see nothing
#define TRY(...) TRY_IN(__VA_ARGS__)
#define TRY_IN(Q, K, V, ROWS, KEYS, MASK, ALIGNED, OFF, FORMAT, ...)                         \
  if (tries.Next()) {                                                                        \
    Try<__VA_ARGS__, FORMAT, Q, K, V>(#__VA_ARGS__, ROWS, KEYS, MASK, ALIGNED, OFF, stream); \
  }
#define THREADS(...) 1e-5f, float, lathe_attention_tile<__VA_ARGS__>
#define HALVES(...) 2e-3f, lathe_f16_cores, lathe_mma_attention_tile<lathe_f16_cores, __VA_ARGS__>
#define BRAINS(...) 2e-2f, lathe_bf16_cores, lathe_mma_attention_tile<lathe_bf16_cores, __VA_ARGS__>
  TRY(kByDepth, kByDepth, kByLines, 33, 65, all, true, THREADS(32, 32, 64, 64))
  TRY(kByDepth, kByLines, kByDepth, 7, 33, causal, false, THREADS(16, 16, 20, 40))
  TRY(kByLines, kOne, kOne, 65, 50, late, false, THREADS(64, 32, 5, 7))
  TRY(kByDepth, kByDepth, kByLines, 40, 70, window, true, THREADS(32, 16, 24, 130))
  TRY(kByDepth, kByDepth, kByLines, 70, 65, all, true, HALVES(64, 32, 64, 64, 64))
  TRY(kByDepth, kByDepth, kByLines, 33, 130, causal, true, BRAINS(32, 16, 32, 40, 80))
  TRY(kByLines, kByLines, kByDepth, 17, 66, late, true, HALVES(16, 16, 32, 24, 8))
  TRY(kOne, kByLines, kOne, 9, 33, window, false, HALVES(16, 16, 32, 16, 33))
  TRY(kByDepth, kByDepth, kByLines, 33, 70, window, true, BRAINS(32, 16, 32, 136, 72))
  TRY(kByDepth, kByDepth, kByLines, 1, 1, all, false, HALVES(16, 16, 32, 8, 16))
  TRY(kByDepth, kByDepth, kByLines, 3, 0, causal, true, HALVES(16, 16, 32, 16, 16))
  TRY(kByDepth, kByDepth, kByLines, 3, 0, causal, true, THREADS(16, 16, 16, 16))
  (void)printf("right\n");
  return 0;
}

// Tests matrix products by tensor cores (runtime-c/cuda_mma_tiles.h), of small integers, so that
// every sum is exact. NO_BARRIERS omits the barriers between writers and readers of shared memory;
// NO_WAIT omits the wait for a group of copies. The argument selects one tile.
#include "case.h"
// Before the headers whose barriers it replaces.
// clang-format off
#include "planted.h"
// clang-format on
#include "cuda_half.h"
#include "cuda_mma_tiles.h"

enum Order { kByDepth, kByLines, kOneByDepth, kOneByLines };

// A factor that is contiguous along its depth or its lines, with the given stride.
template <Order kOrder, typename T>
__device__ auto FactorOf(const T* from, int stride) {
  const auto place = [=](int line, int k) {
    return kOrder == kByDepth || kOrder == kOneByDepth ? &from[line * stride + k]
                                                       : &from[k * stride + line];
  };
  const auto at = [=](int line, int k) { return *place(line, k); };
  const auto value = [](T element) { return element; };
  if constexpr (kOrder == kByDepth) {
    return lathe_contiguous_along_depth<T>(place, value);
  } else if constexpr (kOrder == kByLines) {
    return lathe_contiguous_along_lines<T>(place, value);
  } else if constexpr (kOrder == kOneByDepth) {
    return lathe_elements_along_depth(at);
  } else {
    return lathe_elements_along_lines(at);
  }
}

template <typename Tile, Order kA, Order kB, typename T>
__global__ void Product(const T* a, const T* b, typename Tile::sum* out, int rows, int columns,
                        int depth, int a_stride, int b_stride) {
  __shared__ typename Tile::shared shared;
  const int tiles =
      ((rows + Tile::rows - 1) / Tile::rows) * ((columns + Tile::columns - 1) / Tile::columns);
  for (int at = (int)blockIdx.x; at < tiles; at += (int)gridDim.x) {
    const lathe_tile_position<int> place = lathe_tile_at<Tile>(at, rows, columns);
    const auto finish = [=](int row, int column, typename Tile::sum sum) {
      out[row * columns + column] = sum;
    };
    lathe_sum_mma_tile<Tile>(shared, place.row, place.column, rows, columns, 0, depth,
                             FactorOf<kA>(a, a_stride), FactorOf<kB>(b, b_stride), finish);
  }
}

// Of TF32 what only the nearest is.
template <typename Cores>
typename Cores::element Code(int value) {
  if (sizeof(typename Cores::element) == 1) return (typename Cores::element)value;
  if (std::is_same<Cores, lathe_tf32_cores>::value) {
    return (typename Cores::element)((float)value * (1 - 0x1p-14f));
  }
  return (typename Cores::element)(std::is_same<Cores, lathe_f16_cores>::value
                                       ? lathe_f16_from_float((float)value)
                                       : lathe_bf16_from_float((float)value));
}

// `aligned`: lines begin at multiples of 16 bytes.
template <typename Tile, Order kA, Order kB>
void Try(const char* what, int rows, int columns, int depth, bool aligned, cudaStream_t stream) {
  using Cores = typename Tile::cores;
  using T = typename Tile::element;
  using Sum = typename Tile::sum;
  const auto stride = [&](Order order, int lines) {
    const int own = order == kByDepth || order == kOneByDepth ? depth : lines;
    return aligned ? (own + 15) / 16 * 16 : own;
  };
  const int a_stride = stride(kA, rows), b_stride = stride(kB, columns);
  const auto place = [&](Order order, int line, int k, int step) {
    return (size_t)(order == kByDepth || order == kOneByDepth ? line * step + k : k * step + line);
  };
  std::vector<T> a((size_t)((rows + depth) * a_stride)), b((size_t)((columns + depth) * b_stride));
  const auto a_value = [](int line, int k) { return (line * 7 + k * 5) % 11 - 5; };
  const auto b_value = [](int line, int k) { return (line * 3 + k * 8) % 13 - 6; };
  std::vector<Sum> wanted((size_t)(rows * columns));
  for (int k = 0; k < depth; ++k) {
    for (int r = 0; r < rows; ++r) a[place(kA, r, k, a_stride)] = Code<Cores>(a_value(r, k));
    for (int c = 0; c < columns; ++c) b[place(kB, c, k, b_stride)] = Code<Cores>(b_value(c, k));
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        wanted[(size_t)(r * columns + c)] += (Sum)(a_value(r, k) * b_value(c, k));
      }
    }
  }
  Sum* const out = OnGpu(std::vector<Sum>(wanted.size()), stream);
  // Two blocks, so that each makes several tiles.
  Launch(Product<Tile, kA, kB, T>, 2, (unsigned)Tile::threads, stream, OnGpu(a, stream),
         OnGpu(b, stream), out, rows, columns, depth, a_stride, b_stride);
  if (Back(out, wanted.size(), stream) == wanted) return;
  (void)printf("%s: %d x %d, %d deep: wrong\n", what, rows, columns, depth);
  exit(1);
}

int main(int argc, char** argv) {
  Tries tries(argc, argv);
  const cudaStream_t stream = tries.stream();
#define TRY(A, B, ROWS, COLUMNS, DEPTH, ALIGNED, ...)                                            \
  if (tries.Next()) {                                                                            \
    Try<lathe_mma_tile<__VA_ARGS__>, A, B>(#__VA_ARGS__, ROWS, COLUMNS, DEPTH, ALIGNED, stream); \
  }
  TRY(kByDepth, kByLines, 70, 66, 130, true, lathe_f16_cores, 64, 64, 32, 32)
  TRY(kByDepth, kByDepth, 33, 65, 100, true, lathe_bf16_cores, 32, 64, 32, 32)
  TRY(kByLines, kByLines, 17, 130, 129, true, lathe_bf16_cores, 16, 64, 16, 32)
  TRY(kByLines, kByDepth, 65, 129, 97, true, lathe_f16_cores, 64, 128, 32, 64)
  TRY(kByDepth, kByDepth, 129, 70, 200, true, lathe_s8_cores, 128, 64, 64, 32)
  TRY(kByDepth, kByLines, 65, 33, 150, true, lathe_s8_cores, 64, 32, 32, 16)
  TRY(kByDepth, kByLines, 129, 127, 65, true, lathe_f16_cores, 128, 128, 64, 32)
  TRY(kByDepth, kByLines, 7, 9, 33, false, lathe_f16_cores, 32, 64, 32, 32)
  TRY(kOneByDepth, kOneByLines, 40, 41, 70, false, lathe_f16_cores, 64, 64, 32, 32)
  TRY(kOneByLines, kOneByDepth, 20, 31, 65, false, lathe_s8_cores, 32, 64, 32, 32)
  TRY(kByLines, kByDepth, 1, 127, 1, false, lathe_f16_cores, 16, 64, 16, 32)
  TRY(kByDepth, kByDepth, 127, 1, 0, true, lathe_s8_cores, 64, 64, 32, 32)
  TRY(kByDepth, kByLines, 70, 66, 43, true, lathe_tf32_cores, 64, 64, 32, 32)
  TRY(kByLines, kByDepth, 33, 17, 50, true, lathe_tf32_cores, 32, 16, 16, 16)
  TRY(kByLines, kOneByDepth, 31, 40, 35, false, lathe_tf32_cores, 32, 64, 32, 32)
  TRY(kOneByLines, kByDepth, 20, 31, 33, false, lathe_tf32_cores, 32, 32, 16, 16)
  (void)printf("right\n");
  return 0;
}

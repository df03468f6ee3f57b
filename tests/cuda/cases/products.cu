// Tests matrix products by each kind of tile (runtime-c/cuda_tiles.h), of small integers, so that
// every sum is exact. NO_BARRIERS omits the barriers between writers and readers of shared memory.
// The argument selects one tile.
#include "case.h"
// Before the headers whose barriers it replaces.
// clang-format off
#include "planted.h"
// clang-format on
#include "cuda_tiles.h"

enum Order { kByDepth, kByLines, kOneByDepth, kOneByLines };

// A factor that is contiguous along its depth or its lines, with `line` lines of `depth` elements.
template <Order kOrder, typename T>
__device__ auto FactorOf(const T* from, int lines, int depth) {
  const auto place = [=](int line, int k) {
    return kOrder == kByDepth || kOrder == kOneByDepth ? &from[line * depth + k]
                                                       : &from[k * lines + line];
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
                        int depth) {
  __shared__ typename Tile::shared shared;
  const int tiles =
      ((rows + Tile::rows - 1) / Tile::rows) * ((columns + Tile::columns - 1) / Tile::columns);
  for (int at = (int)blockIdx.x; at < tiles; at += (int)gridDim.x) {
    const lathe_tile_position<int> place = lathe_tile_at<Tile>(at, rows, columns);
    const auto finish = [=](int row, int column, typename Tile::sum sum) {
      out[row * columns + column] = sum;
    };
    lathe_sum_tile<Tile>(shared, place.row, place.column, rows, columns, 0, depth,
                         FactorOf<kA>(a, rows, depth), FactorOf<kB>(b, columns, depth), finish);
  }
}

template <typename Tile, Order kA, Order kB, typename T>
void Try(const char* what, int rows, int columns, int depth, cudaStream_t stream) {
  std::vector<T> a((size_t)(rows * depth)), b((size_t)(columns * depth));
  const bool a_by_depth = kA == kByDepth || kA == kOneByDepth;
  const bool b_by_depth = kB == kByDepth || kB == kOneByDepth;
  const auto a_at = [&](int row, int k) {
    return (size_t)(a_by_depth ? row * depth + k : k * rows + row);
  };
  const auto b_at = [&](int column, int k) {
    return (size_t)(b_by_depth ? column * depth + k : k * columns + column);
  };
  for (size_t i = 0; i < a.size(); ++i) a[i] = (T)((int)(i * 7 % 11) - 5);
  for (size_t i = 0; i < b.size(); ++i) b[i] = (T)((int)(i * 5 % 13) - 6);
  using Sum = typename Tile::sum;
  std::vector<Sum> wanted((size_t)(rows * columns));
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      for (int k = 0; k < depth; ++k) {
        wanted[(size_t)(r * columns + c)] += (Sum)a[a_at(r, k)] * (Sum)b[b_at(c, k)];
      }
    }
  }
  Sum* const out = OnGpu(std::vector<Sum>(wanted.size()), stream);
  // Two blocks, so that each makes several tiles.
  Launch(Product<Tile, kA, kB, T>, 2, (unsigned)Tile::threads, stream, OnGpu(a, stream),
         OnGpu(b, stream), out, rows, columns, depth);
  if (Back(out, wanted.size(), stream) == wanted) return;
  (void)printf("%s: %d x %d, %d deep: wrong\n", what, rows, columns, depth);
  exit(1);
}

int main(int argc, char** argv) {
  Tries tries(argc, argv);
  const cudaStream_t stream = tries.stream();
#define TRY(T, A, B, ROWS, COLUMNS, DEPTH, ...)                                        \
  if (tries.Next()) {                                                                  \
    Try<lathe_tile<__VA_ARGS__>, A, B, T>(#__VA_ARGS__, ROWS, COLUMNS, DEPTH, stream); \
  }
  TRY(float, kByDepth, kByLines, 33, 35, 17, float, 32, 32, 16, 4, 4)
  TRY(float, kByLines, kByDepth, 1, 64, 1, float, 32, 64, 16, 4, 4)
  TRY(int8_t, kByDepth, kByDepth, 65, 7, 32, uint32_t, 64, 32, 16, 8, 4)
  TRY(uint16_t, kByLines, kByLines, 40, 129, 16, uint32_t, 32, 128, 16, 4, 8)
  TRY(float, kOneByDepth, kOneByLines, 127, 8, 5, float, 128, 32, 16, 8, 4)
  TRY(double, kByDepth, kByLines, 63, 66, 18, double, 64, 64, 16, 4, 4)
  TRY(float, kByDepth, kOneByDepth, 68, 100, 20, float, 64, 128, 16, 4, 8)
  TRY(float, kByLines, kByLines, 132, 60, 3, float, 128, 64, 16, 8, 4)
  TRY(float, kByDepth, kByLines, 129, 132, 20, float, 128, 128, 8, 8, 8)
  TRY(int8_t, kByLines, kByDepth, 7, 9, 0, uint32_t, 128, 128, 8, 8, 8)
  (void)printf("right\n");
  return 0;
}

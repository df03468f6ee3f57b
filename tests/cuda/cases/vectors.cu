// Tests products of a matrix and few vectors (runtime-c/cuda_vectors.h), of small integers, so that
// every sum is exact. NO_BARRIERS omits the barriers between writers and readers of sums. The
// argument selects one case.
#include "case.h"
// Before the headers whose barriers it replaces.
// clang-format off
#include "planted.h"
// clang-format on
#include "cuda_vectors.h"

// Elements that are contiguous along the depth or across lines; `lines` lines of `depth` elements.
template <bool kAlongDepth, typename T>
__device__ auto FactorOf(const T* from, int lines, int depth) {
  const auto place = [=](int line, int k) {
    return kAlongDepth ? &from[line * depth + k] : &from[k * lines + line];
  };
  const auto value = [](T element) { return element; };
  if constexpr (kAlongDepth) {
    return lathe_contiguous_along_depth<T>(place, value);
  } else {
    return lathe_contiguous_along_lines<T>(place, value);
  }
}

template <typename Shape>
constexpr bool kByDepth = false;
template <typename Sum, bool kRows, int kVectors, int kWidth, int kLines, int kTeam>
constexpr bool kByDepth<lathe_lines_by_depth<Sum, kRows, kVectors, kWidth, kLines, kTeam>> = true;

template <typename Shape, bool kVectorsAlong, typename T>
__global__ void Product(const T* a, const T* b, typename Shape::sum* out, int lines, int first,
                        int end, int depth) {
  const auto matrix = FactorOf<kByDepth<Shape>>(a, lines, depth);
  const auto vectors = FactorOf<kVectorsAlong>(b, Shape::vectors, depth);
  const auto finish = [=](int row, int column, typename Shape::sum sum) {
    out[row * (Shape::of_rows ? lines : Shape::vectors) + column] = sum;
  };
  const int groups = (lines + Shape::lines - 1) / Shape::lines;
  for (int at = (int)lathe_team<Shape::team>(); at < groups;
       at += (int)lathe_teams<Shape::team>()) {
    if constexpr (kByDepth<Shape>) {
      lathe_multiply_by_depth<Shape>(at * Shape::lines, lines, first, end, matrix, vectors, finish);
    } else {
      lathe_multiply_contiguous_lines<Shape>(at * Shape::lines, lines, first, end, matrix, vectors,
                                             finish);
    }
  }
}

template <typename Shape, bool kVectorsAlong, typename T>
void Try(const char* what, int lines, int first, int end, int depth, cudaStream_t stream) {
  const int vectors = Shape::vectors;
  std::vector<T> a((size_t)(lines * depth)), b((size_t)(vectors * depth));
  for (size_t i = 0; i < a.size(); ++i) a[i] = (T)((int)(i * 7 % 11) - 5);
  for (size_t i = 0; i < b.size(); ++i) b[i] = (T)((int)(i * 5 % 13) - 6);
  using Sum = typename Shape::sum;
  std::vector<Sum> wanted((size_t)(lines * vectors));
  for (int line = 0; line < lines; ++line) {
    for (int v = 0; v < vectors; ++v) {
      Sum& sum = wanted[(size_t)(Shape::of_rows ? v * lines + line : line * vectors + v)];
      for (int k = first; k < end; ++k) {
        sum += (Sum)a[(size_t)(kByDepth<Shape> ? line * depth + k : k * lines + line)] *
               (Sum)b[(size_t)(kVectorsAlong ? v * depth + k : k * vectors + v)];
      }
    }
  }
  Sum* const out = OnGpu(std::vector<Sum>(wanted.size()), stream);
  // Two blocks, so that each has several lines.
  Launch(Product<Shape, kVectorsAlong, T>, 2, (unsigned)Shape::threads, stream, OnGpu(a, stream),
         OnGpu(b, stream), out, lines, first, end, depth);
  if (Back(out, wanted.size(), stream) == wanted) return;
  (void)printf("%s: %d lines, %d deep: wrong\n", what, lines, depth);
  exit(1);
}

int main(int argc, char** argv) {
  Tries tries(argc, argv);
  const cudaStream_t stream = tries.stream();
#define TRY(T, ALONG, LINES, FIRST, END, DEPTH, ...)                            \
  if (tries.Next()) {                                                           \
    Try<__VA_ARGS__, ALONG, T>(#__VA_ARGS__, LINES, FIRST, END, DEPTH, stream); \
  }
  using W = float;
  TRY(W, true, 33, 0, 131, 131, lathe_contiguous_lines<float, true, 1, 4>)
  TRY(W, false, 100, 64, 129, 150, lathe_contiguous_lines<float, false, 3, 4>)
  TRY(int8_t, true, 128, 0, 40, 40, lathe_contiguous_lines<uint32_t, true, 2, 16>)
  TRY(double, true, 5, 0, 1, 1, lathe_contiguous_lines<double, true, 7, 2>)
  TRY(W, true, 7, 0, 517, 517, lathe_lines_by_depth<float, true, 2, 4, 4, 64>)
  TRY(W, false, 5, 256, 516, 516, lathe_lines_by_depth<float, false, 1, 4, 1, 256>)
  TRY(int8_t, true, 41, 0, 80, 80, lathe_lines_by_depth<uint32_t, false, 7, 16, 2, 32>)
  TRY(uint16_t, true, 40, 16, 50, 56, lathe_lines_by_depth<uint32_t, true, 3, 8, 4, 32>)
  TRY(double, false, 19, 0, 0, 3, lathe_lines_by_depth<double, true, 1, 2, 2, 32>)
  (void)printf("right\n");
  return 0;
}

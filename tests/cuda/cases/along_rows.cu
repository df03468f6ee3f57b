// Tests scans (runtime-c/cuda_scans.h) and sorts (runtime-c/cuda_sorts.h) of integers. NO_BARRIERS
// omits the barriers between writing and reading threads. The argument selects one case.
#include <algorithm>
#include <numeric>

#include "case.h"
// Before the headers whose barriers it replaces.
// clang-format off
#include "planted.h"
// clang-format on
#include "cuda_scans.h"
#include "cuda_sorts.h"

template <typename Fold, typename T, int kTeam, int kEach>
__global__ void Scan(const T* x, T* out, int rows, int length, T first) {
  for (int row = (int)lathe_team<kTeam>(); row < rows; row += (int)lathe_teams<kTeam>()) {
    const auto term = [=](int k) { return x[row * length + k]; };
    const auto put = [=](int k, T so_far) { out[row * length + k] = so_far; };
    lathe_scan_row<Fold, T, kTeam, kEach>(length, first, term, put);
  }
}

// Two blocks go through three rows.
template <typename Fold, typename T, int kTeam, int kEach>
void TryScan(int length, T first, cudaStream_t stream) {
  std::vector<T> x((size_t)(3 * length)), wanted(x.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = (T)(i * 37 % 11 + 1);
  for (size_t i = 0; i < x.size(); ++i) {
    const T before = i % (size_t)length == 0 ? first : wanted[i - 1];
    wanted[i] = std::is_same_v<Fold, lathe_fold_sum> ? (T)(before + x[i]) : (T)(before * x[i]);
  }
  T* const out = OnGpu(std::vector<T>(x.size()), stream);
  Launch(Scan<Fold, T, kTeam, kEach>, 2, kTeam > 32 ? kTeam : 64, stream, OnGpu(x, stream), out, 3,
         length, first);
  if (Back(out, x.size(), stream) == wanted) return;
  (void)printf("sums so far of %d by %d x %d: wrong\n", length, kTeam, kEach);
  exit(1);
}

template <int kThreads, int kLimit>
__global__ void Sort(const int* x, int64_t* out, int rows, int length) {
  for (int row = (int)blockIdx.x; row < rows; row += (int)gridDim.x) {
    const auto before = [=](int a, int b) { return x[row * length + a] < x[row * length + b]; };
    const auto order = [=](int p) { return &out[row * length + p]; };
    if constexpr (kLimit > 0) {
      lathe_sort_short_row<kThreads, kLimit>(length, before, order);
    } else {
      lathe_sort_row<kThreads>(length, before, order);
    }
  }
}

template <int kThreads, int kLimit>
void TrySort(int length, cudaStream_t stream) {
  std::vector<int> x((size_t)(3 * length));
  for (size_t i = 0; i < x.size(); ++i) x[i] = (int)(i * 37 % 11);  // many are equal
  std::vector<int64_t> wanted(x.size());
  for (int row = 0; row < 3; ++row) {
    const auto begin = wanted.begin() + row * length;
    std::iota(begin, begin + length, 0);
    const int* const own = x.data() + row * length;
    std::stable_sort(begin, begin + length, [&](int64_t a, int64_t b) { return own[a] < own[b]; });
  }
  int64_t* const out = OnGpu(std::vector<int64_t>(x.size()), stream);
  Launch(Sort<kThreads, kLimit>, 2, kThreads, stream, OnGpu(x, stream), out, 3, length);
  if (Back(out, x.size(), stream) == wanted) return;
  (void)printf("order of %d by %d: wrong\n", length, kThreads);
  exit(1);
}

int main(int argc, char** argv) {
  Tries tries(argc, argv);
  const cudaStream_t stream = tries.stream();
#define TRY(...)      \
  if (tries.Next()) { \
    __VA_ARGS__;      \
  }
  TRY((TryScan<lathe_fold_sum, int, 64, 1>(131, 5, stream)))
  TRY((TryScan<lathe_fold_product, uint64_t, 128, 4>(1030, 3, stream)))
  TRY((TrySort<64, 0>(129, stream)))
  TRY((TrySort<64, 700>(700, stream)))
  TRY((TrySort<128, 0>(33, stream)))
  TRY((TryScan<lathe_fold_sum, float, 32, 1>(100, 0.0f, stream)))
  TRY((TryScan<lathe_fold_sum, int8_t, 32, 4>(1, (int8_t)7, stream)))
  TRY((TrySort<64, 1>(1, stream)))
  (void)printf("right\n");
  return 0;
}

// Tests matrix products by Hopper tiles (runtime-c/cuda_wgmma_tiles.h), of small integers, so that
// every sum is exact: each order of the factors, batches, sizes around those of tiles and stages.
// FAULT omits one synchronization. The argument selects one case.
#include "case.h"
#include "cuda_half.h"
#include "cuda_hopper.h"

// One of the things that tiles need is left out.
enum Fault {
  kNone,
  kNotExpected,      // bytes that no barrier expects
  kNeverThere,       // bytes that never come
  kMultipliedEarly,  // the consumer warps do not wait for the copies
  kCopiedEarly,      // the producer warp does not wait for the consumers
  kFreedEarly,       // a stage is free before it was multiplied
  kNotBegun,         // products are added to sums that the threads may have changed
  kNotEnded,         // sums are used before they are there
  kNotFenced,
  kNoRegisters,  // warps wait for registers that are not released
  kHalfFreed,    // half of the consumer warps release the stage for all
  kNoBarrier,
  kOneEarly,  // one warp does not wait, the others do
};
static int fault = kNone;

static inline void Expect(lathe_mbarrier* barrier, int bytes) {
  lathe_arrive_expecting(barrier, fault == kNotExpected  ? 0
                                  : fault == kNeverThere ? bytes + 16
                                                         : bytes);
}
static inline void Wait(lathe_mbarrier* barrier, uint32_t parity) {
  const bool copies = threadIdx.x == 0u;
  const bool left_out = (fault == kMultipliedEarly && !copies) ||
                        (fault == kCopiedEarly && copies) ||
                        (fault == kOneEarly && threadIdx.x / 32u == 7u);
  if (!left_out) lathe_wait_for_phase(barrier, parity);
}
static inline void Free(lathe_mbarrier* barrier) {
  if (fault != kHalfFreed || threadIdx.x < 256u) lathe_arrive(barrier);
  if (fault == kHalfFreed && threadIdx.x < 256u) lathe_arrive(barrier);
}
template <typename T, int kCount>
static inline void Begin(T (&sums)[kCount]) {
  if (fault != kNotBegun) lathe_begin_products(sums);
}
template <int kLeft>
static inline void WaitForProducts() {
  if (fault != kFreedEarly) lathe_wait_for_products<kLeft>();
}
template <typename T, int kCount>
static inline void End(T (&sums)[kCount]) {
  if (fault != kNotEnded) lathe_end_products(sums);
}
static inline void AreBegun() {
  if (fault != kNotFenced) lathe_mbarriers_are_begun();
}
template <int kRegisters>
static inline void KeepRegisters() {
  if (fault != kNoRegisters) lathe_keep_registers<kRegisters>();
}
static inline void BlockBarrier() {
  if (fault != kNoBarrier) __syncthreads();
}
#define lathe_arrive_expecting Expect
#define lathe_wait_for_phase Wait
#define lathe_arrive Free
#define lathe_begin_products Begin
#define lathe_wait_for_products WaitForProducts
#define lathe_end_products End
#define lathe_mbarriers_are_begun AreBegun
#define lathe_keep_registers KeepRegisters
#define __syncthreads BlockBarrier
#include "cuda_matrix_maps.h"
#include "cuda_wgmma_tiles.h"

// The layout of a factor, and the position of its batch axis: first, or between the other axes.
enum Order { kByDepth, kByLines, kByDepthBetween };

template <Order kOrder>
__device__ auto FactorOf(const CUtensorMap& map) {
  const auto batch = [](int at, int32_t* axes) { axes[0] = at; };
  if constexpr (kOrder == kByLines) {
    return lathe_mapped_along_lines<1>(map, batch);
  } else {
    return lathe_mapped_along_depth<1>(map, batch);
  }
}

template <typename Tile, Order kA, Order kB>
__global__ void LATHE_HOPPER_BOUNDS(Tile::threads)
    Product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
            typename Tile::sum* out, int batches, int rows, int columns, int depth) {
  const auto finish_of = [=](int batch) {
    return [=](int row, int column, typename Tile::sum sum) {
      out[(batch * rows + row) * columns + column] = sum;
    };
  };
  lathe_sum_wgmma_tiles<Tile>(batches, rows, columns, depth, FactorOf<kA>(a), FactorOf<kB>(b),
                              finish_of);
}

template <typename Products>
typename Products::element Code(int value) {
  if (sizeof(typename Products::element) == 1) return (typename Products::element)value;
  return (typename Products::element)(std::is_same<Products, lathe_f16_products>::value
                                          ? lathe_f16_from_float((float)value)
                                          : lathe_bf16_from_float((float)value));
}

// A factor on the GPU, each line or step of it a multiple of 16 bytes; `value(batch, line, k)`.
template <typename Products, Order kOrder, typename Value>
lathe_matrices Factor(int batches, int lines, int depth, cudaStream_t stream, Value value) {
  using T = typename Products::element;
  const int run = (kOrder == kByLines ? lines : depth) + (int)(15 / sizeof(T));
  const int64_t step = run / (int)(16 / sizeof(T)) * (int)(16 / sizeof(T));
  const int64_t others = kOrder == kByLines ? depth : lines;
  const int64_t outer = kOrder == kByDepthBetween ? step * batches : step;
  const int64_t product = kOrder == kByDepthBetween ? step : step * others;
  std::vector<T> all((size_t)(step * others * batches), Code<Products>(3));
  for (int b = 0; b < batches; ++b) {
    for (int line = 0; line < lines; ++line) {
      for (int k = 0; k < depth; ++k) {
        const int64_t at = kOrder == kByLines ? k * outer + line : line * outer + k;
        all[(size_t)(b * product + at)] = Code<Products>(value(b, line, k));
      }
    }
  }
  return {OnGpu(all, stream),
          kOrder == kByLines ? LATHE_ALONG_LINES : LATHE_ALONG_DEPTH,
          3,
          {kOrder == kByLines ? lines : depth, others, batches, 0},
          {1, outer, product, 0}};
}

template <typename Tile, Order kA, Order kB>
void Try(const char* what, int batches, int rows, int columns, int depth, cudaStream_t stream) {
  using Products = typename Tile::products;
  using Sum = typename Tile::sum;
  const auto a_value = [](int b, int line, int k) { return (line * 7 + k * 5 + b) % 11 - 5; };
  const auto b_value = [](int b, int line, int k) { return (line * 3 + k * 8 - b) % 13 - 6; };
  const lathe_matrices a = Factor<Products, kA>(batches, rows, depth, stream, a_value);
  const lathe_matrices b = Factor<Products, kB>(batches, columns, depth, stream, b_value);
  std::vector<Sum> wanted((size_t)(batches * rows * columns));
  for (size_t i = 0; i < wanted.size(); ++i) {
    const int column = (int)i % columns, row = (int)i / columns % rows;
    const int batch = (int)i / columns / rows;
    for (int k = 0; k < depth; ++k) {
      wanted[i] += (Sum)(a_value(batch, row, k) * b_value(batch, column, k));
    }
  }
  Sum* const out = OnGpu(std::vector<Sum>(wanted.size()), stream);
  const int64_t tiles = lathe_tiles(batches, rows, Tile::rows, columns, Tile::columns);
  const auto launch = [&](const lathe_matrices& by_row) {
    return lathe_launch_wgmma<Tile>(Product<Tile, kA, kB>, by_row, b, tiles, stream, out, batches,
                                    rows, columns, depth);
  };
  Check((cudaError_t)launch(a));
  if (Back(out, wanted.size(), stream) != wanted) {
    (void)printf("%s: %d x %d x %d, %d deep: wrong\n", what, batches, rows, columns, depth);
    exit(1);
  }
  // What the accelerator cannot take is left to other kernels.
  lathe_matrices odd = a, uneven = a, none = a;
  odd.first = (const char*)a.first + 8;
  uneven.strides[1] += 1;
  none.extents[0] = 0;
  bool left = launch(odd) == LATHE_NOT_TAKEN && launch(none) == LATHE_NOT_TAKEN &&
              (a.extents[1] == 1 || launch(uneven) == LATHE_NOT_TAKEN);
  lathe_emulation::gpu_version = 100;
  left = left && launch(a) == LATHE_NOT_TAKEN;
  lathe_emulation::gpu_version = 90;
  if (left) return;
  (void)printf("%s: taken where it cannot be\n", what);
  exit(1);
}

int main(int argc, char** argv) {
  fault = argc == 2 ? atoi(argv[1]) : kNone;
  cudaStream_t stream = nullptr;
  Check(cudaStreamCreate(&stream));
#define TRY(A, B, BATCHES, ROWS, COLUMNS, DEPTH, ...) \
  Try<lathe_wgmma_tile<__VA_ARGS__>, A, B>(#__VA_ARGS__, BATCHES, ROWS, COLUMNS, DEPTH, stream)
  TRY(kByDepth, kByLines, 1, 260, 130, 200, lathe_f16_products, 128, 128, 3);
  TRY(kByDepth, kByDepth, 2, 130, 300, 130, lathe_bf16_products, 128, 256, 4);
  TRY(kByLines, kByLines, 1, 129, 257, 65, lathe_bf16_products, 128, 256, 3);
  TRY(kByLines, kByDepth, 3, 70, 65, 64, lathe_f16_products, 128, 64, 5);
  TRY(kByDepth, kByDepth, 1, 130, 129, 300, lathe_s8_products, 128, 128, 4);
  TRY(kByDepthBetween, kByLines, 5, 65, 72, 24, lathe_f16_products, 128, 128, 5);
  TRY(kByDepthBetween, kByDepthBetween, 2, 1, 1, 1, lathe_bf16_products, 128, 64, 3);
  (void)printf("right\n");
  return 0;
}

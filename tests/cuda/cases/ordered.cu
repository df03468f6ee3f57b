// Tests what releases, acquires and fences order: case 0 is correct, each other number is one
// fault.
#include "case.h"

__device__ static void Give(int* flag, int fault) {
  if (fault == 1) {
    lathe_store_relaxed_gpu(flag, 1);
  } else if (fault == 2) {
    lathe_store_release_cta(flag, 1);
  } else if (fault == 3) {
    *flag = 1;
  } else {
    lathe_store_release_gpu(flag, 1);
  }
}
__device__ static int Take(const int* flag, int fault) {
  if (fault == 4) return lathe_load_relaxed_gpu(flag);
  if (fault == 5) return lathe_load_acquire_cta(flag);
  return lathe_load_acquire_gpu(flag);
}

// A block leaves a row for the next one, which is there: its threads by a barrier, the next block's
// by a flag.
__global__ void Rows(int* row, int* flag, int* out, int fault) {
  __shared__ int seen;
  const unsigned t = threadIdx.x;
  if (blockIdx.x == 0u) {
    row[t] = (int)t;
    if (fault != 6) __syncthreads();
    if (t == 0u) {
      Give(flag, fault);
    }
    if (fault == 7 && t == 1u) {
      row[t] = 9;
    }
    if (fault == 8 && t == 0u) {
      row[t] = 9;
    }
    return;
  }
  if (t == 0u) {
    do {
      seen = Take(flag, fault);
    } while (seen == 0);
  }
  __syncthreads();
  out[t] = row[95u - t] + seen;
}

// The same with fences around relaxed accesses, and by the last block.
__global__ void Last(int* row, unsigned* count, int* out, int fault) {
  if (threadIdx.x != 0u) return;
  row[blockIdx.x] = (int)blockIdx.x;
  if (fault == 9) {
    __threadfence_block();
  } else if (fault != 10) {
    __threadfence();
  }
  if (atomicAdd(count, 1u) != gridDim.x - 1u) return;
  if (fault != 11) __threadfence();
  for (unsigned b = 0; b < gridDim.x; ++b) out[0] += row[b];
}

// Warps of a block hand over shared memory, there and back.
__global__ void Warps(int* out, int fault) {
  __shared__ int there[32], flags[2];
  const unsigned w = threadIdx.x / 32u, l = threadIdx.x % 32u;
  if (threadIdx.x < 2u) flags[l] = 0;
  __syncthreads();
  if (w == 0u) there[l] = (int)l;
  for (int turn = 0; turn < 2; ++turn) {
    if (w == (unsigned)turn) {
      __syncwarp();
      if (l == 0u && fault != 12) lathe_store_release_cta(&flags[turn], 1);
    } else {
      while ((fault == 13 ? lathe_load_volatile(&flags[turn])
                          : lathe_load_acquire_cta(&flags[turn])) == 0) {
      }
      there[l] += there[l] + 1;
    }
  }
  if (w == 0u) out[l] = there[l];
}

// Each adds what it read, in turn, where a lock lets it; the first one waits for either of two
// flags.
__global__ void Locked(int* out) {
  __shared__ int lock, sum, flags[2];
  if (threadIdx.x == 0u) lock = sum = flags[0] = flags[1] = 0;
  __syncthreads();
  if (threadIdx.x == 0u) {
    while (lathe_load_acquire_cta(&flags[0]) == 0 && lathe_load_acquire_cta(&flags[1]) == 0) {
    }
  } else if (threadIdx.x == 40u) {
    lathe_store_release_cta(&flags[1], 1);
  }
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence_block();
  sum += (int)threadIdx.x;
  __threadfence_block();
  (void)atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0u) out[0] = sum;
}

// No running thread can set it; only a later block would.
__global__ void Later(int* flag) {
  if (blockIdx.x == 1u) lathe_store_release_gpu(flag, 1);
  while (lathe_load_acquire_gpu(flag) == 0) {
  }
}

// An exchange that does not take place stores nothing, and tells nothing.
__global__ void NotTaken(int* row, int* flag, int* out) {
  if (blockIdx.x == 0u) {
    row[0] = 7;
    __threadfence();
    (void)atomicCAS(flag, 5, 6);
    return;
  }
  (void)atomicCAS(flag, 7, 8);
  __threadfence();
  out[0] = row[0];
}

__global__ void OfRegisters(int* out) {
  uint64_t barrier[1];
  lathe_mbarrier_begin(barrier, 1);
  out[0] = 1;
}

// A thread that tests the phase continues with other work.
__global__ void Asked(int* out, int fault) {
  __shared__ uint64_t barrier;
  __shared__ int there[32];
  if (threadIdx.x == 0u) lathe_mbarrier_begin(&barrier, 32);
  __syncthreads();
  if (threadIdx.x < 32u) {
    there[threadIdx.x] = 3;
    if (fault != 16 || threadIdx.x != 0u) lathe_arrive(&barrier);
    return;
  }
  int asked = 0;
  while (lathe_phase_has_ended(&barrier, 0u) == 0u) ++asked;
  out[threadIdx.x - 32u] = there[63u - threadIdx.x] + (asked < 0 ? 1 : 0);
}

int main(int argc, char** argv) {
  const int fault = argc == 2 ? atoi(argv[1]) : 0;
  cudaStream_t stream = nullptr;
  Check(cudaStreamCreate(&stream));
  int* const row = OnGpu(std::vector<int>(96), stream);
  int* const flag = OnGpu(std::vector<int>(1), stream);
  int* const out = OnGpu(std::vector<int>(96), stream);
  unsigned* const count = OnGpu(std::vector<unsigned>(1), stream);
  bool right = true;
  Launch(Rows, 2, 96, stream, row, flag, out, fault);
  const std::vector<int> rows = Back(out, 96, stream);
  for (int t = 0; t < 96; ++t) right = right && rows[(size_t)t] == 96 - t;
  int* const sum = OnGpu(std::vector<int>(1), stream);
  Launch(Last, 7, 3, stream, row, count, sum, fault);
  right = right && Back(sum, 1, stream)[0] == 21;
  Launch(Warps, 1, 64, stream, out, fault);
  const std::vector<int> warps = Back(out, 32, stream);
  for (int l = 0; l < 32; ++l) right = right && warps[(size_t)l] == 4 * l + 3;
  Launch(Locked, 1, 65, stream, out);
  right = right && Back(out, 1, stream)[0] == 2080;
  int* const unset = OnGpu(std::vector<int>(1), stream);
  if (fault == 14) Launch(Later, 2, 33, stream, unset);
  if (fault == 15) Launch(OfRegisters, 1, 1, stream, out);
  if (fault == 17) Launch(NotTaken, 2, 1, stream, row, unset, out);
  Launch(Asked, 1, 64, stream, out, fault);
  right = right && Back(out, 32, stream) == std::vector<int>(32, 3);
  Check(cudaStreamSynchronize(stream));
  (void)printf(right ? "right\n" : "wrong\n");
  return right ? 0 : 1;
}

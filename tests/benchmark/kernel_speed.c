/* The timing half of kernel_speed.py: runs a model, or OpenBLAS with -DBLAS, between bursts of
 * multiplications and additions in registers. Prints the best seconds, the 90th percentile of
 * run over burst, and the median peak in GFLOP/s. With FLOPS 0 the model is a softmax over rows of
 * 1024, and the ratio is that of a loop that calls expf to it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)
#if defined(__AVX__)
#define CLEAR(i) "vxorps %%xmm" #i ",%%xmm" #i ",%%xmm" #i "\n"
#else
#define CLEAR(i) "xorps %%xmm" #i ",%%xmm" #i "\n"
#endif
#if defined(__AVX512F__)
#define STEP(i) "vfmadd231ps %%zmm14,%%zmm15,%%zmm" #i "\n"
#define FLOPS_OF_STEP 32
#elif defined(__FMA__)
#define STEP(i) "vfmadd231ps %%ymm14,%%ymm15,%%ymm" #i "\n"
#define FLOPS_OF_STEP 16
#else
#define STEP(i) "addps %%xmm14,%%xmm" #i "\n mulps %%xmm14,%%xmm15\n"
#define FLOPS_OF_STEP 8
#endif

/* GFLOP/s of this core now. */
static double burst(void) {
  long steps = 3000;
  const double start = now();
  __asm__ volatile(ALL(CLEAR) CLEAR(14) CLEAR(15) "1:\n" ALL(STEP) "dec %0\n jnz 1b\n"
                   : "+r"(steps)
                   :
                   : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                     "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  return 3000.0 * 14 * FLOPS_OF_STEP / (now() - start) / 1e9;
}

static float* numbers(size_t count) {
  float* p = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64 + 64);
  for (size_t i = 0; i < count; ++i) {
    p[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  }
  return p;
}

#if defined(BLAS)
void blas_make(void);
void blas_run(void);
#define MAKE() blas_make()
#define RUN() blas_run()
#else
#include "net.h"
static net model;
static net_inputs in;
static net_outputs out;
#include "net_ports.h" /* bind(): a buffer for each port; FIRST_IN, FIRST_OUT */
static void make(void) {
  void* arena = aligned_alloc(64, (NET_ARENA_SIZE + 127u) / 64u * 64u);
  bind_ports();
  if (net_init(&model, arena, (NET_ARENA_SIZE + 127u) / 64u * 64u) != 0) {
    exit(1);
  }
}
static void run(void) {
  if (net_run(&model, &in, &out) != 0) {
    exit(1);
  }
}
#define MAKE() make()
#define RUN() run()
#endif

/* What a person writes first. */
static __attribute__((noinline)) void softmax(const float* x, float* y, size_t rows,
                                              size_t columns) {
  for (size_t r = 0; r < rows; ++r, x += columns, y += columns) {
    float most = x[0], sum = 0.0f;
    for (size_t i = 1; i < columns; ++i) {
      most = x[i] > most ? x[i] : most;
    }
    for (size_t i = 0; i < columns; ++i) {
      y[i] = expf(x[i] - most);
      sum += y[i];
    }
    for (size_t i = 0; i < columns; ++i) {
      y[i] /= sum;
    }
  }
}

int main(int argc, char** argv) {
  const int runs = argc > 1 ? atoi(argv[1]) : 60;
  double* seconds = malloc((size_t)runs * sizeof *seconds);
  double* ratios = malloc((size_t)runs * sizeof *ratios);
  double* peaks = malloc((size_t)runs * sizeof *peaks);
  MAKE();
  RUN();
  for (int i = 0; i < runs; ++i) {
    const double before = burst();
    const double start = now();
    RUN();
    seconds[i] = now() - start;
    const double after = burst();
    peaks[i] = before > after ? before : after;
    ratios[i] = FLOPS / seconds[i] / 1e9 / peaks[i];
#if !defined(BLAS)
    if (FLOPS == 0) {
      const double loop = now();
      softmax(FIRST_IN, FIRST_OUT, FIRST_LEN / 1024, 1024);
      ratios[i] = (now() - loop) / seconds[i];
    }
#endif
  }
  qsort(seconds, (size_t)runs, sizeof *seconds, by_size);
  qsort(ratios, (size_t)runs, sizeof *ratios, by_size);
  qsort(peaks, (size_t)runs, sizeof *peaks, by_size);
  printf("%.9f %.6f %.3f\n", seconds[0], ratios[runs * (FLOPS == 0 ? 5 : 9) / 10], peaks[runs / 2]);
  return 0;
}

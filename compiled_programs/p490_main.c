#define main p490_main
int main(int argc, char **argv);
/* Runs p490 once on the inputs in one file and writes its outputs to another: how
 * `lathe validate` looks at what it compiled. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "p490.h"

#define MOST_ARENA ((size_t)1 << 30)

static void *buffer(size_t bytes, int fill) {
  void *memory = malloc(bytes == 0u ? 1u : bytes);
  if (memory == NULL) {
    exit(100);
  }
  memset(memory, fill, bytes == 0u ? 1u : bytes);
  return memory;
}

static void take(FILE *file, void *to, size_t bytes) {
  if (fread(to, 1u, bytes, file) != bytes) {
    exit(101);
  }
}

static void *input(FILE *file, size_t bytes) {
  void *memory = buffer(bytes, 0);
  take(file, memory, bytes);
  return memory;
}

/* One run with an arena of that size, all of it `fill` before. */
static int attempt(const char *from, const char *to, size_t arena_size, int fill) {
  FILE *const in_file = fopen(from, "rb");
  FILE *out_file;
  uint8_t *memory;
  uint8_t *arena;
  size_t past;
  p490 m;
  p490_inputs in;
  p490_outputs out;
  int status;
  if (in_file == NULL) {
    exit(102);
  }
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  in.x0 = (float *)input(in_file, 16u);
  take(in_file, &in.x1_0, sizeof in.x1_0);
  take(in_file, &in.x1_1, sizeof in.x1_1);
  in.x2 = (float *)input(in_file, 64u);
  in.x3 = (float *)input(in_file, 4u);
  out.lv = (float *)buffer(64u, fill);
  out.lv_0 = (float *)buffer(128u, fill);
  out.lv_1 = (uint16_t *)buffer(16u, fill);
  out.lv_2 = (int64_t *)buffer(32u, fill);
  out.x3 = (float *)buffer(4u, fill);
  out.x2 = (float *)buffer(64u, fill);
  out.lv_3 = (float *)buffer(64u, fill);
  (void)fclose(in_file);
  memory = (uint8_t *)buffer(arena_size + P490_ARENA_ALIGN, fill);
  past = (size_t)((uintptr_t)memory % P490_ARENA_ALIGN);
  arena = memory + (past == 0u ? 0u : P490_ARENA_ALIGN - past);
  status = p490_init(&m, arena, arena_size);
  if (status == LATHE_OK) {
    status = p490_run(&m, &in, &out);
  }
  if (status == LATHE_OK) {
    out_file = fopen(to, "wb");
    if (out_file == NULL) {
      exit(103);
    }
    (void)fwrite(out.lv, 1u, 64u, out_file);
    (void)fwrite(out.lv_0, 1u, 128u, out_file);
    (void)fwrite(out.lv_1, 1u, 16u, out_file);
    (void)fwrite(out.lv_2, 1u, 32u, out_file);
    (void)fwrite(out.x3, 1u, 4u, out_file);
    (void)fwrite(out.x2, 1u, 64u, out_file);
    (void)fwrite(out.lv_3, 1u, 64u, out_file);
    if (fclose(out_file) != 0) {
      exit(103);
    }
  }
  free((void *)(uintptr_t)in.x0);
  free((void *)(uintptr_t)in.x2);
  free((void *)(uintptr_t)in.x3);
  free(out.lv);
  free(out.lv_0);
  free(out.lv_1);
  free(out.lv_2);
  free(out.x3);
  free(out.x2);
  free(out.lv_3);
  free(memory);
  return status;
}

/* Arguments: file of inputs, file of outputs, byte that fills memory. */
int main(int argc, char **argv) {
  size_t arena_size = P490_ARENA_SIZE;
  int status = LATHE_E_FAILED;
  if (argc != 4) {
    return 104;
  }
  for (;;) {
    status = attempt(argv[1], argv[2], arena_size, atoi(argv[3]));
    if (status != LATHE_E_ARENA_SIZE && status != LATHE_E_MEMORY) {
      break;
    }
    if (arena_size >= MOST_ARENA) {
      break;
    }
    arena_size = arena_size * 2u + 4096u;
  }
  if (status != LATHE_OK) {
    printf("%d\n", status);
  }
  return status == LATHE_OK ? 0 : 1;
}

#define main p491_main
int main(int argc, char **argv);
/* Runs p491 once on the inputs in one file and writes its outputs to another: how
 * `lathe validate` looks at what it compiled. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "p491.h"

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
  p491 m;
  p491_inputs in;
  p491_outputs out;
  int status;
  if (in_file == NULL) {
    exit(102);
  }
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  in.x0 = (double *)input(in_file, 24u);
  take(in_file, &in.x1, sizeof in.x1);
  in.x2 = (uint8_t *)input(in_file, 3u);
  in.x3 = (float *)input(in_file, 4u);
  in.x4 = (float *)input(in_file, 36u);
  take(in_file, &in.n4, sizeof in.n4);
  out.x0 = (double *)buffer(24u, fill);
  (void)fclose(in_file);
  memory = (uint8_t *)buffer(arena_size + P491_ARENA_ALIGN, fill);
  past = (size_t)((uintptr_t)memory % P491_ARENA_ALIGN);
  arena = memory + (past == 0u ? 0u : P491_ARENA_ALIGN - past);
  status = p491_init(&m, arena, arena_size);
  if (status == LATHE_OK) {
    status = p491_run(&m, &in, &out);
  }
  if (status == LATHE_OK) {
    out_file = fopen(to, "wb");
    if (out_file == NULL) {
      exit(103);
    }
    (void)fwrite(out.x0, 1u, 24u, out_file);
    if (fclose(out_file) != 0) {
      exit(103);
    }
  }
  free((void *)(uintptr_t)in.x0);
  free((void *)(uintptr_t)in.x2);
  free((void *)(uintptr_t)in.x3);
  free((void *)(uintptr_t)in.x4);
  free(out.x0);
  free(memory);
  return status;
}

/* Arguments: file of inputs, file of outputs, byte that fills memory. */
int main(int argc, char **argv) {
  size_t arena_size = P491_ARENA_SIZE;
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

/* Tests cnn_decode_weights with compressed weights: decoded_weights FILE */
#include <stdio.h>
#include <string.h>

#include "cnn.h"
#include "plain.h"

typedef struct packed {
  FILE* file;
  size_t next;        /* the offset that the next call must ask for */
  size_t left, calls; /* bytes of the run that is being read */
  int literal, byte;  /* whether its bytes are in the file */
  size_t fail_at;     /* the call that fails; 0: none */
  size_t flip;        /* one more than the offset of a byte that is decoded wrongly; 0: none */
} packed;

static union aligned_weights {
  uint8_t bytes[CNN_WEIGHTS_SIZE + CNN_WEIGHTS_ALIGN];
  double align;
} room;
static uint8_t arena[CNN_ARENA_SIZE + PLAIN_ARENA_SIZE + CNN_ARENA_ALIGN];

static void expect(int holds, const char* what) {
  if (!holds) {
    printf("not so: %s\n", what);
    (void)fflush(stdout);
    __builtin_abort();
  }
}

static int unpack(void* user, size_t offset, uint8_t* block, size_t size) {
  packed* in = (packed*)user;
  size_t i;
  expect(offset == in->next, "blocks are consecutive");
  in->next += size;
  if (++in->calls == in->fail_at) {
    return -42;
  }
  for (i = 0; i < size; ++i) {
    if (in->left == 0u) {
      const int count = fgetc(in->file);
      if (count == EOF) {
        return LATHE_E_FAILED;
      }
      in->literal = count > 127;
      in->left = (size_t)(in->literal ? count - 128 : count);
      in->byte = in->literal ? 0 : fgetc(in->file);
    }
    block[i] = (uint8_t)(in->literal ? fgetc(in->file) : in->byte);
    --in->left;
    if (in->flip == offset + i + 1u) {
      block[i] ^= 1u;
    }
  }
  return LATHE_OK;
}

static uint8_t* up(uint8_t* p, size_t align) {
  const size_t rest = (size_t)((uintptr_t)p % align);
  return rest == 0u ? p : p + (align - rest);
}

static int decode(const char* path, size_t block, packed* in) {
  int status;
  in->file = fopen(path, "rb");
  expect(in->file != NULL, "the file is there");
  status =
      cnn_decode_weights(up(room.bytes, CNN_WEIGHTS_ALIGN), CNN_WEIGHTS_SIZE, block, unpack, in);
  (void)fclose(in->file);
  return status;
}

static int all_zero(void) {
  const uint8_t* bytes = up(room.bytes, CNN_WEIGHTS_ALIGN);
  size_t i;
  for (i = 0; i < CNN_WEIGHTS_SIZE && bytes[i] == 0u; ++i) {
  }
  return i == CNN_WEIGHTS_SIZE;
}

static void compare_results(void) {
  static float image[CNN_IN_IMAGE_LEN];
  float decoded[CNN_OUT_SCORES_LEN], wanted[CNN_OUT_SCORES_LEN];
  const cnn_inputs in = {image};
  const cnn_outputs out = {decoded};
  const plain_inputs plain_in = {image};
  const plain_outputs plain_out = {wanted};
  cnn model;
  plain other;
  size_t i;
  for (i = 0; i < CNN_IN_IMAGE_LEN; ++i) {
    image[i] = (float)(i * 37u % 19u) / 8.0f;
  }
  expect(cnn_init(&model, up(arena, CNN_ARENA_ALIGN), CNN_ARENA_SIZE,
                  up(room.bytes, CNN_WEIGHTS_ALIGN), CNN_WEIGHTS_SIZE) == LATHE_OK,
         "init");
  expect(cnn_run(&model, &in, &out) == LATHE_OK, "run");
  expect(plain_init(&other, up(arena, CNN_ARENA_ALIGN), PLAIN_ARENA_SIZE) == LATHE_OK,
         "init of the other");
  expect(plain_run(&other, &plain_in, &plain_out) == LATHE_OK, "run of the other");
  expect(memcmp(decoded, wanted, sizeof wanted) == 0, "the results are equal");
}

int main(int argc, char** argv) {
  static const size_t blocks[] = {0u,      1u, 7u, 64u, CNN_WEIGHTS_SIZE - 1u, CNN_WEIGHTS_SIZE,
                                  1000000u};
  uint8_t* const at = up(room.bytes, CNN_WEIGHTS_ALIGN);
  size_t i;
  expect(argc == 2, "a file is given");
  for (i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
    packed in = {0};
    memset(room.bytes, 0xa5, sizeof room.bytes);
    expect(decode(argv[1], blocks[i], &in) == LATHE_OK, "weights are decoded");
    expect(in.next == CNN_WEIGHTS_SIZE, "all bytes are asked for");
    expect(at[CNN_WEIGHTS_SIZE] == 0xa5u, "nothing is written after the weights");
    expect(in.calls == (blocks[i] == 0u ? 1u : (CNN_WEIGHTS_SIZE + blocks[i] - 1u) / blocks[i]),
           "blocks have the size");
    compare_results();
  }
  for (i = 1; i < 4u; ++i) {
    packed in = {0};
    in.fail_at = i;
    expect(decode(argv[1], 100u, &in) == -42, "the status of the decoder is returned");
    expect(in.calls == i && all_zero(), "nothing is decoded after a failure, and zeros are left");
  }
  for (i = 1; i <= CNN_WEIGHTS_SIZE; i += 13u) {
    packed in = {0};
    in.flip = i;
    expect(decode(argv[1], 32u, &in) == LATHE_E_WEIGHTS && all_zero(),
           "a wrong bit is found, and zeros are left");
  }
  expect(cnn_decode_weights(NULL, CNN_WEIGHTS_SIZE, 0u, unpack, NULL) == LATHE_E_NULL, "no memory");
  expect(cnn_decode_weights(at, CNN_WEIGHTS_SIZE, 0u, NULL, NULL) == LATHE_E_NULL, "no decoder");
  expect(cnn_decode_weights(at + 1, CNN_WEIGHTS_SIZE, 0u, unpack, NULL) == LATHE_E_ALIGN,
         "misaligned memory");
  expect(cnn_decode_weights(at, CNN_WEIGHTS_SIZE - 1u, 0u, unpack, NULL) == LATHE_E_WEIGHTS,
         "memory that is too small");
  printf("decoded weights: passed\n");
  return 0;
}

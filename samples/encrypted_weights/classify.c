/* Classifies a drawn picture by a model whose weights are decrypted at start: classify KEY FILE */
#include <stdio.h>
#include <string.h>

#include "cnn.h"

typedef struct encrypted_file {
  FILE* file;
  uint32_t key[8];
} encrypted_file;

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32u - n); }

static void quarter(uint32_t* s, unsigned a, unsigned b, unsigned c, unsigned d) {
  s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 16u);
  s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 12u);
  s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 8u);
  s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 7u);
}

/* The block of ChaCha20's key stream with this number. */
static void stream_block(const uint32_t* key, uint32_t number, uint8_t* stream) {
  uint32_t start[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u}, s[16];
  unsigned i, round;
  memcpy(&start[4], key, 32u);
  start[12] = number;
  memcpy(s, start, sizeof s);
  for (round = 0; round < 10u; ++round) {
    for (i = 0; i < 4u; ++i) quarter(s, i, 4u + i, 8u + i, 12u + i);
    for (i = 0; i < 4u; ++i)
      quarter(s, i, 4u + (i + 1u) % 4u, 8u + (i + 2u) % 4u, 12u + (i + 3u) % 4u);
  }
  for (i = 0; i < 64u; ++i) stream[i] = (uint8_t)((s[i / 4u] + start[i / 4u]) >> 8u * (i % 4u));
}

/* Writes the decrypted bytes of the file from `offset` on to `block`. */
static int decrypt(void* user, size_t offset, uint8_t* block, size_t size) {
  encrypted_file* in = (encrypted_file*)user;
  uint8_t stream[64];
  size_t i;
  if (fread(block, 1u, size, in->file) != size) return LATHE_E_FAILED;
  for (i = 0; i < size; ++i) {
    const size_t at = offset + i;
    if (i == 0u || at % 64u == 0u) stream_block(in->key, (uint32_t)(at / 64u), stream);
    block[i] ^= stream[at % 64u];
  }
  return LATHE_OK;
}

static int read_key(const char* text, uint32_t* key) {
  unsigned i, byte;
  memset(key, 0, 32u);
  for (i = 0; i < 32u; ++i) {
    if (sscanf(&text[2u * i], "%2x", &byte) != 1) return 0;
    key[i / 4u] |= (uint32_t)byte << 8u * (i % 4u);
  }
  return 1;
}

static uint8_t weights[CNN_WEIGHTS_SIZE] __attribute__((aligned(CNN_WEIGHTS_ALIGN)));
static uint8_t arena[CNN_ARENA_SIZE] __attribute__((aligned(CNN_ARENA_ALIGN)));

int main(int argc, char** argv) {
  static float image[CNN_IN_IMAGE_LEN];
  float scores[CNN_OUT_SCORES_LEN];
  const cnn_inputs in = {image};
  const cnn_outputs out = {scores};
  encrypted_file file;
  cnn model;
  size_t i;
  int status;
  if (argc != 3 || strlen(argv[1]) != 64u || !read_key(argv[1], file.key) ||
      (file.file = fopen(argv[2], "rb")) == NULL) {
    fputs("usage: classify KEY FILE\n", stderr);
    return 2;
  }
  status = cnn_decode_weights(weights, sizeof weights, 64u, decrypt, &file);
  (void)fclose(file.file);
  if (status == LATHE_E_WEIGHTS) fputs("not the weights of this model, or another key\n", stderr);
  for (i = 0; i < CNN_IN_IMAGE_LEN; ++i) image[i] = i % 12u == i / 12u ? 1.0f : 0.0f; /* a line */
  if (status == LATHE_OK) status = cnn_init(&model, arena, sizeof arena, weights, sizeof weights);
  if (status == LATHE_OK) status = cnn_run(&model, &in, &out);
  if (status != LATHE_OK) return 1;
  printf("%.3f %.3f %.3f\n", scores[0], scores[1], scores[2]);
  return 0;
}

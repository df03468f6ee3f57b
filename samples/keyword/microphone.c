#include "microphone.h"

#define BLOCKS 160u
#define WORD 20u /* blocks of a word */

/* The first block of a word, and the pitch at its ends in Hz. A pitch of 0 is silence. */
typedef struct {
  uint32_t start;
  int32_t from, to;
} word;
static const word words[] = {{30u, 500, 3000}, {80u, 3000, 500}, {130u, 1000, 1000}};

static uint32_t block_number;
static uint32_t phase;          /* of the tone; 2^32 is a turn */
static uint32_t noise_state = 1u;

/* A sine of two parabolas. */
static int32_t sine(uint32_t turn) {
  const int32_t x = (int32_t)(turn >> 16) - 32768;
  const int32_t size = x < 0 ? -x : x;
  return (x * (32768 - size)) >> 15;
}

static int32_t noise(void) {
  noise_state = noise_state * 1664525u + 1013904223u;
  return (int32_t)(noise_state >> 27) - 16;
}

int microphone_read(int16_t *block) {
  const uint32_t words_count = (uint32_t)(sizeof words / sizeof words[0]);
  int32_t from = 0;
  int32_t to = 0;
  uint32_t first = 0u;
  uint32_t i;
  if (block_number >= BLOCKS) {
    return 0;
  }
  for (i = 0u; i < words_count; ++i) {
    if (block_number >= words[i].start && block_number < words[i].start + WORD) {
      from = words[i].from;
      to = words[i].to;
      first = words[i].start;
    }
  }
  for (i = 0u; i < MICROPHONE_BLOCK; ++i) {
    const int32_t at = (int32_t)((block_number - first) * MICROPHONE_BLOCK + i);
    const int32_t pitch = from + (to - from) * at / (int32_t)(WORD * MICROPHONE_BLOCK);
    phase += (uint32_t)pitch * 268435u; /* 2^32 / 16000 */
    block[i] = (int16_t)((from != 0 ? sine(phase) : 0) + noise());
  }
  block_number += 1u;
  return 1;
}

/* Listens to the microphone and prints the words that it hears, with the time in hundredths of a
   second. */
#include <stdint.h>

#include "board.h"
#include "keyword.h"
#include "microphone.h"

#if KEYWORD_IN_SAMPLES_LEN != 320
#error "the model and the microphone have blocks of different sizes"
#endif

/* A word counts from this score on, as real number 0.8. */
#define HEARD KEYWORD_OUT_SCORES_QUANTIZE(0.8f)

static uint64_t arena[(KEYWORD_ARENA_SIZE + 7u) / 8u] __attribute__((aligned(KEYWORD_ARENA_ALIGN)));
static uint64_t state[(KEYWORD_STATE_SIZE + 7u) / 8u] __attribute__((aligned(KEYWORD_STATE_ALIGN)));
static int16_t block[MICROPHONE_BLOCK];
static int8_t scores[KEYWORD_OUT_SCORES_LEN];
static const char *const words[KEYWORD_OUT_SCORES_LEN] = {"silence", "up", "down"};

static void print_word(uint32_t hundredths, const char *text) {
  char time[] = "0.00 s ";
  time[0] = (char)('0' + (char)(hundredths / 100u % 10u));
  time[2] = (char)('0' + (char)(hundredths / 10u % 10u));
  time[3] = (char)('0' + (char)(hundredths % 10u));
  board_print(time);
  board_print(text);
  board_print("\n");
}

int main(void) {
  const keyword_inputs in = {block};
  const keyword_outputs out = {scores};
  keyword model;
  uint32_t hundredths = 0u;
  uint32_t heard = 0u; /* the word of the last block; 0 is silence */
  int status = keyword_init(&model, arena, sizeof arena, state, sizeof state);
  while (status == LATHE_OK && microphone_read(block) != 0) {
    uint32_t word = 0u;
    uint32_t i;
    status = keyword_run(&model, &in, &out);
    hundredths += 2u;
    for (i = 1u; i < KEYWORD_OUT_SCORES_LEN; ++i) {
      if (scores[i] >= HEARD) {
        word = i;
      }
    }
    if (word != heard && word != 0u) {
      print_word(hundredths, words[word]);
    }
    heard = word;
  }
  return status;
}

/* Feeds three windows of accelerations to the model and prints what it makes of each. */
#include <stdint.h>

#include "board.h"
#include "motion.h"

#define SAMPLES 16u
#define AXES 3u

/* The model allocates nothing: these are all the bytes it works in. */
static uint64_t arena[(MOTION_ARENA_SIZE + 7u) / 8u + 1u];
static float window[MOTION_IN_WINDOW_LEN];
static float scores[MOTION_OUT_SCORES_LEN];

static const char *const names[MOTION_OUT_SCORES_LEN] = {"still ", "tilted", "shaken"};

/* Rests at `x`, `y`, `z` and swings by `swing` around that. */
static void sense(float x, float y, float z, float swing) {
  uint32_t i;
  for (i = 0u; i < SAMPLES; ++i) {
    const float by = (i & 1u) != 0u ? swing : -swing;
    window[i * AXES] = x + by;
    window[i * AXES + 1u] = y - by;
    window[i * AXES + 2u] = z + by * 0.5f;
  }
}

static int classify(void) {
  motion m;
  motion_inputs in;
  motion_outputs out;
  uint32_t best = 0u;
  uint32_t i;
  uint32_t percent;
  char digits[] = "   %\n";
  in.window = window;
  out.scores = scores;
  if (motion_init(&m, arena, sizeof arena) != LATHE_OK || motion_run(&m, &in, &out) != LATHE_OK) {
    return 1;
  }
  for (i = 1u; i < MOTION_OUT_SCORES_LEN; ++i) {
    if (scores[i] > scores[best]) {
      best = i;
    }
  }
  percent = (uint32_t)(scores[best] * 99.0f + 0.5f); /* two digits */
  digits[1] = (char)('0' + (char)(percent / 10u % 10u));
  digits[2] = (char)('0' + (char)(percent % 10u));
  board_print(names[best]);
  board_print(digits);
  return 0;
}

int main(void) {
  int failures = 0;
  sense(0.02f, -0.01f, 1.0f, 0.01f);
  failures += classify();
  sense(0.70f, 0.10f, 0.70f, 0.02f);
  failures += classify();
  sense(0.0f, 0.0f, 1.0f, 1.2f);
  failures += classify();
  return failures;
}

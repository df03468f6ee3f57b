/* Classifies three windows of accelerations with two models, which share one arena. */
#include <stdint.h>

#include "board.h"
#include "extract.h"
#include "gesture.h"

#define SAMPLES 16u
#define AXES 3u
#define ARENA_SIZE (EXTRACT_ARENA_SIZE > GESTURE_ARENA_SIZE ? EXTRACT_ARENA_SIZE : GESTURE_ARENA_SIZE)

/* Aligned for all targets of this project; one element more, for an arena of none. */
static uint64_t arena[(ARENA_SIZE + 7u) / 8u + 2u] __attribute__((aligned(16)));
static float window[EXTRACT_IN_WINDOW_LEN];
static float features[EXTRACT_OUT_FEATURES_LEN];
static float scores[GESTURE_OUT_SCORES_LEN];

static const char *const names[GESTURE_OUT_SCORES_LEN] = {"still ", "tilted", "shaken"};

/* Rests at `x`, `y`, `z` and swings by `swing` around that. */
static void sense(float x, float y, float z, float swing) {
  uint32_t i;
  for (i = 0u; i < SAMPLES; ++i) {
    const float by = ((i & 1u) != 0u) ? swing : -swing;
    window[i * AXES] = x + by;
    window[i * AXES + 1u] = y - by;
    window[i * AXES + 2u] = z + by * 0.5f;
  }
}

static int run_models(void) {
  extract_inputs raw = {window};
  extract_outputs summary = {features};
  gesture_inputs in = {features};
  gesture_outputs out = {scores};
  extract first;
  gesture second;
  int status = extract_init(&first, arena, sizeof arena);
  if (status == LATHE_OK) {
    status = extract_run(&first, &raw, &summary);
  }
  if (status == LATHE_OK) {
    status = gesture_init(&second, arena, sizeof arena);
  }
  return (status == LATHE_OK) ? gesture_run(&second, &in, &out) : status;
}

static int classify(void) {
  uint32_t best = 0u;
  uint32_t percent;
  uint32_t i;
  char digits[] = "   %\n";
  if (run_models() != LATHE_OK) {
    return 1;
  }
  for (i = 1u; i < GESTURE_OUT_SCORES_LEN; ++i) {
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

/* Calls each function of the state's interface of streaming.py; ends with the line of the first
 * check that fails. */
#include <stdint.h>
#include <string.h>

#include "kws.h"

#define CHECK(condition) \
  do {                   \
    if (!(condition)) {  \
      return __LINE__;   \
    }                    \
  } while (0)

static uint8_t memory[2][4096];

static uint8_t* aligned(uint8_t* from) {
  while (((uintptr_t)from & 63u) != 0u) {
    ++from;
  }
  return from;
}

static int step(kws* m, float value, float* scores) {
  const float frame[3] = {value, value, value};
  const kws_inputs in = {frame};
  const kws_outputs out = {scores};
  return kws_run(m, &in, &out);
}

static int count_of(kws* m, int32_t* count) {
  kws_counted_inputs in;
  const kws_counted_outputs out = {count};
  in.none = 0;
  return kws_counted(m, &in, &out);
}

int main(void) {
  static uint8_t arena_memory[4096 + 64];
  uint8_t* const arena = aligned(arena_memory);
  uint8_t* const state = aligned(memory[0]);
  uint8_t* const other = aligned(memory[1]);
  uint8_t saved[KWS_STATE_SIZE + 1u];
  float scores[3];
  float again[3];
  float row[3];
  int32_t count[2];
  int64_t index = 9;
  const kws_checked_inputs wrong = {&index};
  const kws_checked_outputs rows = {row};
  kws m;
  kws n;
  memset(&m, 0, sizeof m);

  /* Init checks the memory of the state; nothing works before it. */
  CHECK(kws_reset(NULL) == LATHE_E_NULL);
  CHECK(kws_reset(&m) == LATHE_E_NULL);
  CHECK(kws_save_state(&m, saved) == LATHE_E_NULL);
  CHECK(kws_load_state(&m, saved) == LATHE_E_NULL);
  CHECK(kws_init(&m, arena, 4096u, NULL, KWS_STATE_SIZE) == LATHE_E_NULL);
  CHECK(kws_init(&m, arena, 4096u, state, KWS_STATE_SIZE - 1u) == LATHE_E_STATE_SIZE);
  CHECK(kws_init(&m, arena, 4096u, state + 1, 4000u) == LATHE_E_ALIGN);
  CHECK(step(&m, 1.0f, scores) == LATHE_E_NULL);
  memset(state, 0x5a, KWS_STATE_SIZE);
  CHECK(kws_init(&m, arena, 4096u, state, KWS_STATE_SIZE) == LATHE_OK);
  CHECK(kws_init(&n, arena, 4096u, other, KWS_STATE_SIZE) == LATHE_OK);
  CHECK(memcmp(state, other, KWS_STATE_SIZE) == 0);
  CHECK(state[0] == 0u && state[KWS_STATE_SIZE - 1u] == 1u);
  CHECK(count_of(&m, count) == LATHE_OK && count[0] == 7 && count[1] == 7);

  /* A second instance that shares the arena continues from its own state. */
  CHECK(step(&m, 4.0f, scores) == LATHE_OK && scores[0] == 12.0f);
  CHECK(step(&m, 4.0f, scores) == LATHE_OK && scores[0] == 24.0f);
  CHECK(step(&n, 4.0f, again) == LATHE_OK && again[0] == 12.0f);
  CHECK(count_of(&m, count) == LATHE_OK && count[0] == 9);
  CHECK(count_of(&n, count) == LATHE_OK && count[0] == 8);

  /* Saved at an odd address, then continued twice. */
  CHECK(kws_save_state(&m, saved + 1) == LATHE_OK);
  CHECK(kws_save_state(&m, NULL) == LATHE_E_NULL);
  CHECK(kws_load_state(&m, NULL) == LATHE_E_NULL);
  CHECK(step(&m, 8.0f, scores) == LATHE_OK && scores[0] == 48.0f);
  CHECK(kws_load_state(&n, saved + 1) == LATHE_OK);
  CHECK(step(&n, 8.0f, again) == LATHE_OK && memcmp(scores, again, sizeof scores) == 0);
  CHECK(memcmp(state, other, KWS_STATE_SIZE) == 0);

  /* A run that fails leaves the state as it was. */
  CHECK(kws_save_state(&m, saved) == LATHE_OK);
  CHECK(kws_checked(&m, &wrong, &rows) == LATHE_E_INDEX);
  CHECK(memcmp(state, saved, KWS_STATE_SIZE) == 0);
  CHECK(kws_checked(&m, NULL, &rows) == LATHE_E_NULL);
  CHECK(memcmp(state, saved, KWS_STATE_SIZE) == 0);
  index = 3;
  CHECK(kws_checked(&m, &wrong, &rows) == LATHE_OK && row[0] == 9.0f);
  CHECK(count_of(&m, count) == LATHE_OK && count[0] == 0);

  CHECK(kws_reset(&m) == LATHE_OK);
  CHECK(step(&m, 4.0f, scores) == LATHE_OK && scores[0] == 12.0f);
  CHECK(kws_selftest(&m) == 0);
  CHECK(step(&m, 4.0f, scores) == LATHE_OK && scores[0] == 12.0f);
  return 0;
}

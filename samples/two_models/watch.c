/* Smooths a signal, then asks whether its last value stands out: two models, one arena. */
#include <stdio.h>

#include "alarm.h"
#include "smooth.h"

#define ARENA_SIZE (SMOOTH_ARENA_SIZE > ALARM_ARENA_SIZE ? SMOOTH_ARENA_SIZE : ALARM_ARENA_SIZE)

/* A union is aligned as its most demanding member; one byte more, for an arena of none. */
static union {
  uint64_t words[2];
  uint8_t bytes[ARENA_SIZE + 1u];
} memory;

static int watch(const float *signal, uint8_t *far) {
  float quiet[SMOOTH_OUT_OUT_LEN];
  smooth smoother;
  alarm judge;
  const smooth_inputs noisy = {signal};
  const smooth_outputs smoothed = {quiet};
  const alarm_inputs in = {quiet};
  const alarm_outputs out = {far};
  int status = smooth_init(&smoother, memory.bytes, sizeof memory.bytes);
  if (status == LATHE_OK) {
    status = smooth_run(&smoother, &noisy, &smoothed);
  }
  if (status == LATHE_OK) {
    status = alarm_init(&judge, memory.bytes, sizeof memory.bytes);
  }
  return status == LATHE_OK ? alarm_run(&judge, &in, &out) : status;
}

int main(void) {
  float signal[SMOOTH_IN_SIGNAL_LEN];
  unsigned i;
  uint8_t far = 0;
  for (i = 0; i < SMOOTH_IN_SIGNAL_LEN; ++i) {
    signal[i] = (float)(i % 4u);
  }
  if (watch(signal, &far) != LATHE_OK) {
    return 1;
  }
  printf("a tone: %s\n", far != 0 ? "alarm" : "quiet");
  signal[SMOOTH_IN_SIGNAL_LEN - 1u] = 40.0f;
  if (watch(signal, &far) != LATHE_OK) {
    return 1;
  }
  printf("a tone with a jump: %s\n", far != 0 ? "alarm" : "quiet");
  return 0;
}

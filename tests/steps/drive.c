/* Calls the functions of two.py in steps. Ends with the line of the check that fails. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "two.h"

#define CHECK(condition)                                   \
  do {                                                     \
    if (!(condition)) {                                    \
      (void)printf("line %d: %s\n", __LINE__, #condition); \
      exit(1);                                             \
    }                                                      \
  } while (0)

/* Called by the hooks. */
static unsigned begun[64];
static unsigned ended[64];
static unsigned last = 64u;

void hook_on(unsigned step) {
  CHECK(step < 64u);
  last = step;
  ++begun[step];
}

void hook_after(unsigned step) {
  CHECK(step == last);
  ++ended[step];
}

static _Alignas(64) uint8_t arena[65536];
static const uint32_t kMacs[] = TWO_STEP_MACS;

static size_t steps_of(two* m, const two_inputs* in, const two_outputs* out) {
  size_t calls = 0u;
  int status;
  do {
    status = two_step(m, in, out);
    ++calls;
  } while (status == LATHE_MORE);
  CHECK(status == LATHE_OK);
  return calls;
}

int main(void) {
  static float x[32], y[32], expected[12], got[12], other_expected[32], other_got[32];
  static float three[3] = {1.0f, 2.0f, 3.0f}, same[3];
  two m;
  uint8_t flag = 1;
  const two_inputs in = {.x = x, .flag = &flag};
  const two_outputs run_out = {expected}, out = {got};
  two_other_inputs other_in;
  const two_other_outputs other_run_out = {other_expected}, other_out = {other_got};
  const two_same_inputs same_in = {three};
  const two_same_outputs same_out = {same};
  uint32_t sum = 0u, most = 0u;
  int status;
  for (size_t i = 0u; i < 32u; ++i) {
    x[i] = (float)((i * 37u) % 19u) / 8.0f - 1.0f;
    y[i] = (float)((i * 11u) % 23u) / 4.0f - 2.0f;
  }
  memset(&other_in, 0, sizeof other_in);
  other_in.x = y;
  other_in.n = 8;

  for (size_t i = 0u; i < sizeof kMacs / sizeof kMacs[0]; ++i) {
    sum += kMacs[i];
    most = kMacs[i] > most ? kMacs[i] : most;
  }
  CHECK(sizeof kMacs / sizeof kMacs[0] == TWO_STEP_COUNT);
  CHECK(sum == 96u && most == TWO_STEP_MACS_MAX && most == 96u);

  CHECK(two_init(&m, arena, sizeof arena) == LATHE_OK);
  for (int round = 0; round < 2; ++round) {
    flag = round == 0 ? 1u : 0u;
    CHECK(two_run(&m, &in, &run_out) == LATHE_OK);
    memset(arena, 0xaa, sizeof arena);
    memset(begun, 0, sizeof begun);
    memset(ended, 0, sizeof ended);
    CHECK(steps_of(&m, &in, &out) == TWO_STEP_COUNT);
    CHECK(memcmp(got, expected, sizeof got) == 0);
    CHECK(memcmp(begun, ended, sizeof begun) == 0);
    for (size_t i = 0u, hooked = 0u; i < 64u; ++i) {
      CHECK(begun[i] <= 1u);
      hooked += begun[i];
      CHECK(i < 63u || hooked == TWO_STEP_COUNT);
    }
  }

  /* A run between steps abandons them. */
  memset(got, 0, sizeof got);
  CHECK(two_step(&m, &in, &out) == LATHE_MORE);
  CHECK(two_run(&m, &in, &run_out) == LATHE_OK);
  CHECK(steps_of(&m, &in, &out) == TWO_STEP_COUNT);
  CHECK(memcmp(got, expected, sizeof got) == 0);

  /* So does a step of another function. */
  CHECK(two_other(&m, &other_in, &other_run_out) == LATHE_OK);
  for (size_t before = 1u; before < TWO_STEP_COUNT; ++before) {
    for (size_t i = 0u; i < before; ++i) {
      CHECK(two_step(&m, &in, &out) == LATHE_MORE);
    }
    CHECK(two_other_step(&m, &other_in, &other_out) == LATHE_MORE);
    memset(got, 0, sizeof got);
    CHECK(steps_of(&m, &in, &out) == TWO_STEP_COUNT);
    CHECK(memcmp(got, expected, sizeof got) == 0);
    memset(other_got, 0, sizeof other_got);
    size_t calls = 0u;
    do {
      status = two_other_step(&m, &other_in, &other_out);
      ++calls;
    } while (status == LATHE_MORE);
    CHECK(status == LATHE_OK && calls == TWO_OTHER_STEP_COUNT);
    CHECK(memcmp(other_got, other_expected, sizeof other_got) == 0);
  }

  /* A function without kernels has one step. */
  CHECK(TWO_SAME_STEP_COUNT == 1u);
  CHECK(two_same_step(&m, &same_in, &same_out) == LATHE_OK);
  CHECK(memcmp(same, three, sizeof same) == 0);

  /* Wrong arguments are errors in each step, and end the run. */
  CHECK(two_step(&m, &in, &out) == LATHE_MORE);
  CHECK(two_step(&m, NULL, &out) == LATHE_E_NULL);
  CHECK(two_step(NULL, &in, &out) == LATHE_E_NULL);
  memset(got, 0, sizeof got);
  CHECK(steps_of(&m, &in, &out) == TWO_STEP_COUNT);
  CHECK(memcmp(got, expected, sizeof got) == 0);

  /* An arena without room for the sizes is an error, after which a run begins again. */
  CHECK(two_init(&m, arena, sizeof arena) == LATHE_OK);
  other_in.n = INT64_C(1) << 20;
  CHECK(two_other_step(&m, &other_in, &other_out) < 0);
  other_in.n = 8;
  CHECK(two_other_step(&m, &other_in, &other_out) == LATHE_MORE);
  return 0;
}

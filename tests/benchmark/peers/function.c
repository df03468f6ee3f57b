/* A peer that is one C function, PEER_FUNCTION, from PEER_INPUT floats to PEER_OUTPUT floats, for
 * main.c. */
#include "board.h"

int peer_start(void);
void peer_run(void);
const uint8_t* peer_output(size_t* bytes);
size_t peer_unused(void);
void PEER_FUNCTION(const float* input, float* output);

static float input[PEER_INPUT];
static float output[PEER_OUTPUT];

int peer_start(void) {
  board_read_inputs(input, 0, sizeof input);
  return 0;
}

__attribute__((noinline)) void peer_run(void) {
  PEER_FUNCTION(input, output);
  __asm__ volatile(
      "" ::
          : "memory"); /* the call is not the last instruction, which the plugin would not count */
}

const uint8_t* peer_output(size_t* bytes) {
  *bytes = sizeof output;
  return (const uint8_t*)output;
}

size_t peer_unused(void) { return 0; }

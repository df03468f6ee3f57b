/* Runs one inference of a peer of mcu_peers.py on an emulated board, and prints its output in
 * hexadecimal digits. */
#include "board.h"

/* What each peer defines. The input is that of the image. */
int peer_start(void);
void peer_run(void);
const uint8_t* peer_output(size_t* bytes);
/* The part of static memory that the run did not need. */
size_t peer_unused(void);

void* _sbrk(int bytes);

void peer_begin(void);
void peer_end(void);

__attribute__((noinline)) void peer_begin(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void peer_end(void) { __asm__ volatile("" ::: "memory"); }

static void print_byte(uint8_t byte) {
  static const char kDigits[] = "0123456789abcdef";
  const char text[3] = {kDigits[byte / 16u], kDigits[byte % 16u], 0};
  board_print(text);
}

static void print_size(size_t size) {
  int i;
  for (i = 24; i >= 0; i -= 8) {
    print_byte((uint8_t)(size >> i));
  }
}

int main(void) {
  const uint8_t* output;
  size_t bytes;
  size_t heap;
  size_t i;
  if (peer_start() != 0) {
    board_print("failed\n");
    return 1;
  }
  peer_begin();
  peer_run();
  peer_end();
  output = peer_output(&bytes);
  heap = (size_t)((uint8_t*)_sbrk(0) - board_free_begin);
  board_print("heap ");
  print_size(heap);
  board_print("\nunused ");
  print_size(peer_unused());
  board_print("\noutput ");
  for (i = 0u; i < bytes; ++i) {
    print_byte(output[i]);
  }
  board_print("\n");
  return 0;
}

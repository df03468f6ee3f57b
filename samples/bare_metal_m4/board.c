/* An Arm MPS2 with a Cortex-M4F (AN386): the way from the reset to main(), and a way to print.
 *
 * Text and the end of the program go through semihosting, which emulators and debuggers answer; on
 * a board of your own it is the part to exchange. */
#include "board.h"

#include <stdint.h>

extern uint32_t board_stack_top[];
extern uint32_t board_data_load[];
extern uint32_t board_data_begin[];
extern uint32_t board_data_end[];
extern uint32_t board_bss_begin[];
extern uint32_t board_bss_end[];

int main(void);

static void semihosting(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char *text) { semihosting(0x04, text); }

static void finish(int code) {
  const uint32_t block[2] = {0x20026u, (uint32_t)code};
  semihosting(0x20, block);
  for (;;) {
  }
}

static void fault(void) {
  board_print("fault\n");
  finish(99);
}

void board_reset(void);
void board_reset(void) {
  const uint32_t *from = board_data_load;
  volatile uint32_t *to;
  *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20; /* the unit for floats on */
  __asm__ volatile("dsb\n\tisb" ::: "memory");
  for (to = board_data_begin; to < board_data_end; ++to) {
    *to = *from++;
  }
  for (to = board_bss_begin; to < board_bss_end; ++to) {
    *to = 0u;
  }
  finish(main());
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))board_stack_top, board_reset, fault, fault, fault, fault, fault, 0, 0, 0, 0,
    fault, fault, 0, fault, fault};

/* Cortex-M: vectors, and text and exit through semihosting, which emulators and debuggers answer. */
#include <stdint.h>

#include "board.h"
#include "start.h"

extern uint32_t board_stack_top[];

static void semihosting(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char *text) { semihosting(0x04, text); }

void board_exit(int code) {
  const uint32_t block[2] = {0x20026u, (uint32_t)code};
  semihosting(0x20, block);
  for (;;) {
  }
}

static void fault(void) {
  board_print("fault\n");
  board_exit(99);
}

void board_reset(void);
void board_reset(void) {
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20; /* the unit for floats and vectors on */
  __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
#if defined(__ARM_FEATURE_MVE)
  *(volatile uint32_t *)0xe000ed14u |= 1u << 19; /* low-overhead branches on */
  __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
  board_start();
}

__attribute__((section(".boot"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))board_stack_top, board_reset, fault, fault, fault, fault, fault, fault,
    0, 0, 0, fault, fault, 0, fault, fault};

/* QEMU's RISC-V machine `virt`: text goes to the serial port, the exit code to the test device. */
#include <stdint.h>

#include "board.h"
#include "start.h"

__asm__(
    ".section .boot, \"ax\"\n"
    ".option push\n"
    ".option arch, +zicsr\n"
    ".globl board_reset\n"
    "board_reset:\n"
    "  la sp, board_stack_top\n"
    "  la t0, board_trap\n"
    "  csrw mtvec, t0\n"
    "  call board_start\n"
    "  .balign 4\n"
    "board_trap:\n"
    "  call board_fault\n"
    ".option pop\n"
    ".text\n");

void board_print(const char *text) {
  while (*text != '\0') {
    *(volatile uint8_t *)0x10000000u = (uint8_t)*text++;
  }
}

void board_exit(int code) {
  *(volatile uint32_t *)0x100000u = (code == 0) ? 0x5555u : (0x3333u | ((uint32_t)code << 16));
  for (;;) {
  }
}

void board_fault(void);
void board_fault(void) {
  board_print("fault\n");
  board_exit(99);
}

/* Prepares memory for C and runs main(). */
#include "start.h"

#include <stdint.h>

extern uint32_t board_data_load[];
extern uint32_t board_data_begin[];
extern uint32_t board_data_end[];
extern uint32_t board_bss_begin[];
extern uint32_t board_bss_end[];

int main(void);

void board_start(void) {
  const uint32_t *from = board_data_load;
  volatile uint32_t *to;
  for (to = board_data_begin; to < board_data_end; ++to) {
    *to = *from++;
  }
  for (to = board_bss_begin; to < board_bss_end; ++to) {
    *to = 0u;
  }
  board_exit(main());
}

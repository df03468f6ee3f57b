/* What the start-up code of a processor and that in C provide to each other. */
#ifndef START_H
#define START_H

void board_start(void) __attribute__((noreturn));
void board_exit(int code) __attribute__((noreturn));

#endif /* START_H */

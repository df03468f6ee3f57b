/* What a board provides to main.c. */
#ifndef BOARD_H
#define BOARD_H

void board_print(const char *text);

#endif /* BOARD_H */

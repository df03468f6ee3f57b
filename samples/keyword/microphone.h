/* A microphone: here a generator of tones, so that the firmware runs on an emulator. */
#ifndef MICROPHONE_H
#define MICROPHONE_H

#include <stdint.h>

#define MICROPHONE_BLOCK 320u /* samples of 20 ms */

/* Fills the next block. Returns 0 after the last one. */
int microphone_read(int16_t *block);

#endif /* MICROPHONE_H */

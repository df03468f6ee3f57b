// The part of Arduino's interface that an example uses, for the host. A program runs loop() once.
#ifndef LATHE_TESTS_PACKAGES_STUBS_ARDUINO_ARDUINO_H_
#define LATHE_TESTS_PACKAGES_STUBS_ARDUINO_ARDUINO_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct Console {
  void begin(long) {}
  void print(const char* text) { printf("%s", text); }
  void println(const char* text) { printf("%s\n", text); }
  void println(int number) { printf("%d\n", number); }
};
static Console Serial;
static void delay(unsigned long) {}

void setup();
void loop();

int main() {
  setup();
  loop();
  return 0;
}

#endif  // LATHE_TESTS_PACKAGES_STUBS_ARDUINO_ARDUINO_H_

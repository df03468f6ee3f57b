// main() of the test program: text files are tests too.
#include "gmock/gmock.h"
#include "tests/support/file_test.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  lathe::RegisterFileTests();
  return RUN_ALL_TESTS();
}

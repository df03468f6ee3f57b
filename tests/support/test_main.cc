// The main function of the test program; text files are tests too.
#include <cstdlib>

#include "gmock/gmock.h"
#include "tests/support/file_test.h"
#include "tests/support/paths.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  lathe::RegisterFileTests();
  // `lathe validate --on cuda-emulation` compiles it else, each time.
  setenv("LATHE_COMPILED_EMULATION", lathe::CompiledEmulationPath().c_str(), 1);
  return RUN_ALL_TESTS();
}

#include "generator/support/check.h"

#include <cstdio>
#include <cstdlib>

namespace lathe {

void FailCheck(const char* file, int line, absl::string_view what) {
  std::fprintf(stderr,
               "lathe: internal error at %s:%d: %.*s\nThis is a bug in lathe: please report it "
               "with the input.\n",
               file, line, static_cast<int>(what.size()), what.data());
  std::fflush(nullptr);
#ifdef LATHE_ABORT_ON_BUG  // keeps the stack for fuzzers and debuggers
  std::abort();
#else
  std::_Exit(70);
#endif
}

}  // namespace lathe

// Holds the standard streams of a run, so that tests can replace them.
#ifndef LATHE_DRIVER_REPORT_STREAMS_H_
#define LATHE_DRIVER_REPORT_STREAMS_H_

#include <cstdio>

#include "absl/strings/string_view.h"

namespace lathe::driver {

struct Streams {
  std::FILE* in;
  std::FILE* out;  // results
  std::FILE* err;  // diagnostics and progress
};

inline void Print(std::FILE* stream, absl::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_STREAMS_H_

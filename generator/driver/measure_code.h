// Generated files, compiled for their target: how large they are, and how much stack they need.
#ifndef LATHE_DRIVER_MEASURE_CODE_H_
#define LATHE_DRIVER_MEASURE_CODE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/emit/emit.h"
#include "generator/support/object_file.h"

namespace lathe::driver {

struct CodeMeasures {
  ObjectSizes sizes;                    // of all objects
  std::optional<int64_t> stack;         // nothing where there is no bound
  std::string stack_path;               // "net_run > net_matmul", or what has no bound
  std::vector<std::string> unmeasured;  // functions that it calls and others compiled: "expf"
};

// Compiles the sources among `files` with `cc` and `flags`. `entries` are the functions that users
// call. Fails with what the compiler said.
absl::StatusOr<CodeMeasures> MeasureCode(absl::Span<const emit::OutputFile> files,
                                         absl::Span<const std::string> entries,
                                         const std::string& cc,
                                         const std::vector<std::string>& flags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MEASURE_CODE_H_

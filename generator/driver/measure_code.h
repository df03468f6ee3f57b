// Measures generated files compiled for their target: how large they are, and how much stack they
// need at most.
#ifndef LATHE_DRIVER_MEASURE_CODE_H_
#define LATHE_DRIVER_MEASURE_CODE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/machine/object_file.h"

namespace lathe::driver {

struct CodeMeasures {
  machine::ObjectSizes sizes;                // of all objects
  int64_t weights = 0;                       // bytes of them that are constants of the model
  std::optional<int64_t> stack;              // a bound; nothing where there is none
  int64_t stack_known = 0;                   // of what is known
  std::string stack_path;                    // "net_run > net_matmul > expf", the deepest of that
  std::vector<std::string> stack_unbounded;  // why there is no bound: "expf is not measured"

  int64_t flash() const { return sizes.text + sizes.rodata + sizes.data; }
  // Of function `name` with the parts that a compiler splits off it; nothing where it was put into
  // its callers.
  std::optional<int64_t> CodeOf(const std::string& name) const;
};

struct MeasureSettings {
  std::string cc;
  std::vector<std::string> flags;
  std::vector<std::string> entries;                      // the functions that users call
  std::vector<std::string> constants;                    // C's names of the weights
  std::map<std::string, int64_t> stack_of;               // functions whose need the user says
  std::function<void(absl::string_view)> say = nullptr;  // remarks on what takes long
};

// Compiles the sources among `files`. Fails with what the compiler said; with NotFound when there
// is no such compiler.
absl::StatusOr<CodeMeasures> MeasureCode(absl::Span<const emit::OutputFile> files,
                                         const MeasureSettings& settings);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MEASURE_CODE_H_

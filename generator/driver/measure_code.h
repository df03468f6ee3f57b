// Measures the code size and the maximal stack use of generated files, compiled for their target.
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
  machine::ObjectSizes sizes;                // total of all objects
  int64_t weights = 0;                       // bytes of model constants in these
  std::optional<int64_t> stack;              // upper bound; nullopt if there is none
  int64_t stack_known = 0;                   // without the unknown parts
  std::string stack_path;                    // deepest calls: "net_run > net_matmul > expf"
  std::vector<std::string> stack_unbounded;  // reasons for no bound: "expf is not measured"

  int64_t flash() const { return sizes.text + sizes.rodata + sizes.data; }
  // Returns the code bytes of function `name`, with the parts that the compiler split off. Returns
  // nullopt if it was inlined.
  std::optional<int64_t> CodeOf(const std::string& name) const;
};

struct MeasureSettings {
  std::string cc;
  std::vector<std::string> flags;
  std::vector<std::string> entries;                      // the exported functions
  std::vector<std::string> constants;                    // C names of the weights
  std::map<std::string, int64_t> stack_of;               // --stack-of
  std::function<void(absl::string_view)> say = nullptr;  // prints progress
  std::string folder = "";                               // of the objects; empty: a temporary one
};

// Compiles the sources in `files` without link-time optimization, and returns the sizes of their
// code and the bound of their stack use. Fails with Unavailable and the output of the compiler,
// with NotFound if there is no such compiler, or with FailedPrecondition if the objects lack an
// entry: sizes of these would be no bound.
absl::StatusOr<CodeMeasures> MeasureCode(absl::Span<const emit::OutputFile> files,
                                         const MeasureSettings& settings);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MEASURE_CODE_H_

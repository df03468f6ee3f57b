// Runs the graph pipeline: reads a program, checks it, and transforms it for lowering.
#ifndef LATHE_DRIVER_PIPELINE_H_
#define LATHE_DRIVER_PIPELINE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/driver/check_remains.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/report/not_checked.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/read_options.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::driver {

// The last stage that does not change the program.
inline constexpr char kLastCheck[] = "well_formed_with_infos";

// Returns "read", then the passes of the pipeline in order. `--after` accepts these names.
std::vector<absl::string_view> StageNames();

// Reads `file` and runs the passes up to `last`, one of StageNames(). Returns nullopt if there are
// errors, which are in `diags`; `not_checked` then lists what was not checked. `file` must outlive
// the module.
std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     absl::string_view last, Diagnostics& diags,
                                     NotChecked* not_checked = nullptr,
                                     const ReadOptions& options = {});

// Reads `file` and runs the passes up to normalization, which all verbs share.
std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     Diagnostics& diags, NotChecked* not_checked = nullptr,
                                     const ReadOptions& options = {});

// Bounds the shape variables of a loaded program (load_program.h) by the ranges of `sizes` and runs
// the passes that lower/ requires for the target; `small` is that of PassContext. Errors of the
// program are in `diags`. Fails if no signature has a variable in `sizes`.
absl::StatusOr<ir::Module> PrepareForLowering(ir::Context& context, ir::Module module,
                                              const Target& target,
                                              const std::map<std::string, DimRange>& sizes,
                                              Diagnostics& diags, bool small = false);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_PIPELINE_H_

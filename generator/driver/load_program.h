// Loads the program that a verb works on: reads and checks a file, binds the sizes of -D and the
// parameters of --params, and applies --tap, --stream and --numerics.
#ifndef LATHE_DRIVER_LOAD_PROGRAM_H_
#define LATHE_DRIVER_LOAD_PROGRAM_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/driver/check_remains.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/report/not_checked.h"
#include "generator/driver/stream_program.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/read_options.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"
#include "generator/target/target.h"

namespace lathe::driver {

struct LoadRequest {
  ReadOptions read;                       // except its sizes, which LoadProgram sets
  std::map<std::string, DimRange> sizes;  // -D
  std::optional<Numerics> numerics;       // nullopt leaves quantized operators unchanged
  const Target* target = nullptr;         // for numerics
  ParamsFile params = {};                 // --params
  bool small = false;                     // for numerics: --prefer flash
  std::string last_stage = {};            // stage to stop after; empty: normalize
};

struct LoadedProgram {
  ir::Module module;
  std::string numerics;                    // effect of --numerics as text; may be empty
  std::map<std::string, DimRange> ranges;  // -D n=LOW..HIGH, for PrepareForLowering
  std::optional<StreamedProgram> stream;   // of --stream
};

// Replaces the shape variables of signatures that have a single size in `sizes`. Runs before
// ApplyNumerics, whose choices depend on sizes.
absl::Status BindSizes(ir::Context& context, const std::map<std::string, DimRange>& sizes,
                       ir::Module& module, Diagnostics& diags);

// Loads the program in `file`. Single sizes of -D become constants: during import for ONNX, after
// loading otherwise. Fails if -D names a size that is not symbolic in the program, or if --params
// does not fit it. Returns nullopt if the program has errors, which are in `diags`; `not_checked`
// then lists what was not checked. `file` must outlive the module.
absl::StatusOr<std::optional<LoadedProgram>> LoadProgram(ir::Context& context,
                                                         const SourceFile& file,
                                                         const LoadRequest& request,
                                                         Diagnostics& diags,
                                                         NotChecked& not_checked);

// Returns the exported Relax function `name`. The error names the option --func.
absl::StatusOr<ir::GlobalId> FindExported(const ir::Module& module, const std::string& name);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_LOAD_PROGRAM_H_

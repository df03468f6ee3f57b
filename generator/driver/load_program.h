// The step between a file and the program that a verb works on: read and checked, for the sizes
// that -D says, with its quantised operators as --numerics says.
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
#include "generator/driver/report/not_checked.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/onnx/read_onnx.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"
#include "generator/target/target.h"

namespace lathe::driver {

struct LoadRequest {
  onnx::ReadOptions read;                 // but for its sizes
  std::map<std::string, DimRange> sizes;  // -D
  std::optional<Numerics> numerics;       // none: operators are left as they are written
  const Target* target = nullptr;         // that numerics are chosen for
  std::string last;  // the stage that it ends with; empty: all checks, normalised
};

struct LoadedProgram {
  ir::Module module;
  std::string numerics;  // what --numerics means for it, for people; may be empty
  std::map<std::string, DimRange>
      ranges;  // of -D, by the names of the program: left for PrepareForC
};

// Binds those shape variables of the signatures that have one size: before whatever a form in
// integers is chosen by.
absl::Status BindSizes(ir::Context& context, const std::map<std::string, DimRange>& sizes,
                       ir::Module& module, Diagnostics& diags);

// Sizes that are single are numbers in the program, in ONNX before anything is imported. Fails when
// -D names a size that the program does not leave open. Nothing when there were errors: they are in
// `diags`, and `left_out` says what was not checked because of them. `file` must outlive the
// module.
absl::StatusOr<std::optional<LoadedProgram>> LoadProgram(ir::Context& context,
                                                         const SourceFile& file,
                                                         const LoadRequest& request,
                                                         Diagnostics& diags, NotChecked& left_out);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_LOAD_PROGRAM_H_

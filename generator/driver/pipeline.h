// The one way through: from the bytes of a program to a checked module.
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
#include "generator/reader/onnx/read_onnx.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::driver {

// The last of the passes that only look.
inline constexpr char kLastCheck[] = "well_formed_with_infos";

// "read", then the passes on the road to C, in order: where a program can be looked at.
std::vector<absl::string_view> StageNames();

// Reads `file` and takes the module through the passes up to `last`, one of StageNames(). Nothing
// when there were errors; they are in `diags`, and `left_out` says what was not checked because of
// them. `file` must outlive the module.
std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     absl::string_view last, Diagnostics& diags,
                                     NotChecked* left_out = nullptr,
                                     const onnx::ReadOptions& options = {});

// The same as far as every program goes: checked, derived and normalised.
std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     Diagnostics& diags, NotChecked* left_out = nullptr,
                                     const onnx::ReadOptions& options = {});

// What LoadProgram gave (load_program.h), with its shape variables kept in the ranges of `sizes`,
// through the passes that lead to what lower/ takes for the target. Problems of the program are in
// `diags`; fails when no signature has such a variable.
absl::StatusOr<ir::Module> PrepareForC(ir::Context& context, ir::Module module,
                                       const Target& target,
                                       const std::map<std::string, DimRange>& sizes,
                                       Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_PIPELINE_H_

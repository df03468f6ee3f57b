// Implements --share-arena of compile: several models whose arenas are one memory, because only one
// of them runs at a time.
#ifndef LATHE_DRIVER_CLI_SHARED_ARENA_H_
#define LATHE_DRIVER_CLI_SHARED_ARENA_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/driver/cli/reported_model.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

inline constexpr Option kShareArenaOption = {
    "--share-arena", 0, "NAME",
    "compile several FILEs, of which one runs at a time; NAME.h has the size of their one arena"};

using ReportedModels = std::vector<std::unique_ptr<ReportedModel>>;

// Returns the arguments of each model: those of the command with one operand, and with one --name.
// A value of --dim, --params, --outputs, --tap, --like, --io or --stack-of that begins with "NAME:"
// is only for the model of this name. Fails for several operands without the option, for options
// that it excludes, for names of models that differ in case only, and for other numbers of names
// than of models.
absl::StatusOr<std::vector<Arguments>> ArgumentsOfModels(const Arguments& args);

// Returns the files of all models, each once, and the header of the shared arena, if any. Fails if
// two models have different files of one name.
absl::StatusOr<std::vector<emit::OutputFile>> FilesOfModels(const Arguments& args,
                                                            const ReportedModels& models);

// Returns the resources of all models together: one arena, of the largest size.
ModelReport ReportTogether(const ReportedModels& models);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_SHARED_ARENA_H_

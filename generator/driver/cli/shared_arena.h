// Implements --share-arena of compile: several models whose arenas are one memory, because only one
// of them runs at a time.
#ifndef LATHE_DRIVER_CLI_SHARED_ARENA_H_
#define LATHE_DRIVER_CLI_SHARED_ARENA_H_

#include <cstdint>
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

// The bytes of constants that several models have: in their source, and those that it saves.
struct SharedBytes {
  int64_t stored = 0;
  int64_t saved = 0;
};

using ReportedModels = std::vector<std::unique_ptr<ReportedModel>>;

// Returns the arguments of each model: those of the command with one operand, and with one --name.
// A value of --dim, --params, --outputs, --tap, --like, --io or --stack-of that begins with "NAME:"
// is only for the model of this name. Fails for several operands without the option, for options
// that it excludes, for names of models that differ in case only, and for other numbers of names
// than of models.
absl::StatusOr<std::vector<Arguments>> ArgumentsOfModels(const Arguments& args);

// Emits the models again so that constants that several of them have are in a source of their own,
// which is added to `files`. Does nothing for weights that are not in the source.
absl::StatusOr<SharedBytes> ShareConstants(const Arguments& args, ReportedModels& models,
                                           std::vector<emit::OutputFile>& files);

// Adds the files of all models to `files`, each once, and the header of the shared arena, if any.
// Fails if two models have different files of one name.
absl::Status AddFilesOfModels(const Arguments& args, const ReportedModels& models,
                              std::vector<emit::OutputFile>& files);

// Returns the resources of all models together: one arena, of the largest size. The measured code
// of the models does not contain the constants that they share.
ModelReport ReportTogether(const ReportedModels& models, const SharedBytes& constants);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_SHARED_ARENA_H_

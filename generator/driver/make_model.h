// From the command line to generated files: what the verbs that compile have in common.
#ifndef LATHE_DRIVER_MAKE_MODEL_H_
#define LATHE_DRIVER_MAKE_MODEL_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/driver/generate_model.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/verb.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/source.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::driver {

// What is asked for comes first; members point at those before them.
struct MadeModel {
  std::string weights = "words";          // --weights
  bool golden = false;                    // --golden
  bool with_cmake = false;                // --package cmake; always for GPUs
  std::map<std::string, DimRange> sizes;  // --dim
  std::string numerics;                   // what --numerics means for it; empty: nothing
  std::optional<SourceFile> file;
  std::vector<std::string> read;  // files beside it that it reads
  ir::Context context;
  std::optional<ir::Module> loaded;  // as it is written, with its shape variables
  std::optional<ir::Module> module;  // as it was lowered
  const Target* target = nullptr;
  std::optional<GpuChoice> gpus;  // where that is CUDA
  std::string name;
  GeneratedModel model;
};

// The options --target, --name, --dim, --outputs, --externs, --numerics and --no-fuse, and the
// verb's one operand. When it does not end with kExitOk it has said why.
ExitCode MakeModel(const Invocation& in, MadeModel& made);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MAKE_MODEL_H_

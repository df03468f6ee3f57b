// Compiles the model of a command line, for all verbs that compile.
#ifndef LATHE_DRIVER_COMPILE_MODEL_H_
#define LATHE_DRIVER_COMPILE_MODEL_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/bundle/package_kinds.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/verb.h"
#include "generator/driver/stream_report.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/source.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::driver {

// Requested settings, then results. Members point to members before them.
struct CompiledModel {
  std::string weights = "words";                 // --weights
  bool golden = false;                           // --golden
  std::string command;                           // for the header; empty: nothing is written
  emit::StepOptions steps = {};                  // --hooks, --step, --step-macs
  const bundle::PackageKind* package = nullptr;  // --package; null for a plain bundle
  std::map<std::string, DimRange> sizes;         // --dim
  std::string numerics;                          // effect of --numerics as text; may be empty
  std::optional<StreamReport> stream;            // of --stream
  std::optional<SourceFile> file;
  std::vector<std::string> read;  // further files of the model
  ir::Context context;
  std::optional<ir::Module> loaded;  // checked and normalized
  std::optional<ir::Module> module;  // after all graph passes
  const Target* target = nullptr;
  std::optional<GpuChoice> gpus;  // for CUDA
  std::string name;
  emit::EmitOptions emitted_with;  // of `model`
  GeneratedModel model;
};

// Reads the options --target, --name, --dim, --params, --outputs, --io, --like, --externs, --pool,
// --numerics and --no-fuse, and the operand, and compiles it. Reports the reason if it does not
// return kExitOk.
ExitCode CompileModel(const Invocation& in, CompiledModel& compiled);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPILE_MODEL_H_

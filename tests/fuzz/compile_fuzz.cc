// Fuzzes the compiler: reads and checks any text and, if it is valid, compiles it to C or CUDA,
// selected by the text.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/support/diagnostics.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

using namespace lathe;  // NOLINT: a program of its own

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // What takes long for being long is not looked for here.
  constexpr size_t kMaxBytes = 8192;
  if (size > kMaxBytes) return 0;
  static const GpuChoice gpus = *ReadGpus("cuda:sm_80");
  const SourceFile file("fuzz.py", std::string(reinterpret_cast<const char*>(data), size));
  ir::Context context;
  Diagnostics diags;
  std::optional<ir::Module> module = driver::LoadModule(context, file, diags);
  if (!module || diags.has_errors()) return 0;
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i) sum += data[i];
  driver::GenerateOptions options;
  if (sum % 4 == 3) options.gpus = &gpus;
  if (sum % 4 == 2) options.fusion = {false, schedule::LayerJoins::kNone};
  const Target& target =
      sum % 4 == 3 ? CudaTarget() : *FindTarget(sum % 4 == 1 ? "x86-64-v3" : "generic-c99");
  const auto prepared = driver::PrepareForLowering(context, *std::move(module), target, {}, diags);
  if (!prepared.ok() || diags.has_errors()) return 0;
  (void)driver::GenerateModel(context, *prepared, target, "m", options, diags);
  for (const Diagnostic& d : diags.all()) (void)Render(d);
  return 0;
}

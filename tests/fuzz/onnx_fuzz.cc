// Fuzzes the ONNX importer: reads any bytes and, if they are valid, evaluates the model on random
// inputs with limited memory and steps, and compiles it to C.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/interp/show_value.h"
#include "generator/support/diagnostics.h"
#include "generator/target/target.h"

namespace {

using namespace lathe;  // NOLINT: a program of its own

void Run(ir::Context& context, const ir::Module& module, ir::GlobalId main) {
  interp::Options options;
  options.max_bytes = uint64_t{16} << 20;
  options.max_steps = 20'000;
  interp::Interpreter interpreter(context, module, std::move(options));
  driver::RunOptions made_up;
  made_up.seed = 1;
  auto args = driver::CollectInputs(interpreter, main, made_up);
  if (!args.ok()) return;
  Diagnostics diags;
  const auto result = interpreter.Run(main, *std::move(args), diags);
  if (result.ok()) (void)interp::ShowStructure(*result);
  for (const Diagnostic& d : diags.all()) (void)Render(d);
}

void Generate(ir::Context& context, const ir::Module& module) {
  Diagnostics diags;
  const Target& target = *FindTarget("generic-c99");
  const auto prepared = driver::PrepareForLowering(context, module, target, {}, diags);
  if (!prepared.ok() || diags.has_errors()) return;
  (void)driver::GenerateModel(context, *prepared, target, "m", {}, diags);
  for (const Diagnostic& d : diags.all()) (void)Render(d);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // What takes long for being long is not looked for here.
  constexpr size_t kMaxBytes = 8192;
  if (size > kMaxBytes) return 0;
  const SourceFile file("/nowhere/fuzz.onnx",
                        std::string(reinterpret_cast<const char*>(data), size));
  ir::Context context;
  Diagnostics diags;
  const std::optional<ir::Module> module = driver::LoadModule(context, file, diags);
  for (const Diagnostic& d : diags.all()) (void)Render(d);
  if (!module) return 0;
  const std::optional<ir::GlobalId> main = module->Find("main");
  if (!main) return 0;
  Run(context, *module, *main);
  Generate(context, *module);
  return 0;
}

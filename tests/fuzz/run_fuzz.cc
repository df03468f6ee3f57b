// Fuzzes the interpreter: reads and checks any text and, if it is valid, evaluates every exported
// function on random inputs with limited memory and steps.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "generator/driver/pipeline.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/interp/show_value.h"
#include "generator/support/diagnostics.h"

namespace {

using namespace lathe;  // NOLINT: a program of its own

void RunFunction(ir::Context& context, const ir::Module& module, ir::GlobalId id) {
  interp::Options options;
  options.max_bytes = uint64_t{16} << 20;
  options.max_steps = 20'000;
  options.max_call_depth = 200;
  options.print = [](absl::string_view) {};
  interp::Interpreter interpreter(context, module, std::move(options));
  driver::RunOptions made_up;
  made_up.func = module.globals[id].name;
  made_up.seed = 1;
  auto args = driver::CollectInputs(interpreter, id, made_up);
  if (!args.ok()) return;
  Diagnostics diags;
  const auto result = interpreter.Run(id, *std::move(args), diags);
  if (result.ok()) (void)interp::ShowStructure(*result);
  for (const Diagnostic& d : diags.all()) (void)Render(d);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const SourceFile file("fuzz.py", std::string(reinterpret_cast<const char*>(data), size));
  ir::Context context;
  Diagnostics diags;
  const std::optional<ir::Module> module = driver::LoadModule(context, file, diags);
  for (const Diagnostic& d : diags.all()) (void)Render(d);
  if (!module) return 0;
  for (size_t n = 0; n < module->globals.size(); ++n) {
    const ir::GlobalId id{static_cast<int32_t>(n)};
    if (IsExported(module->globals[id])) RunFunction(context, *module, id);
  }
  return 0;
}

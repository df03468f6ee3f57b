// Fuzzes the reader of TFLite models: any bytes are read and imported, and what comes out of them
// without errors passes the checks of modules.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "generator/driver/pipeline.h"
#include "generator/support/check.h"
#include "generator/support/diagnostics.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMaxBytes = 1 << 16;  // larger files only take longer
  if (size > kMaxBytes) return 0;
  const lathe::SourceFile file("fuzz.tflite",
                               std::string(reinterpret_cast<const char*>(data), size));
  lathe::ir::Context context;
  lathe::Diagnostics diags;
  const std::optional<lathe::ir::Module> module = lathe::driver::LoadModule(context, file, diags);
  for (const lathe::Diagnostic& d : diags.all()) (void)Render(d);
  LATHE_CHECK(module.has_value() != diags.has_errors(),
              "no module if and only if there are errors");
  return 0;
}

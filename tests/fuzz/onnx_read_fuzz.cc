// Fuzzes only the reader and checks of ONNX models: much faster than onnx_fuzz, and sufficient for
// most faults in a file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "generator/driver/pipeline.h"
#include "generator/support/diagnostics.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // What takes long for being long is not looked for here.
  constexpr size_t kMaxBytes = 8192;
  if (size > kMaxBytes) return 0;
  const lathe::SourceFile file("/nowhere/fuzz.onnx",
                               std::string(reinterpret_cast<const char*>(data), size));
  lathe::ir::Context context;
  lathe::Diagnostics diags;
  (void)lathe::driver::LoadModule(context, file, diags);
  for (const lathe::Diagnostic& d : diags.all()) (void)Render(d);
  return 0;
}

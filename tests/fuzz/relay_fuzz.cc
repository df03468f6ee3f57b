// Fuzzes the reader of Relay text: any text is read, typed and translated, and what comes out of it
// without errors passes the verifier.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "generator/driver/pipeline.h"
#include "generator/reader/relay_text/syntax/limits.h"
#include "generator/support/check.h"
#include "generator/support/diagnostics.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const lathe::SourceFile file("fuzz.relay",
                               std::string(reinterpret_cast<const char*>(data), size));
  lathe::ir::Context context;
  lathe::Diagnostics diags;
  const std::optional<lathe::ir::Module> module = lathe::driver::LoadModule(context, file, diags);
  for (const lathe::Diagnostic& d : diags.all()) (void)Render(d);
  LATHE_CHECK(module.has_value() != diags.has_errors(),
              "no module if and only if there are errors");
  return 0;
}

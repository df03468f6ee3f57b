// Provides the text files that are compiled into the program (cmake/EmbedText.cmake), sorted by
// name.
#ifndef LATHE_SUPPORT_EMBEDDED_TEXT_H_
#define LATHE_SUPPORT_EMBEDDED_TEXT_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

struct EmbeddedText {
  absl::string_view name;  // the path within its folder: "c/model.c.tmpl", "shape-mismatch.md"
  absl::string_view text;
};

// Returns the files of templates/.
absl::Span<const EmbeddedText> EmbeddedTemplates();

// Returns the files of docs/diagnostics/.
absl::Span<const EmbeddedText> DiagnosticPages();

// Returns the files of include/lathe/: rt.h, which all generated code includes, and headers that
// some of it needs.
absl::Span<const EmbeddedText> RuntimeHeaders();

// Returns the files of runtime-c/; a bundle contains those that its model needs.
absl::Span<const EmbeddedText> RuntimeParts();

// Returns the files of runtime-c/emulation/, which emulate a GPU.
absl::Span<const EmbeddedText> CudaEmulation();

// Returns the files of generator/reader/relay_text/std/: modules that Relay text may import.
absl::Span<const EmbeddedText> RelayStdModules();

}  // namespace lathe

#endif  // LATHE_SUPPORT_EMBEDDED_TEXT_H_

// Formats a diagnostic for the terminal:
//
//   m.py:2:6: error: expected 3 dims, got 2 [shape-mismatch]
//     lv = R.add(x, y)
//          ^~~~~~~~~~~
//
// Control bytes of the input are never printed.
#ifndef LATHE_SUPPORT_RENDER_DIAGNOSTIC_H_
#define LATHE_SUPPORT_RENDER_DIAGNOSTIC_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/support/diagnostics.h"

namespace lathe {

// Escape sequences to print before each part; `end` follows each.
struct Palette {
  absl::string_view place, error, warning, note, help, code, caret, end;
};

inline constexpr Palette kPlainPalette = {"", "", "", "", "", "", "", ""};
inline constexpr Palette kTerminalPalette = {
    "\x1b[1m",    "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m",
    "\x1b[1;32m", "\x1b[2m",    "\x1b[1;32m", "\x1b[0m",
};

enum class Excerpts { kShow, kOmit };

std::string RenderDiagnostic(const Diagnostic& d, const Palette& colors, Excerpts excerpts);

}  // namespace lathe

#endif  // LATHE_SUPPORT_RENDER_DIAGNOSTIC_H_

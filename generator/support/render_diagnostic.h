// Formats a diagnostic for the terminal:
//
//   m.py:2:6: error: expected 3 dims, got 2 [shape-mismatch]
//     lv = R.add(x, y)
//          ^~~~~~~~~~~
//
// Bytes of the input that are not printable UTF-8 become `?`, except tabs and the line ends of
// messages.
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

// Whether the source line of each location is printed, with its columns underlined.
enum class Excerpts { kShow, kOmit };

// Returns the text of `d`: the error or warning, then its notes and its help, without a final line
// end.
std::string RenderDiagnostic(const Diagnostic& d, const Palette& colors, Excerpts excerpts);

}  // namespace lathe

#endif  // LATHE_SUPPORT_RENDER_DIAGNOSTIC_H_

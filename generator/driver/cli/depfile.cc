#include "generator/driver/cli/depfile.h"

namespace lathe::driver {
namespace {

void AppendEscaped(absl::string_view path, std::string& out) {
  for (size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '$') out += '$';
    if (c == ' ' || c == '\t' || c == '#' || c == ':') {
      // Backslashes are special only before a character that is escaped; there they are doubled.
      for (size_t k = i; k > 0 && path[k - 1] == '\\'; --k) out += '\\';
      out += '\\';
    }
    out += c;
  }
}

}  // namespace

std::string Depfile(absl::Span<const std::string> targets, absl::Span<const std::string> inputs) {
  std::string out;
  for (const std::string& target : targets) {
    if (!out.empty()) out += ' ';
    AppendEscaped(target, out);
  }
  out += ':';
  for (const std::string& input : inputs) {
    out += " \\\n  ";
    AppendEscaped(input, out);
  }
  return out + "\n";
}

}  // namespace lathe::driver

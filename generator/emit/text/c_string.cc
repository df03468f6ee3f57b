#include "generator/emit/text/c_string.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"

namespace lathe::emit {

CLiteral CString(absl::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '*' && absl::EndsWith(out, "/")) {
      absl::StrAppend(&out, "\\052");  // nothing but a comment has the two side by side
    } else if (c == '"' || c == '\\' || c == '?') {
      absl::StrAppend(&out, "\\", std::string(1, c));
    } else if (c == '\n' || c == '\t') {
      absl::StrAppend(&out, c == '\n' ? "\\n" : "\\t");
    } else if (absl::ascii_isprint(static_cast<unsigned char>(c)) && c != '@') {  // stamps have it
      out.push_back(c);
    } else {
      absl::StrAppendFormat(&out, "\\%03o", static_cast<unsigned char>(c));
    }
  }
  return CLiteral(out + "\"");
}

}  // namespace lathe::emit

#include "generator/emit/text/kernel_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace lathe::emit {

std::string KernelText(const CComment& origin, const std::vector<std::string>& functions,
                       absl::string_view signature, absl::string_view body) {
  std::string text;
  for (const std::string& function : functions) {
    if (function.empty()) continue;
    absl::StrAppend(&text, absl::StripAsciiWhitespace(function), "\n\n");
  }
  absl::StrAppend(&text, "/* ", origin, " */\n", signature, " {\n  ",
                  absl::StrReplaceAll(absl::StripTrailingAsciiWhitespace(body), {{"\n", "\n  "}}),
                  "\n}\n");
  return text;
}

}  // namespace lathe::emit

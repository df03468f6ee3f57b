#include "generator/emit/c/print_blocks.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {
namespace {

std::string IndentedLines(const std::string& lines) {
  std::string text;
  for (absl::string_view line : absl::StrSplit(lines, '\n')) {
    if (!line.empty()) absl::StrAppend(&text, "  ", line, "\n");
  }
  return text;
}

}  // namespace

std::string InLoop(const std::string& round) {
  return absl::StrCat("int again = 0;\ndo {\n  again = 0;\n", IndentedLines(round),
                      "} while (again != 0);\n");
}

std::string InFirstPart(const std::string& lines) {
  if (lines.empty()) return "";
  return absl::StrCat("if (part == 0u) {\n", IndentedLines(lines), "}\n");
}

}  // namespace lathe::emit

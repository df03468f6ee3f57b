#include "generator/support/shell_word.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace lathe {

std::string ShellWord(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace lathe

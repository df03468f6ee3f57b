#include "generator/driver/name_option.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "generator/emit/c_names.h"

namespace lathe::driver {

absl::StatusOr<std::string> ReadNameOption(const Arguments& args) {
  if (!args.Has("--name")) {
    const std::filesystem::path path(std::string(args.operands[0]));
    std::string name = emit::CIdentifier(path.filename().replace_extension().string());
    return emit::IsTakenInC(name) ? absl::StrCat("my_", name) : name;
  }
  const absl::string_view given = args.Value("--name");
  std::string name = emit::CIdentifier(given);
  if (name != given) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--name' is what symbols in C begin with: letters, digits and one '_' "
                     "between them, "
                     "a letter first; got '",
                     given, "'; '", name, "' would do"));
  }
  if (emit::IsTakenInC(name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "option '--name': '", name, "' means something else in C, or is the name of a header; 'my_",
        name, "' would do"));
  }
  return name;
}

}  // namespace lathe::driver

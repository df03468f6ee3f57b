#include "generator/driver/options/extern_files.h"

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/bundle/runtime_files.h"
#include "generator/bundle/write_bundle.h"
#include "generator/interp/extern_library.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<emit::Externs> ReadExternsOption(const Arguments& args) {
  const absl::string_view mode = args.Value("--externs", "link");
  if (mode == "link") return emit::Externs::kLink;
  if (mode == "table") return emit::Externs::kTable;
  return absl::InvalidArgumentError(
      absl::StrCat("option '--externs' must be link or table; got '", mode, "'"));
}

absl::Status LoadExternFiles(const std::vector<std::string>& files, const std::string& cc,
                             const std::string& folder, interp::PackedTable* table) {
  for (const std::string& file : files) {
    std::string library = file;
    if (absl::EndsWith(file, ".c")) {
      LATHE_RETURN_IF_ERROR(bundle::WriteBundle(folder, bundle::RuntimeFiles({"packed.h"})));
      library = (std::filesystem::path(folder) /
                 absl::StrCat(std::filesystem::path(file).stem().string(), ".so"))
                    .string();
      LATHE_ASSIGN_OR_RETURN(const CommandResult built,
                             RunCommand({cc, "-std=c99", "-shared", "-fPIC", "-I", folder, file,
                                         "-o", library, "-lm"}));
      if (built.exit_code != 0) {
        return absl::UnavailableError(
            absl::StrCat("'", cc, "' did not compile '", file, "':\n", built.output));
      }
    }
    LATHE_RETURN_IF_ERROR(interp::LoadExternLibrary(library, table));
  }
  return absl::OkStatus();
}

std::vector<std::string> LinkWords(const std::vector<std::string>& files) {
  std::vector<std::string> words;
  for (const std::string& file : files) {
    const std::filesystem::path path = std::filesystem::absolute(file);
    words.push_back(path.string());
    if (!absl::EndsWith(file, ".c")) {
      words.push_back(absl::StrCat("-Wl,-rpath,", path.parent_path().string()));
    }
  }
  return words;
}

}  // namespace lathe::driver

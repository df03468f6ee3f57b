#include "generator/driver/validate/cuda_emulation.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/bundle/runtime_files.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/validate/main_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/embedded_text.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kFolder = "emulation/";
// Environment variable with the path of a compiled emulation. Tests link it to hundreds of
// programs.
constexpr char kCompiledEmulation[] = "LATHE_COMPILED_EMULATION";

constexpr char kAllKernels[] = "all_kernels.cu", kAllHost[] = "all_host.cpp";

bool IsKernels(absl::string_view path) { return absl::EndsWith(path, ".cu"); }

bool IsHostCode(absl::string_view path) {
  return absl::EndsWith(path, ".cpp") || absl::EndsWith(path, ".cc") || absl::EndsWith(path, ".c");
}

absl::Status Compile(const std::vector<std::string>& words) {
  LATHE_ASSIGN_OR_RETURN(const CommandResult built, RunCommand(words));
  if (built.exit_code == 0) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("'", words[0], "' did not compile the generated code:\n", built.output));
}

}  // namespace

absl::StatusOr<std::vector<emit::OutputFile>> EmulationFiles(
    const GeneratedModel& model, const emit::ApiFunction& function, const std::string& name,
    const std::vector<PartBytes>& inputs, const std::vector<PartBytes>& outputs) {
  LATHE_ASSIGN_OR_RETURN(std::string main_cpp,
                         emit::RenderNamed("validate/cuda_main.cpp.tmpl",
                                           MainView(model, function, name, inputs, outputs)));
  std::vector<emit::OutputFile> files = model.files;
  files.push_back({"main.cpp", std::move(main_cpp)});
  for (const EmbeddedText& text : CudaEmulation()) {
    files.push_back({absl::StrCat(kFolder, text.name), std::string(text.text)});
  }
  return files;
}

absl::Status BuildEmulation(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                            const std::string& folder) {
  LATHE_RETURN_IF_ERROR(bundle::WriteBundle(folder, files));
  const std::filesystem::path root(folder);
  // Rounds after every operation, as the interpreter does.
  std::vector<std::string> common = {tools.cc,
                                     "-std=c++17",
                                     "-ffp-contract=off",
                                     "-U_FORTIFY_SOURCE",
                                     "-I",
                                     folder,
                                     "-I",
                                     (root / std::string(kFolder)).string()};
  common.insert(common.end(), tools.cflags.begin(), tools.cflags.end());
  // One file of kernels and one of host code: each parses the headers, which are most of its text.
  std::string kernels, host;
  for (const emit::OutputFile& file : files) {
    if (bundle::IsOptional(file.name) || absl::StartsWith(file.name, kFolder)) continue;
    if (IsKernels(file.name)) absl::StrAppend(&kernels, "#include \"", file.name, "\"\n");
    if (IsHostCode(file.name)) absl::StrAppend(&host, "#include \"", file.name, "\"\n");
  }
  std::vector<std::string> sources = tools.externs;
  for (const auto& [name, text] : {std::pair(kAllKernels, &kernels), std::pair(kAllHost, &host)}) {
    if (text->empty()) continue;
    sources.push_back((root / name).string());
    LATHE_RETURN_IF_ERROR(WriteFile(sources.back(), *text));
  }
  std::vector<std::string> link = common;
  const char* compiled = std::getenv(kCompiledEmulation);
  link.push_back(compiled != nullptr ? compiled
                                     : (root / absl::StrCat(kFolder, "emulation.cpp")).string());
  int objects = 0;
  for (const std::string& path : sources) {
    if (IsHostCode(path)) link.push_back(path);
    if (!IsKernels(path)) continue;
    // -fsanitize=thread inserts a call before each memory access; the emulation implements these.
    std::vector<std::string> words = common;
    for (const char* word : {"-fsanitize=thread", "-x", "c++", "-c"}) words.emplace_back(word);
    const std::string object = (root / absl::StrCat("kernels_", objects++, ".o")).string();
    words.insert(words.end(), {path, "-o", object});
    LATHE_RETURN_IF_ERROR(Compile(words));
    link.push_back(object);
  }
  link.emplace_back("-o");
  link.push_back((root / "run").string());
  return Compile(link);
}

}  // namespace lathe::driver

#include "generator/driver/validate/host_program.h"

#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/report/status_name.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/main_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
absl::StatusOr<std::vector<emit::OutputFile>> HostFiles(const GeneratedModel& model,
                                                        const emit::ApiFunction& function,
                                                        const std::string& name,
                                                        const std::vector<PartBytes>& inputs,
                                                        const std::vector<PartBytes>& outputs) {
  const auto view = MainView(model, function, name, inputs, outputs);
  LATHE_ASSIGN_OR_RETURN(std::string main_c, emit::RenderNamed("validate/main.c.tmpl", view));
  std::vector<emit::OutputFile> files = model.files;
  files.push_back({"main.c", std::move(main_c)});
  LATHE_ASSIGN_OR_RETURN(files.emplace_back(), GuardsFile(view, name));
  if (function.has_values()) {
    LATHE_ASSIGN_OR_RETURN(std::string values, emit::RenderNamed("validate/values.h.tmpl", {}));
    files.push_back({"values.h", std::move(values)});
  }
  return files;
}

absl::Status BuildHostProgram(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                              const std::string& folder) {
  LATHE_RETURN_IF_ERROR(bundle::WriteBundle(folder, files));
  const std::filesystem::path root(folder);
  std::vector<std::string> words = {tools.cc, "-std=c99", "-I", folder};
  words.insert(words.end(), tools.cflags.begin(), tools.cflags.end());
  for (const emit::OutputFile& file : files) {
    if (absl::EndsWith(file.name, ".c")) words.push_back((root / file.name).string());
  }
  for (std::string& word : LinkWords(tools.externs)) words.push_back(std::move(word));
  for (const char* word : {"-o", "", "-lm"}) words.emplace_back(word);
  words[words.size() - 2] = (root / "run").string();
  LATHE_ASSIGN_OR_RETURN(const CommandResult built, RunCommand(words));
  if (built.exit_code == 0) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("'", tools.cc, "' did not compile the generated code:\n", built.output));
}

absl::StatusOr<std::string> RunHostProgram(const std::vector<std::string>& words,
                                           const std::string& folder,
                                           const std::vector<PartBytes>& inputs, int seconds,
                                           std::string* printed) {
  const std::filesystem::path root(folder);
  const std::string in = (root / "inputs").string(), out = (root / "outputs").string();
  LATHE_RETURN_IF_ERROR(WriteFile(in, InputFile(inputs)));
  std::vector<std::string> outputs;
  for (int fill : {0xaa, 0x55}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {in, out, absl::StrCat(fill)});
    LATHE_ASSIGN_OR_RETURN(const CommandResult ran, RunCommand(all, {.seconds = seconds}));
    if (ran.exit_code != 0) {
      // The status is the last line, after the output of the model.
      const absl::string_view said = absl::StripAsciiWhitespace(ran.output);
      const absl::string_view last = said.substr(said.rfind('\n') + 1);
      if (IsBrokenGuard(last)) return BrokenGuard(last);
      const auto status = ErrorFromStatus(last);
      return status ? *status : ErrorFromExit(ran.exit_code, ran.output);
    }
    LATHE_ASSIGN_OR_RETURN(std::string written, ReadFile(out));
    outputs.push_back(std::move(written));
    if (printed != nullptr) *printed = ran.output;
  }
  LATHE_RETURN_IF_ERROR(CheckEqualOutputs(outputs[0], outputs[1]));
  return outputs[0];
}

}  // namespace lathe::driver

#include "generator/driver/host_program.h"

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/extern_files.h"
#include "generator/emit/c_names.h"
#include "generator/emit/template.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

List Ports(const std::vector<emit::ApiPort>& ports, const std::vector<PartBytes>& parts) {
  List list;
  for (size_t i = 0; i < ports.size(); ++i) {
    list.push_back(Dict{{"name", ports[i].name},
                        {"type", ports[i].type},
                        {"is_tensor", std::holds_alternative<ir::TensorId>(ports[i].part)},
                        {"bytes", absl::StrCat(parts[i].bytes.size())}});
  }
  return list;
}

}  // namespace

absl::StatusOr<std::vector<emit::OutputFile>> HostFiles(const GeneratedModel& model,
                                                        const emit::ApiFunction& function,
                                                        const std::string& name,
                                                        const std::vector<PartBytes>& inputs,
                                                        const std::vector<PartBytes>& outputs) {
  const Dict entry = {{"function", function.function},
                      {"prefix", function.prefix},
                      {"inputs", Ports(function.inputs, inputs)},
                      {"outputs", Ports(function.outputs, outputs)}};
  const Dict data = {
      {"model",
       Dict{{"name", name}, {"NAME", emit::UpperCase(name)}, {"table", model.takes_table}}},
      {"entry", entry}};
  LATHE_ASSIGN_OR_RETURN(std::string main_c, emit::RenderNamed("validate/main.c.tmpl", data));
  std::vector<emit::OutputFile> files = model.files;
  files.push_back({"main.c", std::move(main_c)});
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

absl::StatusOr<std::string> RunHostProgram(std::vector<std::string> words,
                                           const std::string& folder,
                                           const std::vector<PartBytes>& inputs, int fill) {
  const std::filesystem::path root(folder);
  std::string all;
  for (const PartBytes& part : inputs) all += part.bytes;
  LATHE_RETURN_IF_ERROR(WriteFile((root / "inputs").string(), all));
  words.insert(words.end(),
               {(root / "inputs").string(), (root / "outputs").string(), absl::StrCat(fill)});
  LATHE_ASSIGN_OR_RETURN(const CommandResult ran, RunCommand(words));
  if (ran.exit_code != 0) {
    return absl::FailedPreconditionError(absl::StrCat("the compiled program ended with exit code ",
                                                      ran.exit_code, ran.output.empty() ? "" : ": ",
                                                      ran.output));
  }
  return ReadFile((root / "outputs").string());
}

}  // namespace lathe::driver

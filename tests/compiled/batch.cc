#include "tests/compiled/batch.h"

#include <cstdio>
#include <filesystem>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/bundle/runtime_files.h"
#include "generator/driver/report/status_name.h"
#include "generator/support/check.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"

namespace lathe::compiled {
namespace {

// One folder for all: what two have in common, the runtime, is the same file.
std::vector<emit::OutputFile> FilesOf(const std::vector<CompiledProgram>& programs) {
  std::map<std::string, std::string> files;
  for (const CompiledProgram& p : programs) {
    for (const emit::OutputFile& file : p.files) {
      if (file.name != "main.c") {
        files[file.name] = file.text;
        continue;
      }
      const std::string main = absl::StrCat(p.name, "_main");
      files[absl::StrCat(main, ".c")] =
          absl::StrCat("#define main ", main, "\nint main(int argc, char **argv);\n", file.text);
    }
  }
  files["choice.c"] = ChooseProgram(programs);
  const auto functions = ReadFile(LATHE_SOURCE_DIR "/tests/compiled/packed_functions.c");
  LATHE_CHECK(functions.ok(), "the packed functions lie beside this file");
  files["packed_functions.c"] = *functions;
  for (emit::OutputFile& file : bundle::RuntimeFiles({"half.h", "packed.h"})) {
    files[file.name] = std::move(file.text);
  }
  std::vector<emit::OutputFile> list;
  for (auto& [name, text] : files) list.push_back({name, std::move(text)});
  return list;
}

std::string OutputProblem(const CompiledProgram& program, const std::string& got,
                          driver::Tolerance tolerance) {
  size_t at = 0;
  for (size_t i = 0; i < program.wanted.size(); ++i) {
    const driver::PartBytes& wanted = program.wanted[i];
    if (got.size() < at + wanted.bytes.size()) return "it gave too few bytes";
    const driver::Difference d =
        driver::CompareParts(wanted, got.substr(at, wanted.bytes.size()), tolerance);
    at += wanted.bytes.size();
    if (d.beyond == 0) continue;
    return absl::StrCat("output ", i, ": ", d.beyond, " of ", d.elements,
                        " elements differ, the first at ", d.first, "; at most by ", d.largest);
  }
  return got.size() == at ? "" : "it gave too many bytes";
}

}  // namespace

std::string RunProblem(const CompiledProgram& program, const absl::StatusOr<std::string>& got,
                       driver::Tolerance tolerance) {
  if (program.fails.empty()) {
    return got.ok() ? OutputProblem(program, *got, program.tolerance.value_or(tolerance))
                    : std::string(got.status().message());
  }
  if (driver::StatusName(got.status())) return "";
  return absl::StrCat("it should fail (", program.fails, ") and ",
                      got.ok() ? "does not" : std::string(got.status().message()));
}

namespace {

std::string Run(const CompiledProgram& program, const std::vector<std::string>& runner,
                const std::string& folder, driver::Tolerance tolerance) {
  std::vector<std::string> words = runner;
  words.push_back((std::filesystem::path(folder) / "run").string());
  words.push_back(program.name);
  return RunProblem(program, driver::RunHostProgram(words, folder, program.inputs), tolerance);
}

}  // namespace

std::string ChooseProgram(const std::vector<CompiledProgram>& programs) {
  std::string text = "#include <string.h>\n";
  for (const CompiledProgram& p : programs) {
    absl::StrAppend(&text, "int ", p.name, "_main(int argc, char **argv);\n");
  }
  absl::StrAppend(&text, "int main(int argc, char **argv) {\n");
  for (const CompiledProgram& p : programs) {
    absl::StrAppend(&text, "  if (argc > 1 && strcmp(argv[1], \"", p.name,
                    "\") == 0) {\n    return ", p.name, "_main(argc - 1, argv + 1);\n  }\n");
  }
  return absl::StrCat(text, "  return 105;\n}\n");
}

std::string Show(const driver::HostTools& tools) {
  return absl::StrCat(tools.cc, " ", absl::StrJoin(tools.cflags, " "));
}

std::vector<driver::HostTools> InstalledTools(Checks checks) {
  // Without optimisation by clang, which takes several times as long with it.
  const std::vector<std::string> checked = {"-fsanitize=address,undefined",
                                            "-fno-sanitize-recover=all", "-O0"};
  std::vector<driver::HostTools> all = {{"clang", checked}};
  if (checks == Checks::kSanitizers) {
    all.push_back({"gcc", checked});
    all.back().cflags.back() = "-O1";
  } else {
    for (const char* cc : {"clang", "gcc"}) {
      for (const char* flag : {"-O2", "-O0"}) all.insert(all.begin(), {cc, {flag}});
    }
  }
  std::vector<driver::HostTools> installed;
  for (const driver::HostTools& tools : all) {
    const auto version = RunCommand({tools.cc, "--version"});
    if (version.ok() && version->exit_code == 0) {
      installed.push_back(tools);
    } else {
      std::printf("skipped: no %s for '%s'\n", tools.cc.c_str(), Show(tools).c_str());
    }
  }
  return installed;
}

std::vector<std::string> Problems(const std::vector<CompiledProgram>& programs,
                                  const BuildBatch& build, const std::string& folder,
                                  driver::Tolerance tolerance,
                                  const std::vector<std::string>& runner) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  const absl::Status built = build(programs, folder);
  if (!built.ok() && programs.size() == 1) return {std::string(built.message())};
  std::vector<std::string> problems;
  for (const CompiledProgram& program : programs) {
    problems.push_back(built.ok() ? Run(program, runner, folder, tolerance)
                                  : Problems({program}, build, folder, tolerance, runner)[0]);
  }
  return problems;
}

std::vector<std::string> Problems(const std::vector<CompiledProgram>& programs,
                                  const driver::HostTools& tools, const std::string& folder,
                                  driver::Tolerance tolerance,
                                  const std::vector<std::string>& runner) {
  const BuildBatch in_c = [&](const std::vector<CompiledProgram>& batch, const std::string& place) {
    return driver::BuildHostProgram(FilesOf(batch), tools, place);
  };
  return Problems(programs, in_c, folder, tolerance, runner);
}

}  // namespace lathe::compiled

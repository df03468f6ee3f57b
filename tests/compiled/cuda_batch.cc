#include "tests/compiled/cuda_batch.h"

#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/bundle/runtime_files.h"
#include "generator/driver/validate/cuda_device.h"
#include "generator/driver/validate/cuda_emulation.h"
#include "generator/support/check.h"
#include "generator/support/files.h"

namespace lathe::compiled {
namespace {

// All programs have a main.cpp with the same names in it: each gets a namespace, after the
// headers that it includes. What it defines for C has a name of its own.
std::string InNamespace(const CompiledProgram& program, const std::string& main_cpp) {
  const std::string space = absl::StrCat("of_", program.name);
  const std::string main = absl::StrCat(program.name, "_main");
  return absl::StrCat("#include \"", program.name, ".h\"\nnamespace ", space, " {\n#define main ",
                      main, "\n#define lathe_print ", program.name, "_print\n#include \"", main_cpp,
                      "\"\n#undef lathe_print\n#undef main\n}\nint ", main,
                      "(int argc, char **argv) { return ", space, "::", main, "(argc, argv); }\n");
}

void AddPackedFunctions(std::map<std::string, std::string>& files) {
  const auto functions = ReadFile(LATHE_SOURCE_DIR "/tests/compiled/packed_functions.cu");
  LATHE_CHECK(functions.ok(), "the packed functions lie beside this file");
  files["packed_functions.cu"] = *functions;
  for (emit::OutputFile& file : bundle::RuntimeFiles({"cuda_half.h"})) {
    files[file.name] = std::move(file.text);
  }
}

// What all programs are made of: their kernels are one file, what the host does another.
std::vector<emit::OutputFile> CudaFilesOf(const std::vector<CompiledProgram>& programs) {
  std::map<std::string, std::string> files;
  std::string kernels;
  std::string host =
      "#include <cuda_runtime_api.h>\n#include <stdint.h>\n#include <stdio.h>\n"
      "#include <stdlib.h>\n#include <string.h>\n#include <vector>\n";
  std::string mains;
  for (const CompiledProgram& p : programs) {
    for (const emit::OutputFile& file : p.files) {
      if (absl::StartsWith(file.name, "examples/")) continue;
      const bool is_main = file.name == "main.cpp";
      const bool is_host = absl::EndsWith(file.name, ".cpp") && !is_main;
      const bool is_device = absl::EndsWith(file.name, ".cu");
      const bool is_emulation = absl::StartsWith(file.name, "emulation/");
      if (is_emulation || (!is_main && !is_host && !is_device)) {
        files[file.name] = file.text;
        continue;
      }
      // An ending that the build does not know: it is compiled as a part of one file.
      const std::string name =
          absl::StrCat(is_main ? absl::StrCat(p.name, "_") : "", file.name, ".part");
      files[name] = file.text;
      if (is_main) {
        absl::StrAppend(&mains, InNamespace(p, name));
      } else {
        absl::StrAppend(is_host ? &host : &kernels, "#include \"", name, "\"\n");
      }
    }
  }
  if (files.count("lathe/packed_stream.h") != 0) AddPackedFunctions(files);
  files["kernels.cu"] = kernels;
  files["host.cpp"] = absl::StrCat(host, mains, ChooseProgram(programs));
  std::vector<emit::OutputFile> list;
  for (auto& [name, text] : files) list.push_back({name, std::move(text)});
  return list;
}

}  // namespace

absl::Status BuildOnEmulation(const std::vector<CompiledProgram>& programs,
                              const driver::HostTools& tools, const std::string& folder) {
  return driver::BuildEmulation(CudaFilesOf(programs), tools, folder);
}

absl::Status BuildOnGpu(const std::vector<CompiledProgram>& programs,
                        const driver::HostTools& tools, const GpuChoice& gpus,
                        const std::string& folder) {
  return driver::BuildForDevice(CudaFilesOf(programs), tools, gpus, folder);
}

}  // namespace lathe::compiled

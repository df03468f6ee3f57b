#include "generator/driver/validate/cuda_device.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/bundle/runtime_files.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/validate/cuda_emulation.h"
#include "generator/driver/validate/main_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/lower/lower_packed.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

constexpr char kToolkit[] = "/usr/local/cuda/bin/nvcc";  // location in NVIDIA's packages
constexpr int kNoGpu = 107;  // exit code of the generated programs without a GPU

std::vector<std::string> ArchitectureWords(const GpuChoice& gpus) {
  std::vector<std::string> words;
  const auto add = [&](absl::string_view architecture, absl::string_view kind) {
    words.emplace_back("-gencode");
    words.push_back(absl::StrCat("arch=compute_", architecture, ",code=", kind, "_", architecture));
  };
  for (const Gpu* gpu : gpus.gpus) add(gpu->architecture, "sm");
  if (gpus.ptx) add(absl::StrCat(gpus.gpus.front()->version), "compute");
  return words;
}

}  // namespace

std::string FindNvcc() {
  const auto found = RunCommand({"nvcc", "--version"});
  if (found.ok()) return "nvcc";
  std::error_code ignored;
  return std::filesystem::exists(kToolkit, ignored) ? kToolkit : "nvcc";
}

absl::Status BuildForDevice(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                            const GpuChoice& gpus, const std::string& folder) {
  LATHE_RETURN_IF_ERROR(bundle::WriteBundle(folder, files));
  const std::filesystem::path root(folder);
  std::vector<std::string> words = {tools.cc, "-std=c++17", "-I", folder};
  for (std::string& word : ArchitectureWords(gpus)) words.push_back(std::move(word));
  words.insert(words.end(), tools.cflags.begin(), tools.cflags.end());
  for (const emit::OutputFile& file : files) {
    const std::string ending = std::filesystem::path(file.name).extension().string();
    const bool compiled = ending == ".cu" || ending == ".cpp" || ending == ".c";
    if (!compiled || bundle::IsOptional(file.name)) continue;
    words.push_back((root / file.name).string());
  }
  words.insert(words.end(), tools.externs.begin(), tools.externs.end());
  words.insert(words.end(), {"-o", (root / "run").string()});
  const auto built = RunCommand(words);
  if (absl::IsNotFound(built.status())) {
    return absl::UnavailableError(
        absl::StrCat("cannot find '", tools.cc,
                     "', the compiler for GPUs; '--on cuda-emulation' needs only a C++ compiler"));
  }
  LATHE_RETURN_IF_ERROR(built.status());
  if (built->exit_code == 0) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("'", tools.cc, "' did not compile the generated code:\n", built->output));
}

absl::StatusOr<std::vector<std::string>> OnDevice(const std::string& program,
                                                  const std::string& device) {
  std::vector<std::string> words;
  if (!device.empty()) words = {"env", absl::StrCat("CUDA_VISIBLE_DEVICES=", device)};
  words.push_back(program);
  LATHE_ASSIGN_OR_RETURN(const CommandResult tried, RunCommand(words));
  if (tried.exit_code != kNoGpu) return words;
  return absl::UnavailableError(
      absl::StrCat("no GPU", device.empty() ? "" : " ", device, " is available: ", tried.output));
}

namespace {

// Builds the program for `function` and returns the command that runs it at `place`.
absl::StatusOr<std::vector<std::string>> Built(const ValidatePlace& place,
                                               const GeneratedModel& model,
                                               const emit::ApiFunction& function,
                                               const std::string& name, const std::string& folder,
                                               const std::vector<PartBytes>& inputs,
                                               const std::vector<PartBytes>& outputs) {
  for (const std::string& function : model.externs) {
    if (function == lower::kPrint || !place.on_gpu.empty()) continue;
    return absl::UnavailableError(
        absl::StrCat("the program calls '", function,
                     "', an external function; define it with '--extern FILE.cu'"));
  }
  if (!model.kernel_externs.empty() && place.on_gpu.empty()) {
    return absl::UnavailableError(
        absl::StrCat("kernels call '", model.kernel_externs[0],
                     "', an external function; define it for the GPU with '--extern FILE.cu', as '",
                     name, "_outside.h' declares it"));
  }
  HostTools tools = {place.cc, place.cflags, place.on_gpu};
  const std::string program = (std::filesystem::path(folder) / "run").string();
  if (!place.emulates && !model.kernel_externs.empty()) tools.cflags.emplace_back("-rdc=true");
  if (place.emulates) {
    LATHE_ASSIGN_OR_RETURN(const auto files,
                           EmulationFiles(model, function, name, inputs, outputs));
    LATHE_RETURN_IF_ERROR(BuildEmulation(files, tools, folder));
    return std::vector<std::string>{program};
  }
  LATHE_ASSIGN_OR_RETURN(std::string main_cpp,
                         emit::RenderNamed("validate/cuda_main.cpp.tmpl",
                                           MainView(model, function, name, inputs, outputs)));
  std::vector<emit::OutputFile> files = model.files;
  files.push_back({"main.cpp", std::move(main_cpp)});
  LATHE_RETURN_IF_ERROR(BuildForDevice(files, tools, *place.gpus, folder));
  return OnDevice(program, place.device);
}

}  // namespace

absl::StatusOr<std::string> RunOnGpu(const ValidatePlace& place, const GeneratedModel& model,
                                     const emit::ApiFunction& function, const std::string& name,
                                     const std::string& folder,
                                     const std::vector<PartBytes>& inputs,
                                     const std::vector<PartBytes>& wanted) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<std::string> words,
                         Built(place, model, function, name, folder, inputs, wanted));
  return RunHostProgram(words, folder, inputs, place.seconds);
}

absl::StatusOr<std::string> TimeOnGpu(const ValidatePlace& place, const GeneratedModel& model,
                                      const emit::ApiFunction& function, const std::string& name,
                                      const std::string& folder,
                                      const std::vector<PartBytes>& inputs,
                                      const std::vector<PartBytes>& room, const TimedRuns& timed) {
  LATHE_ASSIGN_OR_RETURN(std::vector<std::string> words,
                         Built(place, model, function, name, folder, inputs, room));
  const std::filesystem::path root(folder);
  LATHE_RETURN_IF_ERROR(WriteFile((root / "inputs").string(), InputFile(inputs)));
  words.insert(words.end(),
               {(root / "inputs").string(), (root / "outputs").string(), "0",
                absl::StrCat(timed.before), absl::StrCat(timed.runs), timed.captured ? "1" : "0"});
  LATHE_ASSIGN_OR_RETURN(const CommandResult ran, RunCommand(words, {.seconds = place.seconds}));
  if (ran.exit_code == 0) return ran.output;
  return absl::FailedPreconditionError(absl::StrCat("the compiled program ended with exit code ",
                                                    ran.exit_code, ran.output.empty() ? "" : ": ",
                                                    ran.output));
}

}  // namespace lathe::driver

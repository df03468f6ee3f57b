#include "generator/driver/cli/verb_doctor.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/driver/report/version.h"
#include "generator/driver/validate/cuda_device.h"
#include "generator/driver/view/report_json.h"
#include "generator/support/closest_name.h"
#include "generator/support/run_command.h"
#include "generator/target/board.h"
#include "generator/target/target.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr Option kDoctorOptions[] = {
    {"--require", 0, "NAME", "end with exit code 5 if this tool or board is missing; repeatable"},
};

// A program that other verbs run.
struct Tool {
  std::string name;
  std::string purpose;
  std::string packages;      // of Debian
  std::string program = {};  // its path, if that is not its name
  bool found = false;
  std::string version;  // the line that has it
};

struct Doctor {
  std::vector<Tool> tools;

  const Tool* Find(absl::string_view name) const {
    for (const Tool& tool : tools) {
      if (tool.name == name) return &tool;
    }
    return nullptr;
  }
  bool Runs(const Board& board) const {
    return Find(board.emulator)->found && Find(FindTarget(board.target)->compiler)->found;
  }
};

// Returns the first line with a number such as 12.2; without one, the first line. nvcc prints its
// title first.
std::string VersionIn(absl::string_view text) {
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  for (absl::string_view line : lines) {
    for (size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] != '.' || !absl::ascii_isdigit(static_cast<unsigned char>(line[i - 1]))) continue;
      if (!absl::ascii_isdigit(static_cast<unsigned char>(line[i + 1]))) continue;
      return std::string(absl::StripAsciiWhitespace(line));
    }
  }
  return std::string(absl::StripAsciiWhitespace(lines[0]));
}

void FindTool(Tool& tool) {
  constexpr int kSeconds = 20;
  const auto ran = RunCommand({tool.program.empty() ? tool.name : tool.program, "--version"},
                              {.seconds = kSeconds});
  tool.found = !absl::IsNotFound(ran.status());
  if (!ran.ok()) return;
  tool.version = VersionIn(ran->output);
}

// Returns the programs in the order of their use: of this machine, then by target and board.
Doctor Examine() {
  Doctor doctor;
  doctor.tools = {{"cc", "validate on this machine; validate --profile", "gcc"},
                  {"c++", "validate --on cuda-emulation", "g++"}};
  for (const Target& target : AllTargets()) {
    if (target.compiler.empty() || doctor.Find(target.compiler) != nullptr) continue;
    std::vector<absl::string_view> names;
    for (const Target& other : AllTargets()) {
      if (other.compiler == target.compiler) names.push_back(other.name);
    }
    doctor.tools.push_back({std::string(target.compiler),
                            absl::StrCat("code for ", absl::StrJoin(names, ", ")),
                            std::string(target.packages)});
  }
  for (const Board& board : AllBoards()) {
    if (doctor.Find(board.emulator) != nullptr) continue;
    doctor.tools.push_back(
        {std::string(board.emulator), "validate --on qemu", std::string(board.package)});
  }
  doctor.tools.push_back({"nvcc", "validate and bench --on cuda", "", FindNvcc()});
  for (Tool& tool : doctor.tools) FindTool(tool);
  return doctor;
}

std::string DoctorAsText(const Doctor& doctor) {
  std::string out = VersionLine();
  for (const Tool& tool : doctor.tools) {
    absl::StrAppendFormat(&out, "%-8s %-24s %s\n", tool.found ? "found" : "missing", tool.name,
                          tool.found ? tool.version
                          : tool.packages.empty()
                              ? absl::StrCat("for: ", tool.purpose)
                              : absl::StrCat("for: ", tool.purpose, "; Debian: ", tool.packages));
  }
  for (const Board& board : AllBoards()) {
    absl::StrAppendFormat(&out, "%-8s %-24s %s\n", doctor.Runs(board) ? "runs" : "missing",
                          absl::StrCat("qemu:", board.name), board.target);
  }
  return out;
}

std::string DoctorAsJson(const Doctor& doctor) {
  Json tools = Json::array(), boards = Json::array();
  for (const Tool& tool : doctor.tools) {
    tools.push_back(Json{{"name", tool.name},
                         {"purpose", tool.purpose},
                         {"found", tool.found},
                         {"version", tool.version.empty() ? Json(nullptr) : Json(tool.version)},
                         {"debian_packages", tool.packages}});
  }
  for (const Board& board : AllBoards()) {
    boards.push_back(Json{{"name", std::string(board.name)},
                          {"target", std::string(board.target)},
                          {"runs", doctor.Runs(board)}});
  }
  return JsonText(
      Json{{"schema_version", 1}, {"tools", std::move(tools)}, {"boards", std::move(boards)}});
}

ExitCode RunDoctor(const Invocation& in) {
  const Doctor doctor = Examine();
  std::vector<absl::string_view> names;
  for (const Tool& tool : doctor.tools) names.push_back(tool.name);
  for (const Board& board : AllBoards()) names.push_back(board.name);
  for (absl::string_view name : in.args.Values("--require")) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return in.report->Usage(absl::StrCat("option '--require': no tool or board is named '", name,
                                         "'", DidYouMean(name, names),
                                         "; supported: ", absl::StrJoin(names, ", ")));
  }
  Print(in.io.out, in.args.Has("--json") ? DoctorAsJson(doctor) : DoctorAsText(doctor));
  ExitCode code = kExitOk;
  for (absl::string_view name : in.args.Values("--require")) {
    const Tool* tool = doctor.Find(name);
    const bool there =
        tool != nullptr
            ? tool->found
            : std::any_of(AllBoards().begin(), AllBoards().end(), [&](const Board& board) {
                return board.name == name && doctor.Runs(board);
              });
    if (!there) code = in.report->Fail(kExitEnvironment, absl::StrCat("'", name, "' is missing"));
  }
  return code;
}

}  // namespace

const Verb kVerbDoctor = {
    .name = "doctor",
    .summary = "list the compilers, emulators and boards that are found",
    .operands = "",
    .reports = true,
    .options = kDoctorOptions,
    .details =
        "Names the Debian packages of missing programs. A board needs the compiler of its target\n"
        "and its emulator.\n"
        "\n"
        "Examples:\n"
        "  lathe doctor\n"
        "  lathe doctor --require arm-none-eabi-gcc --require mps2-an386 --json\n",
    .run = RunDoctor,
};

}  // namespace lathe::driver

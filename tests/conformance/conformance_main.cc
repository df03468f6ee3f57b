// lathe_conformance MANIFEST.json [--json OUT.json] [--only TEXT] [--failures FOLDER]
//                   [--printed FOLDER] [--deliberate TABLE]
//
// Runs every program of a manifest that harvest_tvmscript.py wrote, each in a process of its own,
// and prints what became of them by folder, and how the verdicts agree with those of TVM's tests.
// The folders get what was printed: what did not read back, or all of it.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/conformance/run_program.h"
#include "tests/conformance/verdicts.h"

namespace lathe::conformance {
namespace {

using nlohmann::json;

constexpr int kSecondsPerProgram = 30;

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

json AsJson(const ProgramResult& result) {
  json dialects = json::object();
  for (const DialectResult& d : result.dialects) {
    dialects[d.dialect] = {{"status", d.status}, {"detail", d.detail}, {"text", d.text}};
  }
  return {{"status", result.status},
          {"codes", result.codes},
          {"message", result.message},
          {"lines", result.lines},
          {"check_codes", result.check_codes},
          {"check_message", result.check_message},
          {"dialects", dialects}};
}

std::string Drain(int fd) {
  std::string out;
  char buffer[65536];
  for (ssize_t n = 0; (n = read(fd, buffer, sizeof buffer)) > 0;) out.append(buffer, n);
  return out;
}

// What becomes of the program at `path` in a process that cannot take this one along.
json RunIsolated(const std::filesystem::path& path) {
  int pipe_fds[2];
  if (pipe(pipe_fds) != 0) return {{"status", "no pipe"}};
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_fds[0]);
    alarm(kSecondsPerProgram);
    const json result = AsJson(RunProgram(path.filename().string(), ReadAll(path)));
    const std::string text = result.dump(-1, ' ', true, json::error_handler_t::replace);
    for (size_t at = 0; at < text.size();) {
      const ssize_t n = write(pipe_fds[1], text.data() + at, text.size() - at);
      if (n <= 0) break;
      at += static_cast<size_t>(n);
    }
    _exit(0);
  }
  close(pipe_fds[1]);
  const std::string text = Drain(pipe_fds[0]);
  close(pipe_fds[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    const bool late = WTERMSIG(status) == SIGALRM;
    return {{"status", late ? "timeout" : "crashed"}, {"signal", WTERMSIG(status)}};
  }
  json result = json::parse(text, nullptr, false);
  if (result.is_discarded()) {
    return {{"status", "crashed"}, {"exit", WEXITSTATUS(status)}};
  }
  return result;
}

struct Counts {
  int programs = 0, pure = 0, read = 0, crashed = 0, all = 0;
  std::map<std::string, int> same;
};

void Count(const json& program, const json& result, Counts& counts) {
  ++counts.programs;
  const std::string status = result.at("status");
  if (status == "crashed" || status == "timeout") ++counts.crashed;
  // Undecorated functions that tests hand to a check are there for their verdicts.
  if (!program.at("pure").get<bool>() || !program.at("decorated").get<bool>()) return;
  ++counts.pure;
  if (status != "read") return;
  ++counts.read;
  bool all = true;
  for (const auto& [dialect, one] : result.at("dialects").items()) {
    const bool same = one.at("status") == "same";
    counts.same[dialect] += same;
    all = all && same;
  }
  counts.all += all;
}

void PrintRow(const std::string& name, Counts& c) {
  const auto percent = [&](int n) { return c.pure == 0 ? 100.0 : 100.0 * n / c.pure; };
  std::printf("%-40s %6d %6d %6d %8d %8d %8d %8d %8d %6.1f%% %7d\n", name.c_str(), c.programs,
              c.pure, c.read, c.same["classic"], c.same["0.24"], c.same["0.26"], c.same["0.27"],
              c.all, percent(c.all), c.crashed);
}

std::string FolderOf(const std::string& source) {
  const size_t slash = source.rfind('/');
  return slash == std::string::npos ? "." : source.substr(0, slash);
}

void PrintTable(std::map<std::string, Counts>& folders) {
  std::printf("%-40s %6s %6s %6s %8s %8s %8s %8s %8s %7s %7s\n", "folder", "all", "pure", "read",
              "classic", "0.24", "0.26", "0.27", "all 4", "", "crashed");
  Counts total;
  for (auto& [name, c] : folders) {
    PrintRow(name, c);
    total.programs += c.programs;
    total.pure += c.pure;
    total.read += c.read;
    total.all += c.all;
    total.crashed += c.crashed;
    for (const auto& [dialect, n] : c.same) total.same[dialect] += n;
  }
  PrintRow("total", total);
}

void PrintCodes(const json& results) {
  std::map<std::string, int> codes;
  for (const json& one : results) {
    if (!one.at("pure").get<bool>() || one.at("status") != "refused") continue;
    if (!one.at("decorated").get<bool>()) continue;
    if (!one.at("codes").empty()) ++codes[one.at("codes")[0].get<std::string>()];
  }
  std::printf("\npure programs that are refused, by the first code\n");
  for (const auto& [code, n] : codes) std::printf("%6d %s\n", n, code.c_str());
}

// Moves the texts out of `dialects` into files.
void KeepTexts(const std::filesystem::path& file, json& dialects, const std::string& failures,
               const std::string& printed) {
  for (auto& [dialect, one] : dialects.items()) {
    const std::string name = file.stem().string() + "." + dialect + ".py";
    const std::string text = one["text"];
    one.erase("text");
    if (!printed.empty()) {
      std::filesystem::create_directories(printed);
      std::ofstream(std::filesystem::path(printed) / name) << text;
    }
    if (!failures.empty() && one["status"] != "same") {
      std::filesystem::create_directories(failures);
      std::ofstream(std::filesystem::path(failures) / name)
          << "# " << one["status"].get<std::string>() << ": " << one["detail"].get<std::string>()
          << "\n"
          << text;
    }
  }
}

// Programs that no test calls bad, and that reading or checking refuses.
void PrintUnexpected(const json& results) {
  std::map<std::string, int> codes;
  int total = 0, good = 0;
  for (const json& one : results) {
    if (!one.at("pure").get<bool>() || one.at("raises").get<bool>()) continue;
    if (!one.at("check_well_formed").get<bool>() || one.at("status") != "read") continue;
    ++total;
    if (one.at("check_codes").empty()) {
      ++good;
    } else {
      ++codes[one.at("check_codes")[0].get<std::string>()];
    }
  }
  std::printf(
      "\n%d of the %d pure programs that are read and that TVM takes for good check without "
      "errors; the others, by the first code\n",
      good, total);
  for (const auto& [code, n] : codes) std::printf("%6d %s\n", n, code.c_str());
}

int Main(int argc, char** argv) {
  std::string manifest, out, only, failures, printed;
  std::string deliberate = LATHE_DELIBERATE;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    std::string* value = arg == "--json"         ? &out
                         : arg == "--only"       ? &only
                         : arg == "--failures"   ? &failures
                         : arg == "--printed"    ? &printed
                         : arg == "--deliberate" ? &deliberate
                                                 : nullptr;
    if (value == nullptr) {
      manifest = arg;
    } else if (++i < argc) {
      *value = argv[i];
    }
  }
  const json programs = json::parse(ReadAll(manifest), nullptr, false);
  if (programs.is_discarded()) {
    std::fprintf(stderr,
                 "usage: lathe_conformance MANIFEST.json [--json OUT.json] [--only TEXT] "
                 "[--failures FOLDER] [--printed FOLDER] [--deliberate TABLE]\n");
    return 1;
  }
  const std::filesystem::path root = std::filesystem::path(manifest).parent_path();
  std::map<std::string, Counts> folders;
  json results = json::array();
  for (const json& program : programs.at("programs")) {
    const std::string file = program.at("file");
    if (file.find(only) == std::string::npos) continue;
    json result = RunIsolated(root / file);
    Count(program, result, folders[FolderOf(program.at("source"))]);
    for (const char* key : {"file", "source", "line", "name", "test", "pure", "raises",
                            "check_well_formed", "verdict", "because", "error_line", "decorated"}) {
      result[key] = program.at(key);
    }
    if (result.contains("dialects")) KeepTexts(file, result["dialects"], failures, printed);
    results.push_back(std::move(result));
  }
  PrintTable(folders);
  PrintCodes(results);
  PrintUnexpected(results);
  PrintVerdicts(results, ReadAll(deliberate));
  if (!out.empty()) std::ofstream(out) << results.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace lathe::conformance

int main(int argc, char** argv) { return lathe::conformance::Main(argc, argv); }

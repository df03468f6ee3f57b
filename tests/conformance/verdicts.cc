#include "tests/conformance/verdicts.h"

#include <cstdio>
#include <map>
#include <sstream>

namespace lathe::conformance {
namespace {

using nlohmann::json;

// From "test_file.py::test_name" to the reason.
std::map<std::string, std::string> ReadTable(const std::string& table) {
  std::map<std::string, std::string> reasons;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const size_t space = line.find(' ');
    if (line.empty() || line.front() == '#' || space == std::string::npos) continue;
    const size_t reason = line.find_first_not_of(' ', space);
    if (reason != std::string::npos) reasons[line.substr(0, space)] = line.substr(reason);
  }
  return reasons;
}

std::string KeyOf(const json& one) {
  const std::string source = one.at("source");
  const std::string test = one.at("test").is_null() ? "" : one.at("test").get<std::string>();
  return source.substr(source.rfind('/') + 1) + "::" + test;
}

// Tests accept the line they name and the one after it.
bool NamesLine(const json& result) {
  const int wanted = result.at("error_line");
  for (const int line : result.at("lines")) {
    if (line == wanted || line == wanted + 1) return true;
  }
  return false;
}

std::string OurVerdict(const json& one) {
  const std::string status = one.at("status");
  if (status == "crashed" || status == "timeout") return status;
  return status == "read" && one.at("check_codes").empty() ? "accept" : "reject";
}

// What we say of it, or nothing.
std::string MessageOf(const json& one) {
  return one.at("status") == "read" ? one.value("check_message", "") : one.value("message", "");
}

}  // namespace

void PrintVerdicts(const json& results, const std::string& table) {
  const std::map<std::string, std::string> reasons = ReadTable(table);
  int agreed = 0, deliberate = 0, other = 0, lines = 0, right_lines = 0;
  std::printf("\nverdicts of TVM's tests on pure programs; those that are not ours:\n");
  for (const json& one : results) {
    if (!one.at("pure").get<bool>() || one.at("verdict").is_null()) continue;
    const std::string place =
        one.at("source").get<std::string>() + ":" + std::to_string(one.at("line").get<int>());
    const std::string ours = OurVerdict(one);
    if (ours == one.at("verdict")) {
      ++agreed;
      if (one.at("error_line").is_null() || one.at("status") != "refused") continue;
      ++lines;
      right_lines += NamesLine(one) ? 1 : 0;
      if (!NamesLine(one)) {
        std::printf("  %s we name another line: %s\n", place.c_str(), MessageOf(one).c_str());
      }
      continue;
    }
    const auto reason = reasons.find(KeyOf(one));
    const bool meant = reason != reasons.end() && ours != "crashed" && ours != "timeout";
    ++(meant ? deliberate : other);
    std::printf("  %s %s %s, we %s: %s | %s\n", meant ? "deliberate" : "other", place.c_str(),
                one.at("verdict").get<std::string>().c_str(), ours.c_str(),
                one.at("because").get<std::string>().c_str(),
                meant ? reason->second.c_str() : MessageOf(one).c_str());
  }
  const int total = agreed + deliberate + other;
  std::printf(
      "agreed %d, deliberate %d, other %d of %d: %.1f%% as wanted; named the line that the "
      "test does in %d of %d\n",
      agreed, deliberate, other, total, total == 0 ? 100.0 : 100.0 * (agreed + deliberate) / total,
      right_lines, lines);
}

}  // namespace lathe::conformance

#include "generator/driver/command_line.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/exit_code.h"
#include "generator/driver/help_text.h"
#include "generator/driver/parse_arguments.h"
#include "generator/driver/response_file.h"
#include "generator/driver/verb.h"
#include "generator/driver/version.h"

namespace lathe::driver {
namespace {

ExitCode WrongUsage(absl::string_view what, const Verb* verb, const Streams& io) {
  Print(io.err, absl::StrCat("lathe: error: ", what, "\n",
                             verb == nullptr ? "'lathe help' says how to use it\n"
                                             : absl::StrCat("usage: ", UsageLine(*verb), "\n")));
  return kExitUsage;
}

// Help and version are answered whatever else is on the line.
bool AnswerHelp(const ParsedLine& line, const Streams& io) {
  if (line.args.Has("--version")) {
    Print(io.out, line.args.Has("--json") ? VersionJson() : VersionLine());
    return true;
  }
  const bool all = line.args.Has("--help-all");
  if (!all && !line.args.Has("--help")) return false;
  if (line.verb != nullptr) {
    Print(io.out, HelpTextOf(*line.verb, all));
  } else {
    Print(io.out, all ? HelpTextOfAll() : HelpText());
  }
  return true;
}

std::string WrongOperands(const Verb& verb, const Arguments& args) {
  if (static_cast<int>(args.operands.size()) < verb.min_operands) {
    return absl::StrCat("'", verb.name, "' needs ", verb.operands);
  }
  if (static_cast<int>(args.operands.size()) > verb.max_operands) {
    return absl::StrCat("'", verb.name, "' has no use for '", args.operands[verb.max_operands],
                        "'");
  }
  return "";
}

}  // namespace

int RunLathe(absl::Span<const std::string> args, const Streams& io) {
  const auto words = ExpandResponseFiles(args);
  if (!words.ok()) return WrongUsage(words.status().message(), nullptr, io);
  const auto line = ParseArguments(*words);
  if (!line.ok()) return WrongUsage(line.status().message(), nullptr, io);
  if (AnswerHelp(*line, io)) return kExitOk;
  if (line->verb == nullptr) {
    Print(io.err, HelpText());
    return kExitUsage;
  }
  if (std::string wrong = WrongOperands(*line->verb, line->args); !wrong.empty()) {
    return WrongUsage(wrong, line->verb, io);
  }
  const auto report = ReadReportOptions(line->args, io);
  if (!report.ok()) return WrongUsage(report.status().message(), line->verb, io);
  const ExitCode code = line->verb->run({line->verb, line->args, io, *report});
  // A full disk or a closed pipe must not look like success.
  if (std::fflush(io.out) != 0 || std::ferror(io.out) != 0) {
    Print(io.err, "lathe: error: cannot write the results to standard output\n");
    return kExitEnvironment;
  }
  return code;
}

}  // namespace lathe::driver

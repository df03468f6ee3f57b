#include "generator/driver/cli/command_line.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/cli/help_text.h"
#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/cli/response_file.h"
#include "generator/driver/options/verb.h"
#include "generator/driver/report/exit_code.h"
#include "generator/driver/report/version.h"

namespace lathe::driver {
namespace {

// Reports usage errors as text, because the options that select the format are not parsed yet.
ExitCode WrongUsage(absl::string_view what, const Streams& io) {
  Print(io.err, absl::StrCat("lathe: error: ", what, "\n"));
  return kExitUsage;
}

// Prints help or the version if requested, and ignores the rest of the line.
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
    return absl::StrCat("'", verb.name, "' takes no operand '", args.operands[verb.max_operands],
                        "'");
  }
  return "";
}

ExitCode RunVerb(const Invocation& in) {
  if (std::string wrong = WrongOperands(*in.verb, in.args); !wrong.empty()) {
    return in.report->Usage(absl::StrCat(wrong, "\nusage: ", UsageLine(*in.verb)));
  }
  const ExitCode code = in.verb->run(in);
  // A full disk or a closed pipe must not look like success.
  if (std::fflush(in.io.out) != 0 || std::ferror(in.io.out) != 0) {
    return in.report->Fail(kExitEnvironment, "cannot write the results to standard output");
  }
  return code;
}

}  // namespace

int RunLathe(absl::Span<const std::string> args, const Streams& io) {
  const auto words = ExpandResponseFiles(args);
  if (!words.ok()) return WrongUsage(words.status().message(), io);
  const auto line = ParseArguments(*words);
  if (!line.ok()) return WrongUsage(line.status().message(), io);
  if (AnswerHelp(*line, io)) return kExitOk;
  if (line->verb == nullptr) {
    Print(io.err, HelpText());
    return kExitUsage;
  }
  const auto options = ReadReportOptions(line->args, io);
  if (!options.ok()) {
    return WrongUsage(absl::StrCat(options.status().message(), "\nusage: ", UsageLine(*line->verb)),
                      io);
  }
  Report report(*options, io.err);
  const ExitCode code = RunVerb({line->verb, line->args, io, &report});
  report.Finish(code);
  return code;
}

}  // namespace lathe::driver

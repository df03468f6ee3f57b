#include "generator/driver/cli/verb_reduce.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/cli/failing_command.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/file_format.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/report/work_folder.h"
#include "generator/driver/view/report_json.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/support/count_of.h"
#include "generator/support/files.h"
#include "generator/support/status.h"
#include "generator/target/target.h"
#include "generator/transform/inline_private_functions.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/reduce/reduce_program.h"
#include "generator/writer/onnx/write_onnx.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr Option kReduceOptions[] = {
    {"--output", 'o', "FILE",
     "the reduced program, written at each improvement: Relax, or ONNX for a name in .onnx "
     "(reduced.py)"},
    {"--fails", 0, "COMMAND",
     "a verb of lathe with its options, or a shell command; {} is the program, which is otherwise "
     "the last word (validate)"},
    {"--max-seconds", 0, "SECONDS", "end after this time with the smallest program so far"},
    {"--time-limit", 0, "SECONDS", "time limit of one run of the command (300)"},
    {"--dim", 'D', "NAME=N", "the program for this size of a shape variable"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kLikeOption,
};

absl::StatusOr<int> ReadSeconds(const Arguments& args, absl::string_view option, int otherwise) {
  int seconds = otherwise;
  if (args.Has(option) &&
      (!absl::SimpleAtoi(args.Value(option), &seconds) || seconds < 1 || seconds > 86400)) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '", option, "' must be a number of seconds from 1 to 86400; got '",
                     args.Value(option), "'"));
  }
  return seconds;
}

class Reduction {
 public:
  explicit Reduction(const Invocation& in)
      : in_(in), output_(in.args.Value("--output", "reduced.py")) {}

  ExitCode Run() {
    const auto limit = ReadSeconds(in_.args, "--time-limit", 300);
    if (!limit.ok()) return in_.report->Usage(limit.status().message());
    const auto most = ReadSeconds(in_.args, "--max-seconds", 0);
    if (!most.ok()) return in_.report->Usage(most.status().message());
    max_seconds_ = *most;
    if (const absl::Status status = CheckOutput(); !status.ok()) {
      return in_.report->Usage(status.message());
    }
    const WorkFolder folder("");
    if (folder.path().empty()) {
      return in_.report->EnvironmentError(absl::UnavailableError("cannot create a folder"));
    }
    const auto command =
        FailingCommand::Parse(in_.args.Value("--fails", "validate"), folder.path(), *limit);
    if (!command.ok()) return in_.report->Usage(command.status().message());
    command_ = &*command;
    program_ =
        (std::filesystem::path(folder.path()) / (writes_onnx() ? "program.onnx" : "program.py"))
            .string();
    const auto file = ReadSource(in_.args.operands[0], in_.io);
    if (!file.ok()) return in_.report->EnvironmentError(file.status());
    if (const ExitCode code = Load(*file); code != kExitOk) return code;
    if (const ExitCode code = CheckFails(); code != kExitOk) return code;
    return Reduce();
  }

 private:
  bool writes_onnx() const { return IsOnnx(output_); }

  absl::Status CheckOutput() const {
    if (output_ == "-" || output_.empty()) {
      return absl::InvalidArgumentError(
          "option '--output' must be a file, which is written at each improvement");
    }
    std::error_code ignored;
    if (std::filesystem::equivalent(output_, in_.args.operands[0], ignored)) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", output_, "' is the program to reduce and would be overwritten"));
    }
    return absl::OkStatus();
  }

  // Loads the program. One that breaks rules of the language is taken as it was read.
  ExitCode Load(const SourceFile& file) {
    auto read = ReadModelOptions(in_.args, Numerics::kFused);
    if (!read.ok()) return in_.report->Usage(read.status().message());
    const auto sizes = ReadDimOptions(in_.args);
    if (!sizes.ok()) return in_.report->Usage(sizes.status().message());
    for (const auto& [name, range] : *sizes) {
      if (range.is_single()) continue;
      return in_.report->Usage(absl::StrCat(
          "option '--dim' of reduce must be a single size; give a range to the command: --fails "
          "'validate -D ",
          name, "=", range.low, "..", range.high, "'"));
    }
    const absl::Status liked = ReadLikeOption(in_.args, file, *read);
    if (!liked.ok()) return in_.report->InputError(liked);
    auto params = ReadParamsOption(in_.args);
    if (!params.ok()) return in_.report->InputError(params.status());
    Diagnostics diags;
    NotChecked not_checked;
    const LoadRequest request{
        *std::move(read), *sizes, {}, FindTarget("generic-c99"), *std::move(params)};
    auto loaded = LoadProgram(context_, file, request, diags, not_checked);
    if (!loaded.ok()) return in_.report->InputError(loaded.status());
    if (*loaded) {
      module_ = std::move((*loaded)->module);
      // ONNX has no functions. They would be inlined first in any case.
      if (writes_onnx()) transform::InlinePrivateFunctions(context_, *module_);
      if (writes_onnx()) transform::RederiveInfo(context_, *module_, diags);
      return kExitOk;
    }
    Diagnostics unused;
    if (!writes_onnx()) module_ = LoadModule(context_, file, "read", unused);
    if (module_) return kExitOk;
    in_.report->Remark("only programs that can be read can be reduced");
    return in_.report->Add(diags, {not_checked});
  }

  absl::StatusOr<std::string> Print(const ir::Module& module) {
    if (!writes_onnx()) return ir::PrintTvmScript(module, {});
    Diagnostics diags;
    auto model = onnx::WriteOnnx(context_, module, diags);
    if (!model.ok()) unwritable_ = std::move(diags);
    return model;
  }

  // Checks that the program as it was read fails, and notes how.
  ExitCode CheckFails() {
    const auto text = Print(*module_);
    if (!text.ok()) return in_.report->Add(unwritable_);
    if (const absl::Status written = WriteFile(program_, *text); !written.ok()) {
      return in_.report->EnvironmentError(written);
    }
    auto failure = command_->Run(program_);
    if (absl::IsDeadlineExceeded(failure.status())) {
      return in_.report->EnvironmentError(absl::DeadlineExceededError(
          "the command of '--fails' takes too long; '--time-limit SECONDS' sets the limit"));
    }
    if (!failure.ok()) return in_.report->EnvironmentError(failure.status());
    const std::string command(in_.args.Value("--fails", "validate"));
    if (failure->exit_code == 0) return RefuseGood(command);
    if (failure->exit_code == kExitUsage && failure->reason == "usage") {
      return in_.report->Usage(
          absl::StrCat("'", command, "' is a wrong command line: ", failure->message));
    }
    // A missing compiler or file of the command, which every program lacks.
    if (failure->exit_code == kExitEnvironment && absl::StartsWith(failure->reason, "cannot ")) {
      return in_.report->EnvironmentError(absl::UnavailableError(failure->message));
    }
    failure_ = *std::move(failure);
    seen_.insert(std::hash<std::string>()(*text));
    bindings_before_ = bindings_ = transform::CountAllBindings(*module_);
    in_.report->Remark(absl::StrCat("fails with ", DescribeFailure(failure_), "; ",
                                    CountOf(static_cast<int64_t>(bindings_), "binding")));
    return Improve(*text);
  }

  // Explains that the program does not fail. The file itself may, in its reader.
  ExitCode RefuseGood(const std::string& command) {
    const std::string& operand = in_.args.operands[0];
    const auto original =
        operand == "-" ? absl::StatusOr<Failure>(Failure{}) : command_->Run(operand);
    if (original.ok() && original->exit_code != 0) {
      return in_.report->Fail(
          kExitMismatch,
          absl::StrCat("'", command, "' fails for ", operand, " (", DescribeFailure(*original),
                       "), but not for the program that was read from it: the failure depends on "
                       "the format of the file, and cannot be reduced"));
    }
    return in_.report->Fail(kExitMismatch, absl::StrCat("the program does not fail: '", command,
                                                        "' ends with exit code 0"));
  }

  ExitCode Improve(const std::string& text) {
    const absl::Status written = WriteFile(output_, text);
    bytes_ = text.size();
    return written.ok() ? kExitOk : in_.report->EnvironmentError(written);
  }

  ExitCode Reduce() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(max_seconds_);
    const auto expired = [&] {
      late_ = max_seconds_ > 0 && std::chrono::steady_clock::now() >= end;
      return late_ || worst_ != kExitOk;
    };
    transform::ReduceProgram(context_, *module_,
                             {[&](const ir::Module& module) { return Fails(module); }, expired});
    if (worst_ != kExitOk) return worst_;
    if (late_) in_.report->Remark("the time of '--max-seconds' is over");
    Say();
    return kExitOk;
  }

  // Runs the command for a program, and keeps the program if it fails in the same way.
  bool Fails(const ir::Module& module) {
    const auto text = Print(module);
    // Different graphs may be one text.
    if (!text.ok() || !seen_.insert(std::hash<std::string>()(*text)).second) return false;
    if (const absl::Status written = WriteFile(program_, *text); !written.ok()) {
      worst_ = in_.report->EnvironmentError(written);
      return false;
    }
    ++runs_;
    const auto failure = command_->Run(program_);
    if (!failure.ok() || !failure->IsSameAs(failure_)) return false;
    worst_ = Improve(*text);
    const size_t bindings = transform::CountAllBindings(module);
    if (bindings < bindings_) {
      in_.report->Remark(absl::StrCat(CountOf(static_cast<int64_t>(bindings), "binding"), " after ",
                                      CountOf(runs_, "run")));
    }
    bindings_ = bindings;
    return worst_ == kExitOk;
  }

  void Say() const {
    if (in_.args.Has("--json")) {
      const nlohmann::ordered_json object = {
          {"schema_version", 1},
          {"output", output_},
          {"bindings", bindings_},
          {"bindings_before", bindings_before_},
          {"bytes", bytes_},
          {"runs", runs_},
          {"finished", !late_},
          {"failure", {{"exit_code", failure_.exit_code}, {"reason", failure_.reason}}}};
      driver::Print(in_.io.out, JsonText(object));
      return;
    }
    driver::Print(
        in_.io.out,
        absl::StrCat("wrote ", output_, ": ", CountOf(static_cast<int64_t>(bindings_), "binding"),
                     " of ", bindings_before_, ", ", DescribeFailure(failure_), "\n"));
  }

  const Invocation& in_;
  const std::string output_;
  const FailingCommand* command_ = nullptr;
  std::string program_;  // the file that the command gets
  int max_seconds_ = 0;  // 0: no limit
  ir::Context context_;
  std::optional<ir::Module> module_;
  Failure failure_;
  Diagnostics unwritable_;
  absl::flat_hash_set<size_t> seen_;  // hashes of programs
  ExitCode worst_ = kExitOk;
  bool late_ = false;
  int64_t runs_ = 0;
  size_t bindings_ = 0, bindings_before_ = 0, bytes_ = 0;
};

ExitCode Reduce(const Invocation& in) { return Reduction(in).Run(); }

}  // namespace

constexpr Verb kVerbReduce = {
    .name = "reduce",
    .summary = "make a failing program small, and keep the failure",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = kReduceOptions,
    .details =
        "Leaves out functions, bindings, branches, constants and results, and makes sizes "
        "smaller,\n"
        "as long as the command fails in the same way: a verb with the same exit code and the "
        "same\n"
        "first error, a shell command with the same exit code. The result is a program of its "
        "own.\n"
        "Ends with exit code 6 if the command does not fail for the program.\n"
        "\n"
        "Examples:\n"
        "  lathe reduce model.onnx -o small.py\n"
        "  lathe reduce model.tflite --fails 'validate -t cortex-m4 --on qemu' -o small.py\n"
        "  lathe reduce model.py --fails 'compile -t generic-c99' -o small.py\n"
        "  lathe reduce model.onnx --fails './differs.sh {}' -o small.onnx --max-seconds 600\n",
    .run = Reduce,
};

}  // namespace lathe::driver

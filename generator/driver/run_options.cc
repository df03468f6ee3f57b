#include "generator/driver/run_options.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/stream_option.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

constexpr Option kRunOptions[] = {
    {"--func", 0, "NAME", "the function to evaluate (main)"},
    {"--input", 0, "NAME=FILE",
     "a parameter from an .npy file or an ONNX tensor (.pb), or all from one .npz FILE"},
    {"--random", 0, "seed=N", "use random values for parameters without a file"},
    {"--steps", 0, "N", "run N times, each with the state that the last run left"},
    {"--dim", 'D', "NAME=N", "the value of a shape variable"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kLikeOption,
    {"--output", 'o', "FILE", "write the results as .npz, or a single tensor as .npy"},
    {"--apply", 0, "PASS,...", "apply these graph passes to the program first"},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    {"--extern", 0, "FILE", "external functions: a library or a C file"},
};

absl::StatusOr<std::pair<std::string, std::string>> ReadInput(absl::string_view text) {
  const size_t equals = text.find('=');
  if (equals != text.npos && equals > 0 && equals + 1 < text.size()) {
    return std::make_pair(std::string(text.substr(0, equals)),
                          std::string(text.substr(equals + 1)));
  }
  if (equals == text.npos && absl::EndsWith(text, ".npz")) {
    return std::make_pair(std::string(), std::string(text));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("option '--input' must be NAME=FILE, or an .npz file; got '", text, "'"));
}

absl::StatusOr<uint64_t> ReadSeed(absl::string_view text) {
  uint64_t seed = 0;
  absl::string_view number = text;
  if (!absl::ConsumePrefix(&number, "seed=") || !absl::SimpleAtoi(number, &seed)) {
    const bool number_alone = absl::SimpleAtoi(text, &seed);
    return absl::InvalidArgumentError(
        absl::StrCat("option '--random' must be seed=N with a number N; got '", text, "'",
                     number_alone ? absl::StrCat("; did you mean 'seed=", text, "'?") : ""));
  }
  return seed;
}

}  // namespace

void RestrictToSizes(const std::map<std::string, DimRange>& sizes,
                     const std::map<std::string, DimRange>& ranges, RunOptions& options) {
  for (const auto& [name, range] : sizes) {
    if (range.is_single()) options.sizes.erase(name);
  }
  for (const auto& [name, range] : ranges) options.ranges[name] = range;
}

std::string DescribeRandomSizes(const std::map<std::string, int64_t>& sizes) {
  std::string said = "random sizes:";
  for (const auto& [name, size] : sizes) {
    absl::StrAppend(&said, said.back() == ':' ? " " : ", ", name, " = ", size);
  }
  return said;
}

std::string DescribeUnknownSize(const std::map<std::string, int64_t>& sizes) {
  const std::string& size = sizes.begin()->first;
  return absl::StrCat("the size ", size, " is unknown; set it with '-D ", size,
                      "=N', or '--data random:", size, "=N'");
}

absl::StatusOr<std::optional<int64_t>> ReadStepsOption(const Arguments& args) {
  if (!args.Has("--steps")) return std::optional<int64_t>();
  int64_t steps = 0;
  if (!absl::SimpleAtoi(args.Value("--steps"), &steps) || steps < 1 || steps > kMaxSteps) {
    return absl::InvalidArgumentError(absl::StrCat("option '--steps' must be a number from 1 to ",
                                                   kMaxSteps, "; got '", args.Value("--steps"),
                                                   "'"));
  }
  return std::optional<int64_t>(steps);
}

absl::Span<const Option> RunOptionTable() { return kRunOptions; }

absl::StatusOr<RunOptions> ReadRunOptions(const Arguments& args) {
  RunOptions out;
  out.func = std::string(args.Value("--func", out.func));
  for (absl::string_view text : args.Values("--input")) {
    LATHE_ASSIGN_OR_RETURN(auto input, ReadInput(text));
    for (const auto& [name, path] : out.inputs) {
      if (name != input.first || name.empty()) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("'", name, "' is specified more than once with --input"));
    }
    out.inputs.push_back(std::move(input));
  }
  if (args.Has("--random")) {
    LATHE_ASSIGN_OR_RETURN(out.seed, ReadSeed(args.Value("--random")));
  }
  LATHE_ASSIGN_OR_RETURN(out.steps, ReadStepsOption(args));
  LATHE_ASSIGN_OR_RETURN(out.sizes, ReadValueOptions(args, "to run"));
  out.output = std::string(args.Value("--output"));
  if (!out.output.empty() && !absl::EndsWith(out.output, ".npy") &&
      !absl::EndsWith(out.output, ".npz")) {
    return absl::InvalidArgumentError(
        absl::StrCat("the file of results must end with .npz or .npy; got '", out.output, "'"));
  }
  for (absl::string_view path : args.Values("--extern")) out.externs.emplace_back(path);
  out.passes = std::string(args.Value("--apply"));
  LATHE_RETURN_IF_ERROR(CheckPassNames(out.passes));
  LATHE_ASSIGN_OR_RETURN(out.numerics, ReadNumerics(args));
  out.json = args.Has("--json");
  return out;
}

}  // namespace lathe::driver

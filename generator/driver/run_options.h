// Reads the options of `lathe run`, which also control generated inputs of other verbs.
#ifndef LATHE_DRIVER_RUN_OPTIONS_H_
#define LATHE_DRIVER_RUN_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

struct RunOptions {
  std::string func = "main";
  // Pairs of a parameter and its file: x, "x.npy". An .npz file without a name (`--input all.npz`)
  // has the name "" and contains several parameters.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::optional<uint64_t> seed;  // --random: parameters without a file are random
  uint64_t integers_below = 0;   // bound of random integers, which start at 0; 0: any
  // --steps: runs of a sequence, for which arrays may have a leading axis; nothing: one run.
  std::optional<int64_t> steps;
  std::map<std::string, int64_t> sizes;    // -D: shape variables of the parameters
  std::map<std::string, DimRange> ranges;  // of random shape variables
  // Options that messages suggest to provide one parameter (may be empty), or random ones.
  std::string input_hint = "--input NAME=FILE.npy";
  std::string random_hint = "--random seed=1";
  std::string output;                // -o; empty prints the results
  std::vector<std::string> externs;  // shared libraries with packed functions
  std::string passes;                // --apply: graph passes to run first
  Numerics numerics = Numerics::kFused;
  bool json = false;
};

// Returns the options of `lathe run`, for its Verb.
absl::Span<const Option> RunOptionTable();

// The maximum number of runs of a sequence.
inline constexpr int64_t kMaxSteps = 1000000;

// Returns the value of --steps; nothing without the option.
absl::StatusOr<std::optional<int64_t>> ReadStepsOption(const Arguments& args);

// Returns the values of the options of `lathe run`. Fails with a message for the user.
absl::StatusOr<RunOptions> ReadRunOptions(const Arguments& args);

// Restricts random arguments for a program that is compiled for `sizes` (-D). Symbolic sizes stay
// within `ranges`. Single sizes are constants of the program, so they are removed from the options.
void RestrictToSizes(const std::map<std::string, DimRange>& sizes,
                     const std::map<std::string, DimRange>& ranges, RunOptions& options);

// Returns "random sizes: m = 3, n = 7".
std::string DescribeRandomSizes(const std::map<std::string, int64_t>& sizes);
// Returns the message for the user of a verb that needs the sizes, since what it measures depends
// on them. `sizes` are not empty.
std::string DescribeUnknownSize(const std::map<std::string, int64_t>& sizes);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_RUN_OPTIONS_H_

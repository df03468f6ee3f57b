// What `lathe run` is asked to evaluate, and on what.
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
  // Files by the parameter they are for: x -> "x.npy". An .npz file given without a name,
  // `--input all.npz`, stands under "" and holds several.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::optional<uint64_t> seed;            // --random: parameters without a file are made up
  uint64_t integers_below = 0;             // those that are made up, from 0; 0: any
  std::map<std::string, int64_t> sizes;    // -D: shape variables of the parameters
  std::map<std::string, DimRange> ranges;  // what those that are made up keep to
  // How a user gives a parameter, if at all, and makes all up: what messages say.
  std::string give_one = "--input NAME=FILE.npy";
  std::string make_up = "--random seed=1";
  std::string output;                // -o; empty: the results are printed
  std::vector<std::string> externs;  // shared libraries with packed functions
  std::string passes;                // --apply: graph passes that the program goes through first
  Numerics numerics = Numerics::kFused;
  bool json = false;
};

// The options of `run`, for its Verb.
absl::Span<const Option> RunOptionTable();

// Fails with what is wrong with the words, for the user.
absl::StatusOr<RunOptions> ReadRunOptions(const Arguments& args);

// What arguments that are made up keep to of a program that is compiled for `sizes` (-D): `ranges`
// are those of them that it leaves open, and the others are no sizes that arguments could have.
void KeepToSizes(const std::map<std::string, DimRange>& sizes,
                 const std::map<std::string, DimRange>& ranges, RunOptions& options);

// "made up: m = 3, n = 7"
std::string DescribeMadeUp(const std::map<std::string, int64_t>& sizes);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_RUN_OPTIONS_H_

// Creates the arguments of `lathe run` from files and random numbers.
#ifndef LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_
#define LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/run_options.h"
#include "generator/interp/interpreter.h"

namespace lathe::driver {

// Returns one value for each parameter of `function`. Options name the fields of a tuple x by x.0,
// x.1, ... If the function has state, its last parameters are the variables of the state. Their
// values are those before the first run; no option sets them.
//
// A shape variable is bound by a tensor in a file or by -D. With --random, the others are random
// sizes from 2 to 9, or numbers from -4 to 7 where a variable may be negative, moved into the range
// of RunOptions::ranges. `random_sizes` receives these, and the random shapes of parameters without
// a declared shape; it may be null.
//
// Fails with a message for the user if a name is unknown, an input is missing (the message lists
// all parameters), a file cannot be read, or -D contradicts a file.
absl::StatusOr<std::vector<interp::Value>> CollectInputs(
    interp::Interpreter& interpreter, ir::GlobalId function, const RunOptions& options,
    std::map<std::string, int64_t>* random_sizes = nullptr);

// Creates the arguments of each run of a sequence (RunOptions::steps), without the variables of the
// state. An array with one axis more than its parameter contains an element for each run, along its
// first axis. Any other array is the argument of all runs. Random arguments differ between runs;
// random sizes are chosen once.
class StepInputs {
 public:
  // Reads the files and binds the shape variables. Fails as CollectInputs() does, and if the first
  // axis of an array with an element for each run is not as long as the sequence.
  static absl::StatusOr<StepInputs> Read(interp::Interpreter& interpreter, ir::GlobalId function,
                                         const RunOptions& options);
  StepInputs(StepInputs&&) noexcept;
  ~StepInputs();

  // Returns the arguments of run number `step`, from 0. Fails if one is missing or has no random
  // value.
  absl::StatusOr<std::vector<interp::Value>> Of(int64_t step);
  // Returns the sizes that were chosen at random, by name.
  const std::map<std::string, int64_t>& random_sizes() const;

 private:
  class Inputs;
  explicit StepInputs(std::unique_ptr<Inputs> inputs);
  std::unique_ptr<Inputs> inputs_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_

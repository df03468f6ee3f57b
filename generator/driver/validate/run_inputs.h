// Collects the arguments of `lathe run` from files and the random generator.
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

// Returns one value for each parameter of `function`. The fields of a tuple x are named x.0, x.1,
// ... The last ones are the first values of the state, if the function has one; they are no inputs.
//
// Shape variables are bound by tensors in files, then by -D, then, with --random, to random sizes
// from 2 to 9, which are returned in `random_sizes`, if given. Fails with a message for the user if
// a name is unknown, an input is missing (the message lists all parameters), or a file cannot be
// read.
absl::StatusOr<std::vector<interp::Value>> CollectInputs(
    interp::Interpreter& interpreter, ir::GlobalId function, const RunOptions& options,
    std::map<std::string, int64_t>* random_sizes = nullptr);

// The inputs of the runs of a sequence (RunOptions::steps), without the variables of the state.
//
// An array with one axis more than its parameter, in front and as long as the sequence, gives each
// run its element. Any other array is the input of all runs. Random inputs differ between runs;
// random sizes are those of the first run.
class StepInputs {
 public:
  // Reads the files and binds the shape variables.
  static absl::StatusOr<StepInputs> Read(interp::Interpreter& interpreter, ir::GlobalId function,
                                         const RunOptions& options);
  StepInputs(StepInputs&&) noexcept;
  ~StepInputs();

  absl::StatusOr<std::vector<interp::Value>> Of(int64_t step);
  const std::map<std::string, int64_t>& random_sizes() const;

 private:
  class Inputs;
  explicit StepInputs(std::unique_ptr<Inputs> inputs);
  std::unique_ptr<Inputs> inputs_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_

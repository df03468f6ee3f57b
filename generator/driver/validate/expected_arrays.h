// Compares with the expected outputs that --data holds beside the inputs.
#ifndef LATHE_DRIVER_VALIDATE_EXPECTED_ARRAYS_H_
#define LATHE_DRIVER_VALIDATE_EXPECTED_ARRAYS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/run_options.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/interp/data/tensor.h"

namespace lathe::driver {

struct ExpectedArrays {
  std::vector<std::string> compared;  // outputs that the data has
  std::vector<std::string> unknown;   // arrays that are no input and no output
};

// Replaces each of `wanted`, the outputs `names` of `function`, by the array of its name, or by
// "output_N", N from 0, in the files of `options`. An array with the name of an input is that
// input. Fails with FailedPrecondition if types or shapes differ, or if the outputs are those of
// several runs; otherwise as ReadNamedArrays() does.
absl::StatusOr<ExpectedArrays> UseExpectedArrays(
    const RunOptions& options, const emit::ApiFunction& function,
    const std::vector<std::string>& names, const std::shared_ptr<interp::MemoryBudget>& budget,
    std::vector<PartBytes>& wanted);

// Fails with FailedPrecondition if the files of `options` have an array for one of the outputs
// `names`, although the evaluation failed because of `why`.
absl::Status CheckNoneExpected(const RunOptions& options, const emit::ApiFunction& function,
                               const std::vector<std::string>& names,
                               const std::shared_ptr<interp::MemoryBudget>& budget,
                               const std::string& why);

// Returns "expected outputs in 'x.npz': y; the interpreter computes the others", with the arrays of
// no use; "" if there is nothing to say.
std::string DescribeExpectedArrays(const ExpectedArrays& arrays, const RunOptions& options,
                                   size_t outputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_EXPECTED_ARRAYS_H_

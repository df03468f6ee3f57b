// Checks that graph passes preserve a generated program.
#ifndef LATHE_TESTS_RANDOM_CHECK_PROGRAM_H_
#define LATHE_TESTS_RANDOM_CHECK_PROGRAM_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/interpreter.h"
#include "generator/interp/values.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::random {

using SizesByName = std::map<std::string, int64_t>;

// Those that main's own signature has.
SizesByName SizesOfMain(const ir::Module& module, const SizesByName& sizes);

// Random inputs of main, the same each time.
absl::StatusOr<std::vector<interp::Value>> MainInputs(interp::Interpreter& interpreter,
                                                      const ir::Module& module,
                                                      const SizesByName& sizes);

// The result of main for random inputs, and its output.
struct Outcome {
  std::optional<interp::Value> value;
  std::string printed;
  std::string why;     // there is no value
  bool fails = false;  // as the program says, not by a limit of the evaluation
};
Outcome RunMain(ir::Context& context, const ir::Module& module, const SizesByName& sizes);

// What is wrong with `module`, to which `passes` are applied: graph passes by name; bind_params,
// which makes constants of the inputs of some parameters; bind_symbolic_vars, which makes numbers
// of all shape variables of main. Empty when nothing is. With `printed`, the result is printed and
// read again too.
//
// Values are the same to the bit, but for NaNs, which are all equal. After
// decompose_composites, which computes in another order, floats may differ by 1e-4 (float16: 2e-2)
// of what they are, or of 1.
std::string Problem(ir::Context& context, const ir::Module& module, const SizesByName& sizes,
                    const Outcome& wanted, const std::vector<std::string>& passes, bool printed);

// Every pass that Problem knows.
std::vector<std::string> PassNames();

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_CHECK_PROGRAM_H_

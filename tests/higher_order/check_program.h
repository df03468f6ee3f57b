// Checks how Lathe handles a random higher-order program, and describes what is wrong.
#ifndef LATHE_TESTS_HIGHER_ORDER_CHECK_PROGRAM_H_
#define LATHE_TESTS_HIGHER_ORDER_CHECK_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tests/compiled/compiled_program.h"
#include "tests/higher_order/term.h"

namespace lathe::higher_order {

struct Checked {
  std::string problem;  // empty where there is none so far
  std::string refused;  // why it cannot be compiled
  bool too_long = false;
  // What is still to be built and run, and has to give what the program's evaluator gives.
  std::optional<compiled::CompiledProgram> compiled;
};

// Which of a program's checks are done, and with what: all of it depends on `seed` alone.
struct Plan {
  uint64_t seed = 0;
  std::string function;             // that is called
  int64_t length = 0;               // of its arguments of any length
  std::vector<std::string> passes;  // that have to leave its value alone
};
Plan PlanFor(const Program& program, uint64_t seed);

// Reads the program's text, evaluates it, applies the passes and compiles it as `name`.
Checked Check(const Program& program, const Plan& plan, const std::string& name);

}  // namespace lathe::higher_order

#endif  // LATHE_TESTS_HIGHER_ORDER_CHECK_PROGRAM_H_

// Compiles many programs into one executable, because compiler start-up and linking dominate the
// time.
#ifndef LATHE_TESTS_COMPILED_BATCH_H_
#define LATHE_TESTS_COMPILED_BATCH_H_

#include <functional>
#include <string>
#include <vector>

#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/host_program.h"
#include "tests/compiled/compiled_program.h"

namespace lathe::compiled {

// Tolerance for generated C: it executes the interpreter's operations in order, but functions of
// libm may differ, and rounding them to float may go to the other side.
inline constexpr driver::Tolerance kTolerance = {1e-5, 1e-6};

// The installed compilers and flags for programs, or those with sanitizers. Missing ones are
// printed.
enum class Checks { kAny, kSanitizers };
std::vector<driver::HostTools> InstalledTools(Checks checks = Checks::kAny);
std::string Show(const driver::HostTools& tools);

// Builds programs as the executable `run` in a folder, which takes the name of one of them.
using BuildBatch =
    std::function<absl::Status(const std::vector<CompiledProgram>&, const std::string& folder)>;

// Builds `programs`, whose names differ, in `folder`, and runs each with memory filled with 0xAA
// and with 0x55. Returns what is wrong with each; empty if nothing is. If they do not build
// together, each is built alone. Floats are compared by `tolerance`, integers exactly. `runner` is
// a prefix of the command that runs them: an emulator of another processor.
std::vector<std::string> Problems(const std::vector<CompiledProgram>& programs,
                                  const BuildBatch& build, const std::string& folder,
                                  driver::Tolerance tolerance = kTolerance,
                                  const std::vector<std::string>& runner = {});

// Describes what is wrong with the output or the exit of a run of `program`.
std::string RunProblem(const CompiledProgram& program, const absl::StatusOr<std::string>& got,
                       driver::Tolerance tolerance);

// The same for programs in C.
std::vector<std::string> Problems(const std::vector<CompiledProgram>& programs,
                                  const driver::HostTools& tools, const std::string& folder,
                                  driver::Tolerance tolerance = kTolerance,
                                  const std::vector<std::string>& runner = {});

// A main() that calls p_main of the program p that its first argument names.
std::string ChooseProgram(const std::vector<CompiledProgram>& programs);

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_BATCH_H_

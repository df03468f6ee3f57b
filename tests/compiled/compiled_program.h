// A generated program in C, and its expected results.
#ifndef LATHE_TESTS_COMPILED_COMPILED_PROGRAM_H_
#define LATHE_TESTS_COMPILED_COMPILED_PROGRAM_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/interp/interpreter.h"
#include "generator/target/board.h"
#include "tests/random/check_program.h"

namespace lathe::compiled {

// Where tensors are: as in what is shipped, or none on bytes of another, with guards around each
// (driver::GuardModel).
enum class Memory { kPlanned, kGuarded };

struct CompiledProgram {
  std::string name;
  std::vector<emit::OutputFile> files;  // with main.c around it
  std::vector<driver::PartBytes> inputs;
  std::vector<driver::PartBytes> wanted;       // what the interpreter gives
  std::optional<driver::Tolerance> tolerance;  // in place of that of its batch
  std::string fails;  // why it gives nothing: the program has to end with a status
};

// What of the sizes is declared before the program is compiled, as `-D` does it.
using SizeRanges = std::map<std::string, driver::DimRange>;

// `module` under the C identifier `name` for `target`, with the inputs that random::RunMain makes
// up for it; for the GPUs of `options` where it has some, whatever `target` is. Unimplemented when
// Lathe refuses it as unsupported, OutOfRange when the interpreter
// gives no value; every other failure is a mistake of Lathe's.
absl::StatusOr<CompiledProgram> Compile(ir::Context& context, const ir::Module& module,
                                        const random::SizesByName& sizes, const std::string& name,
                                        absl::string_view target = "generic-c99",
                                        const driver::GenerateOptions& options = {},
                                        Memory memory = Memory::kPlanned);

// The same with `ranges` declared, for a `board` where there is one. What fails when it is
// evaluated is compiled too, and must fail.
absl::StatusOr<CompiledProgram> CompileBounded(ir::Context& context, const ir::Module& module,
                                               const random::SizesByName& sizes,
                                               const SizeRanges& ranges, const std::string& name,
                                               const Target& target, const Board* board = nullptr,
                                               const driver::GenerateOptions& options = {});

// The same for any exported `function`, whose inputs are made up as for `lathe run --random seed=1`
// and which the interpreter evaluates under `settings`; in plain C, or for GPUs of `options`.
absl::StatusOr<CompiledProgram> CompileFunction(ir::Context& context, const ir::Module& module,
                                                const std::string& function,
                                                const std::string& name,
                                                const interp::Options& settings,
                                                const driver::GenerateOptions& options = {});

// The same for `function` called with `args`, for which it has to give `value`.
absl::StatusOr<CompiledProgram> CompileCall(ir::Context& context, const ir::Module& module,
                                            const std::string& function, const std::string& name,
                                            const std::vector<interp::Value>& args,
                                            const interp::Value& value,
                                            const driver::GenerateOptions& options = {});

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_COMPILED_PROGRAM_H_

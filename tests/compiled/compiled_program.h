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

// Memory layout of tensors: as shipped, or in disjoint memory with guards around each
// (driver::GuardModel).
enum class Memory { kPlanned, kGuarded };

struct CompiledProgram {
  std::string name;
  std::vector<emit::OutputFile> files;  // including main.c
  std::vector<driver::PartBytes> inputs;
  std::vector<driver::PartBytes> wanted;       // result of the interpreter
  std::optional<driver::Tolerance> tolerance;  // overrides that of its batch
  std::string fails;                           // why it fails: the program has to end with a status
};

// Sizes that are declared before the program is compiled, as by `-D`.
using SizeRanges = std::map<std::string, driver::DimRange>;

// Compiles `module` under the C identifier `name` for `target`, with inputs of random::RunMain; or
// for the GPUs of `options`, if any. Returns Unimplemented if Lathe rejects it as unsupported,
// OutOfRange if the interpreter fails; every other failure is a fault of Lathe.
absl::StatusOr<CompiledProgram> Compile(ir::Context& context, const ir::Module& module,
                                        const random::SizesByName& sizes, const std::string& name,
                                        absl::string_view target = "generic-c99",
                                        const driver::GenerateOptions& options = {},
                                        Memory memory = Memory::kPlanned);

// The same with `ranges` declared, for a `board` if there is one. A program that fails in the
// interpreter is compiled too, and must fail.
absl::StatusOr<CompiledProgram> CompileBounded(ir::Context& context, const ir::Module& module,
                                               const random::SizesByName& sizes,
                                               const SizeRanges& ranges, const std::string& name,
                                               const Target& target, const Board* board = nullptr,
                                               const driver::GenerateOptions& options = {});

// The same for any exported `function`, with inputs of `lathe run --random seed=1`, evaluated by
// the interpreter under `settings`; in plain C, or for the GPUs of `options`.
absl::StatusOr<CompiledProgram> CompileFunction(ir::Context& context, const ir::Module& module,
                                                const std::string& function,
                                                const std::string& name,
                                                const interp::Options& settings,
                                                const driver::GenerateOptions& options = {});

// The same for `function` called with `args`, which must return `value`.
absl::StatusOr<CompiledProgram> CompileCall(ir::Context& context, const ir::Module& module,
                                            const std::string& function, const std::string& name,
                                            const std::vector<interp::Value>& args,
                                            const interp::Value& value,
                                            const driver::GenerateOptions& options = {});

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_COMPILED_PROGRAM_H_

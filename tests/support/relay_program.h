// Reads and evaluates Relay text in memory.
#ifndef LATHE_TESTS_SUPPORT_RELAY_PROGRAM_H_
#define LATHE_TESTS_SUPPORT_RELAY_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::testing {

struct RelayArgument {
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<double> elements;
};

struct RelayProgram {
  // `text` without the line of the version.
  explicit RelayProgram(const std::string& text);

  // Returns "message [code]" of all diagnostics, one per line.
  std::string Errors() const;
  // Returns the result for `args`, as in "float32(2): 3 28", several separated by "; "; or the
  // errors.
  std::string Run(const std::vector<RelayArgument>& args);

  SourceFile file;
  ir::Context context;
  Diagnostics diags;
  std::optional<ir::Module> module;
};

// "%x: Tensor[(2, 3), float32]" for each of `names`, of the types of `args`.
std::string RelayParams(const std::vector<std::string>& names,
                        const std::vector<RelayArgument>& args);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_RELAY_PROGRAM_H_

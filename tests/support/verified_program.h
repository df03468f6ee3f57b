// Reads a TVMScript program and verifies its PrimFuncs, in tests.
#ifndef LATHE_TESTS_SUPPORT_VERIFIED_PROGRAM_H_
#define LATHE_TESTS_SUPPORT_VERIFIED_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::testing {

// A program with everything that it refers to.
struct VerifiedProgram {
  explicit VerifiedProgram(std::string text);

  SourceFile file;
  ir::Context context;
  Diagnostics diags;
  std::optional<ir::Module> module;  // nothing if there were errors

  // "code:line" of every diagnostic, in order.
  std::vector<std::string> Problems() const;
};

// Prints `text` in each dialect, reads the output, and describes differences; empty if there are
// none.
std::string RoundTripDifference(const std::string& text);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_VERIFIED_PROGRAM_H_

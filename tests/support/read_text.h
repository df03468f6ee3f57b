// Reads programs in tests: returns the module, or its problems as text.
#ifndef LATHE_TESTS_SUPPORT_READ_TEXT_H_
#define LATHE_TESTS_SUPPORT_READ_TEXT_H_

#include <memory>
#include <optional>
#include <string>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/source.h"

namespace lathe::testing {

// A program, and the owner of its data.
struct ReadProgram {
  std::unique_ptr<SourceFile> file;
  std::unique_ptr<ir::Context> context;
  std::optional<ir::Module> module;  // nothing if there were errors
  // "line:column: code: message", one per line, followed by notes.
  std::string problems;
};
ReadProgram ReadText(const std::string& text);

// Returns only the problems.
std::string ProblemsOf(const std::string& text);

// Returns an empty text if both programs are read and equal except for names; else the difference,
// or the problems.
std::string DifferenceOf(const std::string& a, const std::string& b);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_READ_TEXT_H_

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

// A program read, and what it keeps alive.
struct ReadProgram {
  std::unique_ptr<SourceFile> file;
  std::unique_ptr<ir::Context> context;
  std::optional<ir::Module> module;  // nothing when there were errors
  // "line:column: code: message", one a line, with notes below them.
  std::string problems;
};
ReadProgram ReadText(const std::string& text);

// Only the problems.
std::string ProblemsOf(const std::string& text);

// Empty when both programs are read and are the same but for names; else what differs, or the
// problems.
std::string DifferenceOf(const std::string& a, const std::string& b);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_READ_TEXT_H_

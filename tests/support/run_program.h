// Runs programs given as text, for tests of the interpreter.
#ifndef LATHE_TESTS_SUPPORT_RUN_PROGRAM_H_
#define LATHE_TESTS_SUPPORT_RUN_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "generator/interp/interpreter.h"
#include "generator/interp/show_value.h"

namespace lathe::interp {

// A program that is read and derived. Reading must not give errors.
class Program {
 public:
  explicit Program(const std::string& text, Options options = {});

  // Returns the result as text, or the errors as "message [code]", one per line.
  std::string Run(std::vector<Value> args = {}, const std::string& function = "main");
  absl::StatusOr<Value> RunValue(std::vector<Value> args, const std::string& function = "main");

  // float32 tensors for arguments.
  Value Floats(std::vector<int64_t> shape, const std::vector<double>& elements);
  Value Of(ir::DType dtype, std::vector<int64_t> shape, const std::vector<double>& elements);

  const Diagnostics& diags() const { return diags_; }
  std::string Errors() const;
  Interpreter& interpreter() { return *interpreter_; }
  ir::Context& context() { return context_; }
  std::string printed;  // by R.print

 private:
  SourceFile file_;
  ir::Context context_;
  ir::Module module_;
  Diagnostics diags_;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace lathe::interp

#endif  // LATHE_TESTS_SUPPORT_RUN_PROGRAM_H_

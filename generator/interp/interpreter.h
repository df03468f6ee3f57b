// Evaluates a module by the rules of the specification. The results define the semantics for all
// other parts of Lathe.
//
//   Interpreter interpreter(context, module);
//   absl::StatusOr<Value> y = interpreter.Run(*module.Find("main"), {x}, diags);
//
// Simplicity comes before speed. Calls use a separate stack, so deep recursion is reported as an
// error and tail calls need no stack. The module need not be checked first: errors that a check
// would find are reported when they are reached.
#ifndef LATHE_INTERP_INTERPRETER_H_
#define LATHE_INTERP_INTERPRETER_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/runtime.h"
#include "generator/interp/values.h"

namespace lathe::interp {

class Interpreter {
 public:
  // `ir` and `module` must outlive the interpreter, and `module` must not change.
  Interpreter(ir::Context& ir, const ir::Module& module, Options options = {});

  // Calls the function with `args` and returns the result. Errors are added to `diags`.
  absl::StatusOr<Value> Run(ir::GlobalId function, std::vector<Value> args, Diagnostics& diags);

  // For tensors that the caller creates: they count like those of the program.
  const std::shared_ptr<MemoryBudget>& budget() const { return runtime_.budget; }
  Runtime& runtime() { return runtime_; }

 private:
  Runtime runtime_;
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_INTERPRETER_H_

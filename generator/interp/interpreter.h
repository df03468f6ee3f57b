// Evaluates a module: the semantic reference of everything else, by the specification's rules.
//
//   Interpreter interpreter(context, module);
//   absl::StatusOr<Value> y = interpreter.Run(*module.Find("main"), {x}, diags);
//
// Plain rather than fast. Calls live on a stack of their own, so that deep recursion ends in an
// error and tail calls run for ever. The module does not have to be checked: what a check would
// have found is an error when it is reached.
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
  // Both must outlive it, and `module` must not change.
  Interpreter(ir::Context& ir, const ir::Module& module, Options options = {});

  // The result of calling the function with `args`. What goes wrong is in `diags`.
  absl::StatusOr<Value> Run(ir::GlobalId function, std::vector<Value> args, Diagnostics& diags);

  // For tensors made outside: they count like those the program makes.
  const std::shared_ptr<MemoryBudget>& budget() const { return runtime_.budget; }
  Runtime& runtime() { return runtime_; }

 private:
  Runtime runtime_;
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_INTERPRETER_H_

// Expands surface calls that are not operators.
//
//   R.nn.relu6(x)   →   R.clip(x, 0, 6)
#ifndef LATHE_OPS_SUGAR_H_
#define LATHE_OPS_SUGAR_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::ops {

class SugarContext {
 public:
  virtual ~SugarContext() = default;
  virtual ir::Context& ir() = 0;
  // Binds `call` before the returned call, and returns its variable.
  virtual ir::ValueId Emit(ir::Call call, absl::string_view name) = 0;
};

struct Sugar {
  absl::string_view spelling;  // the spelling without "R."
  // The parameters of the surface call. It is bound and completed like an operator call
  // (complete_call.h), and the result is passed to `expand`.
  ir::Op signature;
  ir::Call (*expand)(SugarContext&, const ir::Call& bound) = nullptr;
};

absl::Span<const Sugar> AllSugar();

// Returns the sugar of this spelling without "R."; null when it is not sugar. Look here before
// FindSurfaceOp: R.nn.attention is an operator, but with a bias it becomes another one.
const Sugar* FindSugar(absl::string_view spelling);

}  // namespace lathe::ops

#endif  // LATHE_OPS_SUGAR_H_

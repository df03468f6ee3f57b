// Values of any structure (runtime-c/value.h) as C: made of tensors and scalars, and taken apart.
#ifndef LATHE_EMIT_C_PRINT_VALUE_H_
#define LATHE_EMIT_C_PRINT_VALUE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/c/c_scope.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

using SpellTensor = absl::FunctionRef<absl::StatusOr<std::string>(ir::TensorId)>;

// The call that copies a tensor out of a value, of its arguments.
using TakeTensor = absl::FunctionRef<std::string(const std::string& args)>;

// The two numbers that say a dtype: "LATHE_DT_FLOAT, 32u".
absl::StatusOr<std::string> DTypeArgs(ir::DType t);

class ValuePrinter {
 public:
  // With a `floor`, the end of what a routine uses of the arena, what is made stays until the run
  // ends; else as long as what it is made of.
  ValuePrinter(CScope& scope, const ir::Program& program, SpellTensor spell, std::string floor,
               LineWriter& out)
      : scope_(scope), program_(program), spell_(spell), floor_(std::move(floor)), out_(out) {}

  // What is made from here on is lent, tensors, shapes and tuples: a copy stays of what a function
  // from outside gives back of it.
  void Lend() { lends_ = true; }
  // An expression of type lathe_value; lines it needs come before.
  absl::StatusOr<std::string> ValueOf(const ir::Form& form);
  // An array of these values; its name.
  absl::StatusOr<std::string> Array(absl::string_view hint, const std::vector<ir::Form>& values);
  // What the value at `address`, made of `form`, points at stays where there is a floor.
  void Keep(const ir::Form& form, const std::string& address);
  // `value` is an expression of type const lathe_value *; tensors are copied by calls that
  // `take_tensor` prints, values of any structure are kept already.
  absl::Status Take(const std::string& value, const ir::Form& form, TakeTensor take_tensor);

 private:
  std::string Lent(std::string value) const;
  // An array of these sizes, "NULL" when there are none.
  absl::StatusOr<std::string> Sizes(const std::vector<ir::PrimRef>& dims);
  absl::StatusOr<std::string> FunctionOf(const ir::Form& function,
                                         const std::vector<ir::Form>& kept);
  absl::Status TakeScalar(const std::string& value, ir::PrimRef var);

  CScope& scope_;
  const ir::Program& program_;
  SpellTensor spell_;
  const std::string floor_;
  LineWriter& out_;
  bool lends_ = false;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_VALUE_H_

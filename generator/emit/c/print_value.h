// Prints the packing of tensors and scalars into values of any structure (runtime-c/value.h), and
// their unpacking.
#ifndef LATHE_EMIT_C_PRINT_VALUE_H_
#define LATHE_EMIT_C_PRINT_VALUE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

using SpellTensor = absl::FunctionRef<absl::StatusOr<std::string>(ir::TensorId)>;

// Returns the call that copies a tensor out of a value. `args` are its arguments.
using TakeTensor = absl::FunctionRef<std::string(const std::string& args)>;

// Returns the two arguments that denote the dtype `t`: "LATHE_DT_FLOAT, 32u".
absl::StatusOr<std::string> DTypeArgs(ir::DType t);

class ValuePrinter {
 public:
  // `floor` is the end of the memory that the routine uses in the arena. If it is not empty,
  // created values are kept until the run ends. Otherwise they live as long as the tensors that
  // they refer to.
  ValuePrinter(CScope& scope, const ir::Program& program, SpellTensor spell, std::string floor,
               LineWriter& out)
      : scope_(scope), program_(program), spell_(spell), floor_(std::move(floor)), out_(out) {}

  // Marks the tensors, shapes and tuples that are created from here on as lent (lathe_borrowed):
  // they are valid only during a call. If an external function returns one of them, its result is
  // copied.
  void Lend() { lends_ = true; }
  // Prints `form` as an expression of type lathe_value. Appends the lines that it needs to the
  // output.
  absl::StatusOr<std::string> ValueOf(const ir::Form& form);
  // Prints the definition of an array of `values`. Returns its name.
  absl::StatusOr<std::string> Array(absl::string_view hint, const std::vector<ir::Form>& values);
  // Prints the call that keeps the memory to which the value at `address`, created from `form`,
  // points. Prints nothing without a floor.
  void Keep(const ir::Form& form, const std::string& address);
  // Prints the unpacking of `value`, an expression of type const lathe_value *, into the tensors
  // and variables of `form`. `take_tensor` prints the calls that copy tensors. Nested values of any
  // structure are kept already, so only the value itself is copied.
  absl::Status Take(const std::string& value, const ir::Form& form, TakeTensor take_tensor);

 private:
  std::string Lent(std::string value) const;
  // Prints the definition of an array of `dims`. Returns its name, or "NULL" if `dims` is empty.
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

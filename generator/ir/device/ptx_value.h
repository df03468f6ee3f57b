// Translates PTX arithmetic to scalar expressions.
#ifndef LATHE_IR_DEVICE_PTX_VALUE_H_
#define LATHE_IR_DEVICE_PTX_VALUE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"

namespace lathe::ir {

class PtxValues {
 public:
  explicit PtxValues(Context& context) : ir_(context) {}

  struct Value {
    PrimRef value;
    DType dtype;
  };
  // Returns the value of "mul.wide.s32" with its arguments, the first of which is the destination;
  // nothing if its rounding differs from TIR arithmetic or it is not arithmetic.
  std::optional<Value> Of(const std::vector<std::string>& words, const std::vector<PrimRef>& args);
  // Returns the result of "setp.lt.s32", 0 or 1; null for other instructions.
  PrimRef Compared(const std::vector<std::string>& words, const std::vector<PrimRef>& args);

  // Returns the instructions with one or two operands and one result: "add", "neg".
  static std::vector<absl::string_view> Ops();

  // Reinterprets the bits of `e` as `dtype`. An integer literal is converted to any integer dtype.
  // Returns null if the widths differ, or for an integer literal as a float.
  PrimRef As(PrimRef e, DType dtype);
  // Returns the truth value of a predicate register, which is an integer.
  PrimRef Truth(PrimRef e);

 private:
  std::optional<Value> Rounded(const std::string& op, DType dtype,
                               const std::vector<PrimRef>& args);
  PrimRef Two(const std::string& op, DType dtype, PrimRef a, PrimRef b);
  PrimRef One(const std::string& op, DType dtype, PrimRef a);
  PrimRef Shifted(bool left, DType dtype, PrimRef a, PrimRef by);

  Context& ir_;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_PTX_VALUE_H_

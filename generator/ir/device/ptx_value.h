// What instructions of PTX compute, as scalar expressions.
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
  // Of "mul.wide.s32" and its arguments, of which the first is where it goes to; nothing where it
  // rounds otherwise than arithmetic does, or is none of these.
  std::optional<Value> Of(const std::vector<std::string>& words, const std::vector<PrimRef>& args);
  // Of "setp.lt.s32": 0 or 1; null where it is none.
  PrimRef Compared(const std::vector<std::string>& words, const std::vector<PrimRef>& args);

  // What takes one or two numbers and gives one: "add", "neg".
  static std::vector<absl::string_view> Ops();

  // The bits of `e` as one of `dtype`; null where it has other bits.
  PrimRef As(PrimRef e, DType dtype);
  // Of a predicate, which is kept in an integer.
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

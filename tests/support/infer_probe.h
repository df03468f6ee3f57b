// Infers a single call without a program: operands of any structural information, and the result or
// the error as text.
#ifndef LATHE_TESTS_SUPPORT_INFER_PROBE_H_
#define LATHE_TESTS_SUPPORT_INFER_PROBE_H_

#include <map>
#include <string>
#include <vector>

#include "generator/ir/op.h"

namespace lathe::testing {

class InferProbe : public ir::InferContext {
 public:
  ir::Context& ir() override { return context_; }
  const ir::Module& module() const override { return module_; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const override;
  std::string Show(const ir::Operand& operand) const override;
  ir::PrimRef Simplify(ir::PrimRef e) override;
  ir::Tri ProveEqual(ir::PrimRef a, ir::PrimRef b) override;
  ir::Tri ProveLessEqual(ir::PrimRef a, ir::PrimRef b) override;
  DiagnosticBuilder Error(absl::string_view code) override { return diags_.Error({}, code); }
  DiagnosticBuilder Warning(absl::string_view code) override { return diags_.Warning({}, code); }

  // Parses "2, n, n * 4": numbers, variables (equal names are one variable) and products or sums.
  std::vector<ir::PrimRef> Dims(absl::string_view text);
  ir::PrimRef Dim(absl::string_view text);

  // Returns a variable with that info: T("n, 4", "float32"), T(2, "int8"), T(-1, "").
  ir::Operand Of(ir::StructInfoRef info);
  ir::Operand T(absl::string_view dims, absl::string_view dtype, ir::VDeviceRef device = nullptr);
  ir::Operand T(int ndim, absl::string_view dtype);
  ir::Operand Tuple(std::vector<ir::Operand> fields);
  ir::Operand Prim(absl::string_view value);  // R.prim_value
  ir::Operand Shape(absl::string_view dims);  // R.shape

  // Returns the info that the operator infers, or "code: message" of its first error. Omitted
  // attributes take their defaults.
  std::string Infer(absl::string_view op, std::vector<ir::Operand> args, ir::AttrMap attrs = {},
                    std::vector<ir::StructInfoRef> sinfo_args = {});

  // Returns the info of a tensor of these dimensions.
  ir::StructInfoRef Tensor(absl::string_view dims, absl::string_view dtype);

  ir::Module module_;

 private:
  ir::Context context_;
  Diagnostics diags_;
  std::map<std::string, ir::PrimRef> vars_;
};

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_INFER_PROBE_H_

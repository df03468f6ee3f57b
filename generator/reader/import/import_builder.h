// Builds tensor operations for the importers of operators, whatever the format they come from.
//
// A derived class adds access to one operator call of its format and determines where errors are
// reported.
#ifndef LATHE_READER_IMPORT_IMPORT_BUILDER_H_
#define LATHE_READER_IMPORT_IMPORT_BUILDER_H_

#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ops/te/te.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/block_builder.h"

namespace lathe {

class ImportBuilder {
 public:
  using DType = ir::DType;
  using Operand = ir::Operand;
  using PrimRef = ir::PrimRef;
  using Dims = ops::Dims;
  using Operands = std::vector<Operand>;
  using Scalars = std::vector<PrimRef>;

  ImportBuilder(ir::Context& context, transform::BlockBuilder& builder)
      : context_(context), builder_(builder), math_(context) {}
  virtual ~ImportBuilder() = default;
  ImportBuilder(const ImportBuilder&) = delete;
  ImportBuilder& operator=(const ImportBuilder&) = delete;

  ir::Context& ir() { return context_; }
  ops::ScalarMath& math() { return math_; }
  transform::BlockBuilder& builder() { return builder_; }

  // Reports a diagnostic at the operator call.
  virtual DiagnosticBuilder Error() = 0;
  virtual DiagnosticBuilder Unsupported() = 0;
  // The first error of a function that cannot return one; such functions continue with
  // placeholders.
  const absl::Status& status() const { return status_; }

  // Dimensions and dtype of tensors.
  virtual const Dims& DimsOf(const Operand& x) = 0;
  DType TypeOf(const Operand& x);
  int Rank(const Operand& x) { return static_cast<int>(DimsOf(x).size()); }
  static std::optional<int64_t> IntOf(PrimRef e);
  std::optional<std::vector<int64_t>> Sizes(const Operand& x);  // only if all sizes are constants

  // Normalizes axes, which may be negative, to count from the front. Reports an axis that is out of
  // range or repeated.
  absl::StatusOr<int> Axis(int64_t axis, int rank);
  absl::StatusOr<std::vector<int>> Axes(const std::vector<int64_t>& axes, int rank);

  PrimRef Simplify(PrimRef e);
  // Emits a call of a Relax operator. An elementwise result of dynamic sizes has the dimensions
  // that its arguments broadcast to.
  Operand Op(absl::string_view op, Operands args, ir::AttrMap attrs = {});
  Operand Number(double value, DType dtype);
  Operand IntsTensor(const std::vector<int64_t>& values);
  static Operand Shape(Dims dims) { return {ir::ShapeExpr{std::move(dims)}}; }
  Operand Cast(Operand x, DType dtype);
  Operand Reshape(Operand x, Dims dims);
  Operand Field(const Operand& tuple, int k) { return builder_.Field(tuple, k); }
  Dims DimsFrom(const std::vector<int64_t>& values);
  PrimRef Product(const Dims& dims, size_t begin, size_t end);
  Operand Transposed(Operand x, const std::vector<int>& order);
  Operand BroadcastTo(Operand x, Dims dims);
  // Returns the dimensions that `args` broadcast to. Either of two symbolic sizes may be 1 at run
  // time; a clash that only the run can see is for the kernel to check (RequireBroadcast).
  Dims BroadcastDims(const Operands& args);
  Dims BroadcastDims(const std::vector<Dims>& shapes);

  // Emits a PrimFunc with one result, or with several.
  using TeFn = std::function<ir::BufferRef(ops::Te&)>;
  using TeSeveralFn = std::function<std::vector<ir::BufferRef>(ops::Te&)>;
  Operand Kernel(absl::string_view name, const Operands& args, const TeFn& compute);
  Operands Kernels(absl::string_view name, const Operands& args, const TeSeveralFn& compute);
  // Emits a PrimFunc that computes each element from one element of each input. The inputs are
  // broadcast; a void `dtype` means that of the first input.
  Operand Elementwise(absl::string_view name, const Operands& args,
                      const std::function<PrimRef(ops::ScalarMath&, const Scalars&)>& element,
                      DType dtype = DType::Void());

 protected:
  absl::Status status_;

 private:
  // Returns whether sizes known at run time decide which of `args` is broadcast.
  bool HasOpenSizes(const Operands& args);

  ir::Context& context_;
  transform::BlockBuilder& builder_;
  ops::ScalarMath math_;
};

// Requires at run time that `from`, the dimensions of `what`, broadcast to `to`.
void RequireBroadcast(absl::string_view op, ops::Te& te, const ops::Dims& from, const ops::Dims& to,
                      absl::string_view what);

}  // namespace lathe

#endif  // LATHE_READER_IMPORT_IMPORT_BUILDER_H_

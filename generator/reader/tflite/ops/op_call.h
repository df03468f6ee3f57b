// Provides the importer of a TFLite operator with one operator of a model: its tensors, their
// quantization, its options and a graph builder.
//
//   absl::StatusOr<Results> ImportLeakyRelu(OpCall& c) {
//     return c.Op("relax.nn.leakyrelu", {c.Arg(0)}, {{"alpha", c.Float("alpha")}});
//   }
#ifndef LATHE_READER_TFLITE_OPS_OP_CALL_H_
#define LATHE_READER_TFLITE_OPS_OP_CALL_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/import/import_builder.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

using ir::BufferRef;
using ir::DType;
using ir::Operand;
using ir::PrimRef;
using ops::Dims;
using ops::Indices;
using ops::ScalarMath;
using ops::Te;
using Operands = ImportBuilder::Operands;
using Scalars = ImportBuilder::Scalars;

// The dtypes of sums and scaled values, of their products, and of float values.
inline constexpr DType kWhole = DType::Int(32), kWide = DType::Int(64), kReal = DType::Float(32);

struct OpRow;
class GraphImport;

// The results of an operator, one or several.
struct Results {
  Results(Operand result) : operands{std::move(result)} {}
  Results(Operands results) : operands(std::move(results)) {}
  Operands operands;
};

// Scale and zero point of a tensor as a whole.
struct Affine {
  double scale = 1;  // the float32 of the file
  int64_t zero = 0;

  bool operator==(const Affine&) const = default;
};

class OpCall : public ImportBuilder {
 public:
  // `args` are the operands of the inputs, empty where an input is absent.
  OpCall(GraphImport& graph, const OpRow& row, const Operator& op,
         std::vector<std::optional<Operand>> args, Location loc);

  const OpRow& row() const { return row_; }
  const Operator& node() const { return op_; }
  GraphImport& graph() { return graph_; }
  const Location& loc() const { return loc_; }
  absl::string_view op() const;

  DiagnosticBuilder Error() override;
  DiagnosticBuilder Unsupported() override;
  DiagnosticBuilder Limit();

  // Inputs and outputs. An absent input has no operand.
  int inputs() const { return static_cast<int>(args_.size()); }
  int outputs() const { return static_cast<int>(op_.outputs.size()); }
  bool Has(int i) const { return i < inputs() && args_[static_cast<size_t>(i)].has_value(); }
  // Reports an error of the operator, and returns a placeholder, if the input is absent.
  Operand Arg(int i);
  Operands Args();
  // Returns the input tensor. Reports an error if it is absent.
  const Tensor& In(int i);
  const Tensor& Out(int k = 0);
  // Returns the tensor type as a dtype; int4 is held in int8.
  DType OutType(int k = 0);
  Dims OutDims(int k = 0);

  // Quantization. For a tensor with several scales, AffineOf, InAffine and OutAffine return the
  // first scale and zero point.
  bool IsQuantized(int i) { return In(i).quantization.is_quantized(); }
  static Affine AffineOf(const Tensor& tensor);
  Affine InAffine(int i) { return AffineOf(In(i)); }
  Affine OutAffine(int k = 0) { return AffineOf(Out(k)); }

  // Returns the elements of an input, if they are known at compile time.
  std::optional<ir::Constant> ConstantArg(int i);
  std::optional<std::vector<int64_t>> ConstantInts(int i);
  std::optional<std::vector<double>> ConstantNumbers(int i);
  // Returns the elements as integers; reports an error if they are not known.
  absl::StatusOr<std::vector<int64_t>> NeedInts(int i, absl::string_view what);

  // Options, with defaults where the model has none.
  int64_t Int(const std::string& name) const;
  double Float(const std::string& name) const;
  std::vector<int64_t> Ints(const std::string& name) const;
  std::vector<double> Floats(const std::string& name) const;
  const std::string& Str(const std::string& name) const;

  const Dims& DimsOf(const Operand& x) override;
  // Returns the sizes of a tensor. All sizes of a TFLite model are known.
  std::vector<int64_t> Shape(const Operand& x);
  using ImportBuilder::Shape;

 private:
  const Tensor& TensorAt(const std::vector<int32_t>& tensors, int i, absl::string_view what);

  GraphImport& graph_;
  const OpRow& row_;
  const Operator& op_;
  const std::vector<std::optional<Operand>> args_;
  ir::AttrMap options_;
  const Location loc_;
  Dims no_dims_;
};

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_OP_CALL_H_

// Holds the state of rewriting a quantized graph to integer operators: quantized values, constants,
// and the operators emitted so far.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_GRAPH_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_GRAPH_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"
#include "generator/target/target.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/global_names.h"
#include "generator/transform/quantize/fixed_point.h"

namespace lathe::transform {

// real = (integer - zero) * scale, for a whole tensor.
struct Affine {
  ir::DType dtype;
  double scale = 0;
  int64_t zero = 0;

  bool operator==(const Affine&) const = default;
};

// A quantized tensor with its shape and scale.
struct IntegerTensor {
  ir::Operand data;
  std::vector<int64_t> dims;
  Affine affine;
};

// Constant integers, with zero points subtracted, and the scale of each.
struct IntegerWeights {
  std::vector<int64_t> dims;
  std::vector<int32_t> values;
  std::vector<double> scales;
};

struct RealConstant {
  std::vector<int64_t> dims;
  std::vector<double> values;
};

// The style of the generated kernels.
enum class IntegerLoops {
  kBlocks,       // blocks of a few rows and columns in registers
  kPairs,        // operations of ir/paired_products.h, for Arm cores with the DSP extension
  kSmallPairs,   // the same for products, and quads for depthwise convolutions
  kHelium,       // those of ir/helium_products.h
  kQuads,        // those of ir/quad_products.h, of two rows at once, for Armv7-M
  kV6m,          // of one row, with unsigned weights, for Armv6-M
  kPackedQuads,  // of two rows, or four packed ones, for cores with 32 registers
  kPanels,       // sums of neighbouring columns, for targets with vectors
  kElements,     // one expression per element, for GPUs: schedule/cuda tiles them
};

// Returns the style for the instructions of `target`; with `small`, that with the smallest
// constants if styles differ.
IntegerLoops IntegerLoopsFor(const Target& target, bool small);

// Returns true if a size is 0. Tensors without elements are skipped: there is nothing to gain, and
// the integer forms divide by sizes.
inline bool HasNoElements(const std::vector<int64_t>& dims) {
  return std::find(dims.begin(), dims.end(), 0) != dims.end();
}

class IntegerGraph {
 public:
  IntegerGraph(ir::Context& context, ir::Module& module, IntegerLoops loops);

  ir::Context& ir() { return context_; }
  const ir::Module& module() const { return module_; }
  bool pairs() const { return loops_ == IntegerLoops::kPairs || has_small_depthwise(); }
  bool has_small_depthwise() const { return loops_ == IntegerLoops::kSmallPairs; }
  // Returns whether all products of the module, as it was at first, have one row.
  bool has_single_rows() const { return single_rows_; }
  bool helium() const { return loops_ == IntegerLoops::kHelium; }
  bool quads() const {
    return loops_ == IntegerLoops::kQuads || loops_ == IntegerLoops::kPackedQuads || is_v6m();
  }
  // Return whether quads read elements as int32, whether they pack those of four rows, and the
  // number of other rows that share loads of weights.
  bool widens() const { return loops_ == IntegerLoops::kQuads; }
  bool packs() const { return loops_ == IntegerLoops::kPackedQuads; }
  int64_t rows_together() const { return is_v6m() ? 1 : 2; }
  bool is_v6m() const { return loops_ == IntegerLoops::kV6m; }
  bool panels() const { return loops_ == IntegerLoops::kPanels; }
  bool elements() const { return loops_ == IntegerLoops::kElements; }

  // Starts a block. Its bindings are visible to the rest of the same block only.
  void EnterBlock(std::vector<ir::Binding>& out, bool dataflow);
  void Define(const ir::Binding& binding) { defined_[binding.var] = binding; }
  // Sets the binding that the next operators replace, for locations and names.
  void At(const ir::Binding& binding) {
    loc_ = binding.loc;
    name_ = module_.values[binding.var].name;
  }

  // Queries. They follow copies of variables. DimsOf returns nullopt unless all sizes are constant
  // and positive.
  const ir::Call* CallOf(const ir::Operand& operand) const;  // null: not an operator call
  ir::ValueId VariableOf(const ir::Operand& operand) const;  // of a bound variable
  std::optional<std::vector<int64_t>> DimsOf(const ir::Operand& operand) const;
  ir::DType ElementTypeOf(const ir::Operand& operand) const;  // void: not known
  // Returns the scale and zero point of a call of R.quantize or R.dequantize with integers of
  // `dtype`. Returns nullopt unless the dtype has 8 or 16 bits, and the call has one constant scale
  // for the whole tensor.
  std::optional<Affine> AffineOf(const ir::Call& call, ir::DType dtype) const;
  // Returns the quantized tensor that `operand` dequantizes, possibly through operators that move
  // elements. Returns nullopt for constants. May bind the integers, moved in the same way.
  std::optional<IntegerTensor> Dequantized(const ir::Operand& operand);
  // WeightsOf returns the integers and scales of constants that R.dequantize converts, NumbersOf
  // the value of a float constant. Both allow operators in between, and return nullopt for other
  // operands.
  std::optional<IntegerWeights> WeightsOf(const ir::Operand& operand) const;
  std::optional<RealConstant> NumbersOf(const ir::Operand& operand) const;

  // Construction.
  ir::Operand Op(absl::string_view op, std::vector<ir::Operand> args, ir::AttrMap attrs,
                 const std::vector<int64_t>& dims, ir::DType dtype);
  ir::Operand Kernel(absl::string_view name, ir::PrimFunc func, std::vector<ir::Operand> args,
                     const std::vector<int64_t>& dims, ir::DType dtype);
  ir::Operand Constant(ir::DType dtype, const std::vector<int64_t>& dims,
                       const std::vector<int64_t>& values);
  ir::Operand RealConstantOf(const std::vector<int64_t>& dims, const std::vector<double>& values);

  // Returns the image with channels last, [N, C, H, W] as [N, H, W, C]: an existing copy or a new
  // transposition. FromChannelsLast is the inverse. Both results are remembered.
  ir::Operand ChannelsLast(const IntegerTensor& x);
  bool IsChannelsLast(const ir::Operand& data) const;
  void RememberChannelsLast(const ir::Operand& data, ir::Operand last);
  ir::Operand FromChannelsLast(ir::Operand last, const std::vector<int64_t>& dims, ir::DType dtype);

  // Returns the elements of a constant, as integers or as real numbers.
  static std::vector<int64_t> IntegersOf(const interp::Tensor& tensor);
  static std::vector<double> RealsOf(const interp::Tensor& tensor);
  // Returns the value of `operand` when the variables in `given` have these values. Returns nullopt
  // if it depends on other variables or cannot be computed.
  using KnownValues = absl::flat_hash_map<ir::ValueId, interp::Tensor>;
  std::optional<interp::Tensor> Evaluate(const ir::Operand& operand,
                                         const KnownValues& given) const;
  std::optional<interp::Tensor> TensorOf(ir::DType dtype, const std::vector<int64_t>& dims,
                                         const std::vector<double>& values) const;

 private:
  ir::Operand Resolve(ir::Operand operand) const;
  IntegerTensor Moved(const ir::Call& call, const IntegerTensor& from,
                      const std::vector<int64_t>& dims);
  ir::Operand Bound(ir::Rhs rhs, const std::vector<int64_t>& dims, ir::DType dtype);

  ir::Context& context_;
  ir::Module& module_;
  const IntegerLoops loops_;
  GlobalNames names_;
  const bool single_rows_;
  std::vector<ir::Binding>* out_ = nullptr;
  bool dataflow_ = false;
  Location loc_;
  std::string name_;
  // Calls in it are used while others are added.
  absl::node_hash_map<ir::ValueId, ir::Binding> defined_;
  absl::flat_hash_map<ir::ValueId, ir::Operand> channels_last_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_GRAPH_H_

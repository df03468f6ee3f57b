#include "generator/transform/quantize/integer_graph.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/interp/eval_op.h"
#include "generator/interp/eval_operand.h"
#include "generator/ir/each_body.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/complete_call.h"
#include "generator/support/check.h"
#include "generator/target/gpu.h"
#include "generator/transform/call_to_tir.h"

namespace lathe::transform {

using interp::Tensor;
using ir::DType;
using ir::Operand;

namespace {

// The maximum number of operators between a constant and its use.
constexpr int kMaxSteps = 16;

bool IsSmallInteger(DType t) { return t.is_integer() && (t.bits == 8 || t.bits == 16); }

// True when the operator only moves elements, independent of their values.
bool Moves(const ir::Call& call) {
  const absl::string_view name = call.op()->name;
  return name == "relax.reshape" || name == "relax.permute_dims" || name == "relax.squeeze" ||
         name == "relax.expand_dims" || name == "relax.flatten";
}

ir::AttrValue AxisList(std::initializer_list<int> axes) {
  ir::AttrList list;
  for (int axis : axes) list.emplace_back(axis);
  return ir::AttrValue(std::move(list));
}

// Returns true for convolutions, and for products of which more rows than one share weights.
bool HasRows(const ir::Module& module, const ir::Binding& binding) {
  const auto* call = std::get_if<ir::Call>(&binding.rhs);
  if (call == nullptr || call->op() == nullptr) return false;
  const absl::string_view name = call->op()->name;
  if (absl::StartsWith(name, "relax.nn.conv")) return true;
  if (name != "relax.matmul") return false;
  const auto* info = module.values[binding.var].info->As<ir::TensorInfo>();
  if (info == nullptr || info->dims() == nullptr) return true;
  const std::vector<ir::PrimRef>& dims = *info->dims();
  return dims.size() > 1 && std::any_of(dims.begin(), dims.end() - 1, [](ir::PrimRef dim) {
           const auto* imm = dim->As<ir::IntImm>();
           return imm == nullptr || imm->value != 1;
         });
}

bool HasSingleRows(const ir::Module& module) {
  bool single = true;
  ir::ForEachFunction(module, [&](const ir::Function& function) {
    ir::ForEachBinding(function.body, [&](const ir::Block&, const ir::Binding& binding) {
      single = single && !HasRows(module, binding);
    });
  });
  return single;
}

}  // namespace

IntegerGraph::IntegerGraph(ir::Context& context, ir::Module& module, IntegerLoops loops)
    : context_(context),
      module_(module),
      loops_(loops),
      names_(module),
      single_rows_(HasSingleRows(module)) {}

IntegerLoops IntegerLoopsFor(const Target& target, bool small) {
  if (target.name == CudaTarget().name) return IntegerLoops::kElements;
  constexpr int kOfDsp = 2, kOfHelium = 16;
  if (target.dot_products == kOfHelium && target.pointer_bits == 32) return IntegerLoops::kHelium;
  // Two products in each of at least four columns at once, with vectors of gcc and clang.
  const bool panels = target.dot_products >= 8 && !target.vector_macro.empty();
  if (panels) return IntegerLoops::kPanels;
  if (target.dot_products == kOfDsp) {
    return small ? IntegerLoops::kSmallPairs : IntegerLoops::kPairs;
  }
  if (target.name == "cortex-m0") return IntegerLoops::kV6m;
  if (target.name == "cortex-m3") return IntegerLoops::kQuads;
  return target.name == "rv32imc" ? IntegerLoops::kPackedQuads : IntegerLoops::kBlocks;
}

void IntegerGraph::EnterBlock(std::vector<ir::Binding>& out, bool dataflow) {
  out_ = &out;
  dataflow_ = dataflow;
  defined_.clear();
  channels_last_.clear();
}

Operand IntegerGraph::Resolve(Operand operand) const {
  while (const auto* id = operand.As<ir::ValueId>()) {
    const auto found = defined_.find(*id);
    if (found == defined_.end()) break;
    const auto* copied = std::get_if<Operand>(&found->second.rhs);
    if (copied == nullptr) break;
    operand = *copied;
  }
  return operand;
}

const ir::Call* IntegerGraph::CallOf(const Operand& operand) const {
  const Operand source = Resolve(operand);
  const auto* id = source.As<ir::ValueId>();
  const auto found = id == nullptr ? defined_.end() : defined_.find(*id);
  if (found == defined_.end()) return nullptr;
  const auto* call = std::get_if<ir::Call>(&found->second.rhs);
  return call == nullptr || call->op() == nullptr ? nullptr : call;
}

ir::ValueId IntegerGraph::VariableOf(const Operand& operand) const {
  const Operand source = Resolve(operand);
  LATHE_CHECK(source.As<ir::ValueId>() != nullptr, "a variable");
  return *source.As<ir::ValueId>();
}

std::optional<std::vector<int64_t>> IntegerGraph::DimsOf(const Operand& operand) const {
  const auto* info = analysis::KnownInfo(context_, module_, Resolve(operand))->As<ir::TensorInfo>();
  if (info == nullptr || info->dims() == nullptr) return std::nullopt;
  std::vector<int64_t> dims;
  for (ir::PrimRef dim : *info->dims()) {
    const auto* imm = dim->As<ir::IntImm>();
    if (imm == nullptr || imm->value < 1) return std::nullopt;
    dims.push_back(imm->value);
  }
  return dims;
}

DType IntegerGraph::ElementTypeOf(const Operand& operand) const {
  const auto* info = analysis::KnownInfo(context_, module_, Resolve(operand))->As<ir::TensorInfo>();
  return info == nullptr ? DType::Void() : info->dtype;
}

std::optional<Affine> IntegerGraph::AffineOf(const ir::Call& call, DType dtype) const {
  if (!IsSmallInteger(dtype)) return std::nullopt;
  const auto scale = Evaluate(call.args[1], {}), zero = Evaluate(call.args[2], {});
  if (!scale || !zero || scale->num_elements() != 1 || zero->num_elements() != 1) {
    return std::nullopt;
  }
  const Affine affine = {dtype, RealsOf(*scale)[0], IntegersOf(*zero)[0]};
  const bool fine = std::isfinite(affine.scale) && affine.scale > 0;
  return fine ? std::optional<Affine>(affine) : std::nullopt;
}

std::optional<IntegerTensor> IntegerGraph::Dequantized(const Operand& operand) {
  const ir::Call* call = CallOf(operand);
  const auto dims = DimsOf(operand);
  if (call == nullptr || !dims || HasNoElements(*dims)) return std::nullopt;
  const auto* info = analysis::KnownInfo(context_, module_, call->args[0])->As<ir::TensorInfo>();
  if (info == nullptr) return std::nullopt;
  if (call->op()->name == "relax.dequantize") {
    const Operand data = Resolve(call->args[0]);
    const auto affine = AffineOf(*call, info->dtype);
    if (!affine || data.As<ir::ValueId>() == nullptr) return std::nullopt;
    return IntegerTensor{data, *dims, *affine};
  }
  if (!Moves(*call)) return std::nullopt;
  const auto from = Dequantized(call->args[0]);
  if (!from) return std::nullopt;
  return Moved(*call, *from, *dims);
}

IntegerTensor IntegerGraph::Moved(const ir::Call& call, const IntegerTensor& from,
                                  const std::vector<int64_t>& dims) {
  std::vector<Operand> args = call.args;
  args[0] = from.data;
  // An image of height and width 1 is equal in every layout.
  const bool alone = from.dims.size() == 4 && from.dims[2] == 1 && from.dims[3] == 1;
  if (alone && call.op()->name == "relax.reshape" && IsChannelsLast(from.data)) {
    args[0] = ChannelsLast(from);
  }
  ir::AttrMap attrs = call.attrs;
  const Operand data =
      Op(call.op()->name, std::move(args), std::move(attrs), dims, from.affine.dtype);
  return {data, dims, from.affine};
}

std::vector<int64_t> IntegerGraph::IntegersOf(const Tensor& tensor) {
  std::vector<int64_t> values;
  for (uint64_t i = 0; i < tensor.num_elements(); ++i) values.push_back(tensor.At(i).AsInt());
  return values;
}

std::vector<double> IntegerGraph::RealsOf(const Tensor& tensor) {
  std::vector<double> values;
  for (uint64_t i = 0; i < tensor.num_elements(); ++i) values.push_back(tensor.At(i).AsDouble());
  return values;
}

std::optional<Tensor> IntegerGraph::TensorOf(DType dtype, const std::vector<int64_t>& dims,
                                             const std::vector<double>& values) const {
  const auto tensor = interp::NewTensor(dtype, dims, interp::Runtime(context_, module_, {}).budget);
  if (!tensor.ok() || (*tensor)->num_elements() != values.size()) return std::nullopt;
  for (size_t i = 0; i < values.size(); ++i) {
    (*tensor)->Set(i, interp::FromDouble(dtype, values[i]));
  }
  return **tensor;
}

std::optional<Tensor> IntegerGraph::Evaluate(const Operand& operand,
                                             const KnownValues& given) const {
  interp::Options options;
  options.packed = interp::PackedTable();  // no external calls
  interp::Runtime rt(context_, module_, std::move(options));
  Diagnostics ignored;
  rt.diags = &ignored;
  interp::Scope scope;
  for (const auto& [id, tensor] : given) {
    scope.Bind(id, interp::Value(std::make_shared<const Tensor>(tensor)));
  }
  const std::function<std::optional<interp::Value>(const Operand&, int)> value_of =
      [&](const Operand& part, int left) -> std::optional<interp::Value> {
    const Operand source = Resolve(part);
    const auto* id = source.As<ir::ValueId>();
    if (id == nullptr || scope.Find(*id) != nullptr) {
      auto value = interp::EvalOperand(rt, source, scope, loc_);
      return value.ok() ? std::optional(*std::move(value)) : std::nullopt;
    }
    const ir::Call* call = left == 0 ? nullptr : CallOf(source);
    if (call == nullptr || call->op()->compute == nullptr) return std::nullopt;
    std::vector<interp::Value> args;
    for (const Operand& arg : call->args) {
      auto value = value_of(arg, left - 1);
      if (!value) return std::nullopt;
      // Inference needs the info of the variables themselves, not of their copies.
      if (const auto* named = arg.As<ir::ValueId>(); named && scope.Find(*named) == nullptr) {
        scope.Bind(*named, *value);
      }
      args.push_back(*std::move(value));
    }
    auto value = interp::EvalOp({rt, scope, *call, *call->op(), args, loc_, nullptr});
    return value.ok() ? std::optional(*std::move(value)) : std::nullopt;
  };
  const std::optional<interp::Value> value = value_of(operand, kMaxSteps);
  const Tensor* tensor = value ? value->AsTensor() : nullptr;
  return tensor == nullptr ? std::nullopt : std::optional<Tensor>(*tensor);
}

// Evaluates the operators after R.dequantize twice, with the integers and with their scales as
// input, to find the position of each element.
std::optional<IntegerWeights> IntegerGraph::WeightsOf(const Operand& operand) const {
  Operand root = Resolve(operand);
  const ir::Call* call = CallOf(root);
  for (int left = kMaxSteps; call != nullptr && Moves(*call) && left > 0; --left) {
    root = Resolve(call->args[0]);
    call = CallOf(root);
  }
  if (call == nullptr || call->op()->name != "relax.dequantize") return std::nullopt;
  const auto stored = Evaluate(call->args[0], {}), scale = Evaluate(call->args[1], {}),
             zero = Evaluate(call->args[2], {});
  if (!stored || !scale || !zero || !stored->dtype.is_integer()) return std::nullopt;
  const uint64_t count = stored->num_elements();
  if (count == 0) return std::nullopt;
  const int axis = stored->ndim() == 0
                       ? 0
                       : ops::FromFront(ops::FindInt(*call, "axis").value_or(-1), stored->ndim());
  uint64_t inner = 1;
  for (int i = axis + 1; i < stored->ndim(); ++i) inner *= static_cast<uint64_t>(stored->shape[i]);
  const uint64_t length = stored->ndim() == 0 ? 1 : static_cast<uint64_t>(stored->shape[axis]);
  const auto along = [&](const Tensor& t, uint64_t i) {
    return t.num_elements() == 1 ? 0 : i / inner % length;
  };
  for (const Tensor& t : {*scale, *zero}) {
    if (t.num_elements() != 1 && t.num_elements() != length) return std::nullopt;
  }
  std::vector<double> integers(count), scales(count);
  for (uint64_t i = 0; i < count; ++i) {
    const int64_t value = stored->At(i).AsInt() - zero->At(along(*zero, i)).AsInt();
    // Exact in float64, and outside the range of small integers.
    if (std::abs(value) >= int64_t{1} << 31) return std::nullopt;
    integers[i] = static_cast<double>(value);
    scales[i] = scale->At(along(*scale, i)).AsDouble();
    if (!std::isfinite(scales[i]) || scales[i] <= 0) return std::nullopt;
  }
  const ir::ValueId at = *root.As<ir::ValueId>();
  const auto wide = TensorOf(DType::Float(64), stored->shape, integers),
             factors = TensorOf(DType::Float(64), stored->shape, scales);
  if (!wide || !factors) return std::nullopt;
  const auto values = Evaluate(operand, {{at, *wide}}), moved = Evaluate(operand, {{at, *factors}});
  if (!values || !moved) return std::nullopt;
  IntegerWeights weights = {values->shape, {}, RealsOf(*moved)};
  for (int64_t value : IntegersOf(*values)) weights.values.push_back(static_cast<int32_t>(value));
  return weights;
}

std::optional<RealConstant> IntegerGraph::NumbersOf(const Operand& operand) const {
  const auto tensor = Evaluate(operand, {});
  if (!tensor || !tensor->dtype.is_floating()) return std::nullopt;
  return RealConstant{tensor->shape, RealsOf(*tensor)};
}

Operand IntegerGraph::Bound(ir::Rhs rhs, const std::vector<int64_t>& dims, DType dtype) {
  std::vector<ir::PrimRef> shape;
  for (int64_t dim : dims) shape.push_back(context_.Int(dim));
  EmitOps emit(module_, *out_, dataflow_, loc_);
  const Operand made = emit.Bind(std::move(rhs), name_);
  module_.values[*made.As<ir::ValueId>()].info = context_.Tensor(std::move(shape), dtype);
  Define(out_->back());
  return made;
}

Operand IntegerGraph::Op(absl::string_view op, std::vector<Operand> args, ir::AttrMap attrs,
                         const std::vector<int64_t>& dims, DType dtype) {
  return Bound(ops::CallOf(op, std::move(args), std::move(attrs)), dims, dtype);
}

Operand IntegerGraph::Kernel(absl::string_view name, ir::PrimFunc func, std::vector<Operand> args,
                             const std::vector<int64_t>& dims, DType dtype) {
  std::vector<ir::PrimRef> shape;
  for (int64_t dim : dims) shape.push_back(context_.Int(dim));
  const ir::GlobalId id = module_.globals.Add({names_.Unique(name), std::move(func), loc_});
  return Bound(CallTir(id, args, {}, context_.Tensor(std::move(shape), dtype)), dims, dtype);
}

Operand IntegerGraph::Constant(DType dtype, const std::vector<int64_t>& dims,
                               const std::vector<int64_t>& values) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    interp::WriteElement(bytes->data(), dtype, i, interp::FromInt64(dtype, values[i]));
  }
  return Operand{module_.constants.Add({dtype, dims, std::move(bytes)})};
}

Operand IntegerGraph::RealConstantOf(const std::vector<int64_t>& dims,
                                     const std::vector<double>& values) {
  const DType dtype = DType::Float(32);
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    interp::WriteElement(bytes->data(), dtype, i, interp::FromDouble(dtype, values[i]));
  }
  return Operand{module_.constants.Add({dtype, dims, std::move(bytes)})};
}

bool IntegerGraph::IsChannelsLast(const Operand& data) const {
  const Operand source = Resolve(data);
  const auto* id = source.As<ir::ValueId>();
  return id != nullptr && channels_last_.contains(*id);
}

void IntegerGraph::RememberChannelsLast(const Operand& data, Operand last) {
  channels_last_[VariableOf(data)] = std::move(last);
}

Operand IntegerGraph::ChannelsLast(const IntegerTensor& x) {
  const Operand source = Resolve(x.data);
  const auto* id = source.As<ir::ValueId>();
  LATHE_CHECK(id != nullptr && x.dims.size() == 4, "an image that is computed");
  const auto found = channels_last_.find(*id);
  if (found != channels_last_.end()) return found->second;
  const Operand last = Op("relax.permute_dims", {source}, {{"axes", AxisList({0, 2, 3, 1})}},
                          {x.dims[0], x.dims[2], x.dims[3], x.dims[1]}, x.affine.dtype);
  channels_last_[*id] = last;
  return last;
}

Operand IntegerGraph::FromChannelsLast(Operand last, const std::vector<int64_t>& dims,
                                       DType dtype) {
  const Operand made =
      Op("relax.permute_dims", {last}, {{"axes", AxisList({0, 3, 1, 2})}}, dims, dtype);
  channels_last_[*made.As<ir::ValueId>()] = std::move(last);
  return made;
}

}  // namespace lathe::transform

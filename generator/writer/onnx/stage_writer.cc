#include "generator/writer/onnx/stage_writer.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "absl/strings/str_cat.h"
#include "generator/nest/same_sizes.h"
#include "generator/ops/args/operands.h"
#include "generator/writer/onnx/floor_divide.h"

namespace lathe::onnx {
namespace {

bool IsZero(ir::PrimRef e) { return ops::AsInt(e) != nullptr && *ops::AsInt(e) == 0; }
bool IsOne(ir::PrimRef e) { return ops::AsInt(e) != nullptr && *ops::AsInt(e) == 1; }

struct IntrinsicRow {
  absl::string_view intrinsic;
  absl::string_view onnx;
};
// Intrinsics that are one node.
constexpr IntrinsicRow kIntrinsicRows[] = {
    {"abs", "Abs"},         {"acos", "Acos"},   {"acosh", "Acosh"}, {"asin", "Asin"},
    {"asinh", "Asinh"},     {"atan", "Atan"},   {"atanh", "Atanh"}, {"ceil", "Ceil"},
    {"cos", "Cos"},         {"cosh", "Cosh"},   {"erf", "Erf"},     {"exp", "Exp"},
    {"fabs", "Abs"},        {"floor", "Floor"}, {"isnan", "IsNaN"}, {"log", "Log"},
    {"nearbyint", "Round"}, {"pow", "Pow"},     {"round", "Round"}, {"sigmoid", "Sigmoid"},
    {"sin", "Sin"},         {"sinh", "Sinh"},   {"sqrt", "Sqrt"},   {"tan", "Tan"},
    {"tanh", "Tanh"},
};

struct BinaryRow {
  ir::BinaryOp op;
  absl::string_view onnx;
};
// Operations that are one node for real numbers and integers.
constexpr BinaryRow kBinaryRows[] = {
    {ir::BinaryOp::kAdd, "Add"},
    {ir::BinaryOp::kSub, "Sub"},
    {ir::BinaryOp::kMul, "Mul"},
    {ir::BinaryOp::kDiv, "Div"},
    {ir::BinaryOp::kMin, "Min"},
    {ir::BinaryOp::kMax, "Max"},
    {ir::BinaryOp::kEq, "Equal"},
    {ir::BinaryOp::kLt, "Less"},
    {ir::BinaryOp::kLe, "LessOrEqual"},
    {ir::BinaryOp::kGt, "Greater"},
    {ir::BinaryOp::kGe, "GreaterOrEqual"},
    {ir::BinaryOp::kAnd, "And"},
    {ir::BinaryOp::kOr, "Or"},
};

struct ReductionRow {
  ir::BinaryOp op;
  absl::string_view onnx, combine;  // the reduction, and the operation of two elements
};
constexpr ReductionRow kReductionRows[] = {
    {ir::BinaryOp::kAdd, "ReduceSum", "Add"},
    {ir::BinaryOp::kMul, "ReduceProd", "Mul"},
    {ir::BinaryOp::kMax, "ReduceMax", "Max"},
    {ir::BinaryOp::kMin, "ReduceMin", "Min"},
};

// True if combining `init` with any value of the dtype gives that value.
bool IsIdentity(ir::BinaryOp op, ir::PrimRef init) {
  const auto* real = init->As<ir::FloatImm>();
  const auto* whole = init->As<ir::IntImm>();
  if (op == ir::BinaryOp::kAdd || op == ir::BinaryOp::kMul) {
    const double identity = op == ir::BinaryOp::kMul ? 1 : 0;
    return real != nullptr ? real->value == identity
                           : whole != nullptr && static_cast<double>(whole->value) == identity;
  }
  const double end = op == ir::BinaryOp::kMin ? std::numeric_limits<double>::infinity()
                                              : -std::numeric_limits<double>::infinity();
  return real != nullptr && real->value == end;
}

}  // namespace

StageWriter::Spread StageWriter::Fail(absl::string_view reason) {
  w_.Fail(reason);
  return {};
}

// Orders the axes as the stored tensor has them.
bool StageWriter::FindAxes() {
  for (size_t a = 0; a < stage_.at.size(); ++a) {
    const auto axis =
        std::find_if(stage_.spatial.begin(), stage_.spatial.end(),
                     [&](const nest::NestAxis& one) { return one.var == stage_.at[a]; });
    if (axis != stage_.spatial.end()) {
      if (!nest::SameSize(w_.graph().ir(), axis->extent, stage_.to->shape[a])) return false;
      axes_.push_back(*axis);
    } else if (IsZero(stage_.at[a]) && IsOne(stage_.to->shape[a])) {
      axes_.push_back({nullptr, w_.graph().ir().Int(1)});
    } else {
      return false;
    }
  }
  axes_.insert(axes_.end(), stage_.reduce.begin(), stage_.reduce.end());
  return true;
}

std::string StageWriter::Write() {
  if (stage_.to == nullptr || !FindAxes()) {
    Fail("a loop nest that stores elements in another order");
    return "";
  }
  Spread value;
  if (stage_.acc != nullptr) {
    reduced_ = Reduce().name;
    axes_.resize(stage_.at.size());
  }
  for (const nest::NestLet& let : stage_.lets) bound_[let.var] = Evaluate(let.value);
  value = Evaluate(stage_.value);
  return w_.failed() ? "" : Filled(value, axes_.size());
}

StageWriter::Spread StageWriter::Reduce() {
  const auto* update = stage_.update->As<ir::Binary>();
  if (update == nullptr || stage_.init == nullptr) return Fail("a loop nest with this reduction");
  const auto is_acc = [&](ir::PrimRef e) {
    const auto* load = e->As<ir::Load>();
    return load != nullptr && load->buffer == stage_.acc;
  };
  const auto* row = std::find_if(std::begin(kReductionRows), std::end(kReductionRows),
                                 [&](const ReductionRow& one) { return one.op == update->op; });
  const bool left = is_acc(update->lhs);
  if (row == std::end(kReductionRows) || (!left && !is_acc(update->rhs))) {
    return Fail("a loop nest with this reduction");
  }
  for (const nest::NestLet& let : stage_.fold_lets) bound_[let.var] = Evaluate(let.value);
  const Spread term = Evaluate(left ? update->rhs : update->lhs);
  if (w_.failed()) return {};
  const std::string whole = Filled(term, axes_.size());
  std::vector<int64_t> axes;
  for (size_t a = stage_.at.size(); a < axes_.size(); ++a) {
    axes.push_back(static_cast<int64_t>(a));
  }
  std::string reduced =
      w_.Step(row->onnx, {whole, w_.graph().Ints(axes)}, {IntAttribute("keepdims", 0)});
  if (!IsIdentity(update->op, stage_.init)) {
    const Spread init = Evaluate(stage_.init);
    if (w_.failed()) return {};
    if (init.rank != 0) return Fail("a loop nest with a reduction from several values");
    reduced = w_.Step(row->combine, {reduced, init.name});
  }
  return {reduced, stage_.at.size(), {}};
}

// Broadcasts the value to all of the first `axes` axes.
std::string StageWriter::Filled(const Spread& value, size_t axes) {
  bool full = value.rank == axes;
  for (size_t a = 0; a < axes && full; ++a) {
    full = value.varies[a] || IsOne(axes_[a].extent);
  }
  if (full) return value.name;
  std::vector<int64_t> dims;
  for (size_t a = 0; a < axes; ++a) {
    const int64_t* extent = ops::AsInt(axes_[a].extent);
    if (extent == nullptr) {
      Fail("a loop nest of symbolic size");
      return "";
    }
    dims.push_back(*extent);
  }
  return w_.Step("Expand", {value.name, w_.graph().Ints(dims)});
}

StageWriter::Spread StageWriter::Node(absl::string_view op, const std::vector<Spread>& inputs,
                                      std::vector<Attribute> attributes) {
  if (w_.failed()) return {};
  Spread out;
  out.varies.resize(axes_.size());
  std::vector<std::string> names;
  for (const Spread& input : inputs) {
    names.push_back(input.name);
    out.rank = std::max(out.rank, input.rank);
    for (size_t a = 0; a < input.varies.size() && a < out.varies.size(); ++a) {
      out.varies[a] = out.varies[a] || input.varies[a];
    }
  }
  out.name = w_.Step(op, names, std::move(attributes));
  return out;
}

StageWriter::Spread StageWriter::Load(const ir::Load& load) {
  if (load.buffer == stage_.acc) {
    return {reduced_, axes_.size(), std::vector<bool>(axes_.size(), true)};
  }
  const auto found = tensors_.find(load.buffer);
  if (found == tensors_.end()) return Fail("a loop nest that loads what no stage stores");
  Spread out{found->second, 0, std::vector<bool>(axes_.size())};
  std::vector<int64_t> dropped, from;  // axes of the tensor; the space's axis of each kept one
  for (size_t k = 0; k < load.indices.size(); ++k) {
    if (IsZero(load.indices[k]) && IsOne(load.buffer->shape[k])) {
      dropped.push_back(static_cast<int64_t>(k));
      continue;
    }
    const auto axis = std::find_if(axes_.begin(), axes_.end(), [&](const nest::NestAxis& one) {
      return one.var == load.indices[k];
    });
    if (axis == axes_.end() ||
        !nest::SameSize(w_.graph().ir(), axis->extent, load.buffer->shape[k])) {
      return Fail("a loop nest that loads elements at computed indices");
    }
    from.push_back(axis - axes_.begin());
    if (out.varies[static_cast<size_t>(from.back())]) {
      return Fail("a loop nest that loads a diagonal");
    }
    out.varies[static_cast<size_t>(from.back())] = true;
  }
  // A tensor whose axes are in place is broadcast as it is.
  bool in_place = load.indices.size() <= axes_.size();
  size_t next = 0;
  for (size_t k = 0; k < load.indices.size() && in_place; ++k) {
    if (std::count(dropped.begin(), dropped.end(), static_cast<int64_t>(k)) != 0) continue;
    in_place = from[next++] == static_cast<int64_t>(axes_.size() - load.indices.size() + k);
  }
  if (in_place) {
    out.rank = load.indices.size();
    return out;
  }
  if (!dropped.empty()) out.name = w_.Step("Squeeze", {out.name, w_.graph().Ints(dropped)});
  std::vector<int64_t> order(from.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int64_t>(k);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return from[static_cast<size_t>(a)] < from[static_cast<size_t>(b)];
  });
  out.name = w_.Transposed(out.name, order);
  std::sort(from.begin(), from.end());
  const int64_t first = from.empty() ? static_cast<int64_t>(axes_.size()) : from[0];
  out.rank = axes_.size() - static_cast<size_t>(first);
  std::vector<int64_t> inserted;
  for (int64_t a = first; a < std::ssize(axes_); ++a) {
    if (std::count(from.begin(), from.end(), a) == 0) inserted.push_back(a - first);
  }
  if (!inserted.empty()) out.name = w_.Step("Unsqueeze", {out.name, w_.graph().Ints(inserted)});
  return out;
}

StageWriter::Spread StageWriter::Binary(ir::BinaryOp op, const Spread& a, const Spread& b,
                                        ir::DType dtype) {
  const bool is_real = dtype.is_floating();
  for (const BinaryRow& row : kBinaryRows) {
    if (row.op == op) return Node(row.onnx, {a, b});
  }
  if (op == ir::BinaryOp::kNe) return Node("Not", {Node("Equal", {a, b})});
  if (op == ir::BinaryOp::kMod) return Node("Mod", {a, b}, {IntAttribute("fmod", 1)});
  if (op == ir::BinaryOp::kFloorMod && !is_real) return Node("Mod", {a, b});
  if (op == ir::BinaryOp::kFloorDiv && !is_real) {
    return FloorDivide(a, b, dtype,
                       [this](absl::string_view name, const std::vector<Spread>& operands,
                              std::vector<Attribute> attributes) {
                         return Node(name, operands, std::move(attributes));
                       });
  }
  return Fail("a loop nest with this arithmetic");
}

StageWriter::Spread StageWriter::EvaluateIntrinsic(const ir::Intrinsic& call, ir::DType dtype) {
  std::vector<Spread> args;
  for (ir::PrimRef arg : call.args) args.push_back(Evaluate(arg));
  for (const IntrinsicRow& row : kIntrinsicRows) {
    if (row.intrinsic == call.name) return Node(row.onnx, args);
  }
  if (call.name == "if_then_else" && args.size() == 3) return Node("Where", args);
  const auto number = [&](double value) { return Spread{w_.Number(value, dtype), 0, {}}; };
  if (call.name == "log1p") return Node("Log", {Node("Add", {args[0], number(1)})});
  if (call.name == "rsqrt") return Node("Reciprocal", {Node("Sqrt", args)});
  return Fail(absl::StrCat("a loop nest with ", call.name));
}

StageWriter::Spread StageWriter::Evaluate(ir::PrimRef e) {
  if (w_.failed()) return {};
  if (const auto* real = e->As<ir::FloatImm>()) return {w_.Number(real->value, e->dtype()), 0, {}};
  if (const auto* whole = e->As<ir::IntImm>()) {
    return {w_.graph().Integer(whole->value, e->dtype()), 0, {}};
  }
  if (e->As<ir::SymVar>() != nullptr) {
    const auto found = bound_.find(e);
    return found == bound_.end() ? Fail("a loop nest that computes with indices") : found->second;
  }
  if (const auto* load = e->As<ir::Load>()) return Load(*load);
  if (const auto* unary = e->As<ir::Unary>()) {
    const Spread value = Evaluate(unary->value);
    if (unary->op == ir::UnaryOp::kNeg) return Node("Neg", {value});
    return Node(unary->op == ir::UnaryOp::kNot ? "Not" : "BitwiseNot", {value});
  }
  if (const auto* binary = e->As<ir::Binary>()) {
    const Spread a = Evaluate(binary->lhs), b = Evaluate(binary->rhs);
    return Binary(binary->op, a, b, binary->lhs->dtype());
  }
  if (const auto* select = e->As<ir::Select>()) {
    const Spread cond = Evaluate(select->cond), a = Evaluate(select->if_true);
    return Node("Where", {cond, a, Evaluate(select->if_false)});
  }
  if (const auto* cast = e->As<ir::Cast>()) {
    const Spread value = Evaluate(cast->value);
    const int32_t to = ElementTypeOf(e->dtype());
    if (to == 0) return Fail("a loop nest with a dtype that ONNX does not have");
    return Node("Cast", {value}, {IntAttribute("to", to)});
  }
  if (const auto* call = e->As<ir::Intrinsic>()) return EvaluateIntrinsic(*call, e->dtype());
  return Fail("a loop nest with this arithmetic");
}

}  // namespace lathe::onnx

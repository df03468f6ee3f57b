#include "tests/random/sketch.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "generator/support/check.h"

namespace lathe::random {
namespace {

bool IsOf(Kind kind, DType dtype) {
  switch (kind) {
    case Kind::kFloat:
      return dtype.is_floating();
    case Kind::kInt:
      return dtype.is_integer();
    case Kind::kBool:
      return dtype.is_bool();
    case Kind::kNumber:
      return !dtype.is_bool();
    case Kind::kAny:
      break;
  }
  return true;
}

}  // namespace

AttrValue Ints(const std::vector<int64_t>& numbers) {
  ir::AttrList list;
  for (int64_t n : numbers) list.push_back(AttrValue(n));
  return AttrValue(std::move(list));
}

uint64_t Count(const Sizes& sizes) {
  uint64_t count = 1;
  for (int64_t size : sizes) count *= static_cast<uint64_t>(size);
  return count;
}

Sketch::Sketch(ir::Context& context, uint64_t seed, Tally& tally)
    : context(context), dice(seed), builder(context), tally_(tally) {}

PrimRef Sketch::NewNumber(absl::string_view name, int64_t value) {
  const std::string unique = absl::StrCat(name, sizes_by_name_.size());
  PrimRef var = builder.ShapeVar(unique);
  size_of_[var] = Int(value);
  sizes_by_name_[unique] = value;
  return var;
}

PrimRef Sketch::NewVar(absl::string_view name, int64_t size) {
  vars_.push_back(NewNumber(name, size));
  return vars_.back();
}

Operand Sketch::SomeNumber(int64_t value) {
  if (!dice.Percent(15)) return builder.Number(value);
  Note("match_cast: a number");
  const PrimRef var = NewNumber("q", value);
  const Operand scalar = Emit(Operand{ir::PrimValue{Int(value)}});
  return builder.MatchCast(scalar, context.Prim(DType::Int(64), var));
}

PrimRef Sketch::Dim() {
  if (!vars_.empty() && dice.Percent(45)) return dice.From(vars_);
  return Int(Size(1, 4));
}

int64_t Sketch::Size(int64_t low, int64_t high) {
  return size_choices.empty() ? dice.Between(low, high) : dice.From(size_choices);
}

Dims Sketch::SomeDims(int ndim) {
  Dims dims;
  for (int i = 0; i < ndim; ++i) dims.push_back(Dim());
  return dims;
}

PrimRef Sketch::DimOfSize(PrimRef dim) {
  const bool relied = relied_;
  const int64_t size = SizeOf(dim);
  relied_ = relied;
  if (!vars_.empty() && dice.Percent(60)) {
    PrimRef var = dice.From(vars_);
    if (SizeOf(var) == size) return var;
    relied_ = relied;
  }
  return Int(size);
}

int64_t Sketch::SizeOf(PrimRef dim) {
  if (const auto* imm = dim->As<ir::IntImm>()) return imm->value;
  relied_ = true;
  PrimRef known = analysis::Simplify(context, analysis::Substitute(context, dim, size_of_));
  const auto* imm = known->As<ir::IntImm>();
  LATHE_CHECK(imm != nullptr, "the size of every dimension is known");
  return imm->value;
}

Sizes Sketch::SizesOf(const Dims& dims) {
  Sizes sizes;
  for (PrimRef dim : dims) sizes.push_back(SizeOf(dim));
  return sizes;
}

Dims Sketch::DimsOf(ir::Context& context, const Sizes& sizes) {
  Dims dims;
  for (int64_t size : sizes) dims.push_back(context.Int(size));
  return dims;
}

DType Sketch::SomeDType(Kind kind) {
  const size_t chance = dice.Below(100);
  if (kind == Kind::kBool || (kind == Kind::kAny && chance < 8)) return DType::Bool();
  if (kind == Kind::kInt || (kind != Kind::kFloat && chance < 35)) {
    return dice.Of({DType::Int(32), DType::Int(32), DType::Int(64), DType::Int(64), DType::Int(8),
                    DType::UInt(8), DType::Int(16)});
  }
  return dice.Of({DType::Float(32), DType::Float(32), DType::Float(32), DType::Float(32),
                  DType::Float(64), DType::Float(16)});
}

std::optional<Tensor> Sketch::AsTensor(const Operand& operand) {
  const auto* info = builder.InfoOf(operand)->As<ir::TensorInfo>();
  if (info == nullptr || info->dims() == nullptr || info->dtype.is_void()) return std::nullopt;
  return Tensor{operand, info->dtype, *info->dims()};
}

std::optional<Operand> Sketch::Find(const std::function<bool(StructInfoRef)>& wanted) {
  std::vector<const Known*> found;
  for (const Known& known : values_) {
    if ((!known.soft || soft_allowed_) && wanted(known.info)) found.push_back(&known);
  }
  if (found.empty()) return std::nullopt;
  // What came last is used more often, so that programs are deep.
  const size_t from = dice.Percent(50) ? found.size() - (found.size() + 2) / 3 : 0;
  const Known& known = *found[from + dice.Below(found.size() - from)];
  touched_ |= known.soft;
  return known.value;
}

Tensor Sketch::Any(Kind kind, int least_ndim, int most_ndim) {
  const auto wanted = [&](StructInfoRef info) {
    const auto* tensor = info->As<ir::TensorInfo>();
    return tensor != nullptr && tensor->dims() != nullptr && IsOf(kind, tensor->dtype) &&
           tensor->ndim >= least_ndim && tensor->ndim <= most_ndim;
  };
  if (const auto found = Find(wanted)) return *AsTensor(*found);
  const int ndim = static_cast<int>(dice.Between(least_ndim, std::min(most_ndim, least_ndim + 2)));
  return *AsTensor(Fresh(SomeDType(kind), SomeDims(ndim)));
}

Tensor Sketch::AnyOf(DType dtype, int least_ndim, int most_ndim) {
  const auto wanted = [&](StructInfoRef info) {
    const auto* tensor = info->As<ir::TensorInfo>();
    return tensor != nullptr && tensor->dims() != nullptr && tensor->dtype == dtype &&
           tensor->ndim >= least_ndim && tensor->ndim <= most_ndim;
  };
  if (const auto found = Find(wanted)) return *AsTensor(*found);
  const int ndim = static_cast<int>(dice.Between(least_ndim, std::min(most_ndim, least_ndim + 2)));
  return *AsTensor(Fresh(dtype, SomeDims(ndim)));
}

Tensor Sketch::Static(Tensor tensor) {
  const Dims dims = DimsOf(SizesOf(tensor.dims));
  if (dims == tensor.dims) return tensor;
  Note("match_cast: sizes as numbers");
  return *AsTensor(Keep(builder.MatchCast(tensor.value, context.Tensor(dims, tensor.dtype))));
}

Operand Sketch::Constant(DType dtype, const Sizes& sizes) {
  std::vector<double> elements(Count(sizes));
  const int64_t most = dtype.is_uint() ? 6 : 3;
  for (double& element : elements) {
    element = dtype.is_bool()       ? static_cast<double>(dice.Below(2))
              : dtype.is_floating() ? static_cast<double>(dice.Between(-12, 12)) / 8
                                    : static_cast<double>(dice.Between(most - 6, most));
  }
  Note("constant");
  return builder.Constant(dtype, sizes, elements);
}

// Elements of some tensor that is in scope, put anew.
Operand Sketch::Derived(DType dtype, const Sizes& sizes) {
  Tensor from = AnyOf(dtype, 1, 4);
  const uint64_t count = Count(SizesOf(from.dims));
  if (count == 0) return Constant(dtype, sizes);
  Operand flat = from.ndim() == 1 ? from.value : Op("relax.flatten", {from.value});
  std::vector<double> places(Count(sizes));
  for (double& place : places) place = static_cast<double>(dice.Below(count));
  return Op("relax.take", {flat, Constant(DType::Int(64), sizes, places)}, {{"axis", 0}});
}

Operand Sketch::Fresh(DType dtype, const Dims& dims) {
  const bool is_static = std::all_of(dims.begin(), dims.end(),
                                     [](PrimRef dim) { return dim->As<ir::IntImm>() != nullptr; });
  if (is_static) {
    const Sizes sizes = SizesOf(dims);
    const auto there = [&](StructInfoRef info) {
      const auto* tensor = info->As<ir::TensorInfo>();
      return tensor != nullptr && tensor->dims() != nullptr && tensor->dtype == dtype &&
             tensor->ndim > 0;
    };
    if (dice.Percent(55) && Find(there)) return Derived(dtype, sizes);
    return Constant(dtype, sizes);
  }
  if (dice.Percent(30)) {
    return Op(dice.Of({"relax.zeros", "relax.ones"}), {builder.Shape(dims)},
              {{"dtype", AttrValue(dtype)}});
  }
  if (dice.Percent(40)) {
    return Op("relax.full", {builder.Shape(dims), Constant(dtype, {})},
              {{"dtype", AttrValue(dtype)}});
  }
  return Op("relax.broadcast_to", {Like(dtype, {}), builder.Shape(dims)});
}

Operand Sketch::Like(DType dtype, const Dims& dims) {
  const auto wanted = [&](StructInfoRef info) {
    const auto* tensor = info->As<ir::TensorInfo>();
    return tensor != nullptr && tensor->dims() != nullptr && tensor->dtype == dtype &&
           *tensor->dims() == dims;
  };
  if (dice.Percent(85)) {
    if (const auto found = Find(wanted)) return *found;
  }
  return Fresh(dtype, dims);
}

Dims Sketch::IndexDims(Dims dims, int64_t limit) {
  if (limit > 0) return dims;
  if (dims.empty()) return {Int(0)};
  dims[0] = Int(0);
  return dims;
}

Operand Sketch::Index(const Dims& dims, int64_t limit, DType dtype) {
  if (limit == 0 || dice.Percent(60)) {
    const Sizes sizes = SizesOf(dims);
    LATHE_CHECK(limit > 0 || Count(sizes) == 0, "there is something to choose from");
    std::vector<double> elements(Count(sizes));
    for (double& element : elements) element = static_cast<double>(dice.Between(0, limit - 1));
    const bool is_static = DimsOf(sizes) == dims;
    const Operand constant = Constant(dtype, sizes, elements);
    if (is_static) return constant;
    return Keep(builder.MatchCast(constant, context.Tensor(dims, dtype)));
  }
  return Op("relax.floor_mod",
            {Like(dtype, dims), Constant(dtype, {}, {static_cast<double>(limit)})});
}

Operand Sketch::Argument(StructInfoRef info) {
  if (const auto* tensor = info->As<ir::TensorInfo>()) return Like(tensor->dtype, *tensor->dims());
  if (const auto* shape = info->As<ir::ShapeInfo>()) return builder.Shape(*shape->values);
  if (const auto* prim = info->As<ir::PrimInfo>()) {
    return {ir::PrimValue{prim->value != nullptr ? prim->value
                                                 : context.Int(dice.Between(0, 3), prim->dtype)}};
  }
  if (const auto found = Find([&](StructInfoRef known) { return known == info; })) return *found;
  const auto* tuple = info->As<ir::TupleInfo>();
  LATHE_CHECK(tuple != nullptr, "parameters are tensors, shapes, scalars or tuples");
  Operands fields;
  for (StructInfoRef field : tuple->fields) fields.push_back(Argument(field));
  return builder.Tuple(std::move(fields));
}

Operand Sketch::Keep(Operand value) {
  values_.push_back({value, builder.InfoOf(value), touched_, flow_});
  return value;
}

Operand Sketch::Op(absl::string_view name, Operands args, AttrMap attrs) {
  if (dice.Percent(6)) {
    Note("duplicate");
    Keep(builder.Op(name, args, attrs));
  }
  if (dice.Percent(3)) {
    Note("unused binding");
    builder.Op(name, args, attrs);
  }
  return Keep(builder.Op(name, std::move(args), std::move(attrs)));
}

Operand Sketch::Emit(ir::Rhs rhs) { return Keep(builder.Emit(std::move(rhs))); }

Operand Sketch::Invoke(absl::string_view op, Operands args, StructInfoRef result, AttrMap attrs) {
  ir::Call call;
  call.callee = ops::FindOp(op);
  call.args = std::move(args);
  call.attrs = std::move(attrs);
  LATHE_CHECK(ops::CompleteAttrs(*call.op(), call.attrs).ok(), "the attributes are complete");
  call.sinfo_args = {result};
  return Emit(std::move(call));
}

Operands Sketch::KeptSince(Mark mark) const {
  Operands kept;
  for (size_t i = mark.values; i < values_.size(); ++i) kept.push_back(values_[i].value);
  return kept;
}

void Sketch::LeaveValues(Mark mark) {
  values_.resize(mark.values, {Operand{}, nullptr, false, false});
  callables_.resize(mark.callables);
}

void Sketch::Leave(Mark mark) {
  LeaveValues(mark);
  vars_.resize(mark.vars);
}

Operand Sketch::Scoped(const std::function<Operand()>& body) {
  const Mark mark = Enter();
  Operand result = body();
  Leave(mark);
  return result;
}

void Sketch::Hidden(const std::function<void()>& body) {
  if (!flow_) return body();
  const auto values = values_;
  const auto callables = callables_;
  values_.erase(
      std::remove_if(values_.begin(), values_.end(), [](const Known& k) { return k.flow; }),
      values_.end());
  callables_.erase(std::remove_if(callables_.begin(), callables_.end(),
                                  [](const Callable& c) { return c.flow; }),
                   callables_.end());
  flow_ = false;
  body();
  flow_ = true;
  values_ = values;
  callables_ = callables;
}

void Sketch::Outer(const std::function<void()>& body) {
  const auto values = std::exchange(values_, {});
  const auto vars = std::exchange(vars_, {});
  const bool relied = std::exchange(relied_, false);
  const bool touched = std::exchange(touched_, false);
  body();
  values_ = values;
  vars_ = vars;
  relied_ = relied;
  touched_ = touched;
}

}  // namespace lathe::random

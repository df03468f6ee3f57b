#include "generator/reader/import/import_builder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ops/ops.h"
#include "generator/support/status.h"

namespace lathe {

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

namespace {

// Returns whether the operator computes each element from one element of each of two arguments, of
// sizes that lower/resolve_broadcast.h resolves at run time.
bool Broadcasts(absl::string_view op) {
  const ir::Op* found = ops::FindOp(op);
  return found != nullptr && found->params.size() == 2 && found->params[0].name == "x1" &&
         op != "relax.outer";
}

// Returns whether the size `have`, perhaps that of a broadcast, already is one with `dim`.
bool HasDim(PrimRef have, PrimRef dim) {
  if (have == dim) return true;
  const auto* select = have->As<ir::Select>();
  return select != nullptr && (HasDim(select->if_true, dim) || HasDim(select->if_false, dim));
}

}  // namespace

DType ImportBuilder::TypeOf(const Operand& x) {
  const auto* info = builder_.InfoOf(x)->As<ir::TensorInfo>();
  return info == nullptr ? DType::Float(32) : info->dtype;
}

std::optional<int64_t> ImportBuilder::IntOf(PrimRef e) {
  const auto* imm = e->As<ir::IntImm>();
  if (imm == nullptr) return std::nullopt;
  return imm->value;
}

std::optional<std::vector<int64_t>> ImportBuilder::Sizes(const Operand& x) {
  std::vector<int64_t> sizes;
  for (PrimRef dim : DimsOf(x)) {
    const std::optional<int64_t> size = IntOf(dim);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

absl::StatusOr<int> ImportBuilder::Axis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) {
    return Error() << "axis " << axis << " is out of range for rank " << rank;
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

absl::StatusOr<std::vector<int>> ImportBuilder::Axes(const std::vector<int64_t>& axes, int rank) {
  std::vector<int> out;
  for (int64_t axis : axes) {
    LATHE_ASSIGN_OR_RETURN(const int one, Axis(axis, rank));
    if (std::find(out.begin(), out.end(), one) != out.end()) {
      return Error() << "axis " << axis << " is repeated";
    }
    out.push_back(one);
  }
  return out;
}

PrimRef ImportBuilder::Simplify(PrimRef e) { return analysis::Simplify(context_, e); }

bool ImportBuilder::HasOpenSizes(const Operands& args) {
  for (const Operand& arg : args) {
    const auto* info = builder_.InfoOf(arg)->As<ir::TensorInfo>();
    if (info == nullptr || info->dims() == nullptr) return false;
  }
  for (size_t k = 1; k < args.size(); ++k) {
    for (size_t j = 0; j < k; ++j) {
      const Dims a = DimsOf(args[j]), b = DimsOf(args[k]);
      for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
        const PrimRef x = a[a.size() - i], y = b[b.size() - i];
        if (x == y || IntOf(x) == 1 || IntOf(y) == 1 || (IntOf(x) && IntOf(y))) continue;
        if (analysis::ProveEqual(context_, x, y) != ir::Tri::kYes) return true;
      }
    }
  }
  return false;
}

Operand ImportBuilder::Op(absl::string_view op, Operands args, ir::AttrMap attrs) {
  // After an error the arguments may be placeholders, of which no further errors are reported.
  if (!status_.ok()) return Number(0, DType::Float(32));
  if (args.size() < 2 || !Broadcasts(op) || !HasOpenSizes(args)) {
    return builder_.Op(op, std::move(args), std::move(attrs));
  }
  const Dims dims = BroadcastDims(args);
  const Operand made = builder_.Op(op, std::move(args), std::move(attrs));
  return builder_.MatchCast(made, context_.Tensor(dims, TypeOf(made)));
}

Operand ImportBuilder::Number(double value, DType dtype) {
  return builder_.Constant(dtype, {}, {value});
}

Operand ImportBuilder::IntsTensor(const std::vector<int64_t>& values) {
  return builder_.Constant(DType::Int(64), {std::ssize(values)},
                           std::vector<double>(values.begin(), values.end()));
}

Operand ImportBuilder::Cast(Operand x, DType dtype) {
  return TypeOf(x) == dtype ? x : Op("relax.astype", {std::move(x)}, {{"dtype", dtype}});
}

Operand ImportBuilder::Reshape(Operand x, Dims dims) {
  return DimsOf(x) == dims ? x : Op("relax.reshape", {std::move(x), Shape(std::move(dims))});
}

Operand ImportBuilder::BroadcastTo(Operand x, Dims dims) {
  return DimsOf(x) == dims ? x : Op("relax.broadcast_to", {std::move(x), Shape(std::move(dims))});
}

Dims ImportBuilder::DimsFrom(const std::vector<int64_t>& values) {
  Dims dims;
  for (int64_t value : values) dims.push_back(context_.Int(value));
  return dims;
}

PrimRef ImportBuilder::Product(const Dims& dims, size_t begin, size_t end) {
  PrimRef product = context_.Int(1);
  for (size_t i = begin; i < end; ++i) product = math_.Mul(product, dims[i]);
  return Simplify(product);
}

Operand ImportBuilder::Transposed(Operand x, const std::vector<int>& order) {
  if (std::is_sorted(order.begin(), order.end())) return x;
  ir::AttrList axes;
  for (int axis : order) axes.emplace_back(axis);
  return Op("relax.permute_dims", {std::move(x)}, {{"axes", std::move(axes)}});
}

Operand ImportBuilder::Kernel(absl::string_view name, const Operands& args, const TeFn& compute) {
  return builder_.EmitTe(name, args, [&](Te& te) { return std::vector{compute(te)}; });
}

Operands ImportBuilder::Kernels(absl::string_view name, const Operands& args,
                                const TeSeveralFn& compute) {
  size_t count = 0;
  const Operand made = builder_.EmitTe(name, args, [&](Te& te) {
    std::vector<ir::BufferRef> outputs = compute(te);
    count = outputs.size();
    return outputs;
  });
  if (count == 1) return {made};
  Operands fields;
  for (size_t k = 0; k < count; ++k) fields.push_back(Field(made, static_cast<int>(k)));
  return fields;
}

Dims ImportBuilder::BroadcastDims(const Operands& args) {
  std::vector<Dims> shapes;
  for (const Operand& arg : args) shapes.push_back(DimsOf(arg));
  return BroadcastDims(shapes);
}

Dims ImportBuilder::BroadcastDims(const std::vector<Dims>& shapes) {
  Dims shape;
  for (const Dims& dims : shapes) {
    while (shape.size() < dims.size()) shape.insert(shape.begin(), context_.Int(1));
    for (size_t i = 0; i < dims.size(); ++i) {
      PrimRef& have = shape[shape.size() - dims.size() + i];
      const auto a = IntOf(have), b = IntOf(dims[i]);
      if (a && b && *a != *b && *a != 1 && *b != 1 && status_.ok()) {
        status_ = Error() << "sizes " << *a << " and " << *b << " do not broadcast";
      }
      if (b == 1 || HasDim(have, dims[i])) continue;
      if (!a && !b) {
        have = math_.Select(math_.Eq(have, context_.Int(1)), dims[i], have);
      } else if (a == 1 || b) {
        have = dims[i];
      }
    }
  }
  return shape;
}

Operand ImportBuilder::Elementwise(
    absl::string_view name, const Operands& args,
    const std::function<PrimRef(ScalarMath&, const Scalars&)>& element, DType dtype) {
  const Dims shape = BroadcastDims(args);
  if (!status_.ok()) return args[0];
  const DType result = dtype.is_void() ? TypeOf(args[0]) : dtype;
  return Kernel(name, args, [&](Te& te) {
    for (const Operand& arg : args) RequireBroadcast(name, te, DimsOf(arg), shape, "an input");
    return te.Compute("out", shape, result, [&](const Indices& at) {
      Scalars x;
      for (int i = 0; i < te.inputs(); ++i) x.push_back(te.AtBroadcast(te.Input(i), at, shape));
      return element(te.math(), x);
    });
  });
}

void RequireBroadcast(absl::string_view op, Te& te, const Dims& from, const Dims& to,
                      absl::string_view what) {
  ScalarMath& m = te.math();
  for (size_t i = 0; i < from.size(); ++i) {
    const PrimRef goal = to[to.size() - from.size() + i];
    if (from[i] == goal || ImportBuilder::IntOf(from[i]) == 1) continue;
    te.Need(m.Or(m.Eq(from[i], goal), m.Eq(from[i], m.Int(1))),
            absl::StrCat(op, " needs dimension ", i, " of ", what, " to be ", ir::ToString(goal),
                         " or 1, and has ", ir::ToString(from[i])));
  }
}

}  // namespace lathe

// Imports operators that make tensors from sizes and scalars.
#include <algorithm>
#include <cmath>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/make_tensor.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

absl::Status RequireSizes(OpCall& c, const std::vector<int64_t>& sizes) {
  const auto negative = [](int64_t size) { return size < 0; };
  if (std::none_of(sizes.begin(), sizes.end(), negative)) return absl::OkStatus();
  return c.Error() << "a size below 0";
}

}  // namespace

absl::StatusOr<Operand> ImportZerosOrOnes(OpCall& c) {
  const std::vector<int64_t> shape = c.Ints("shape");
  LATHE_RETURN_IF_ERROR(RequireSizes(c, shape));
  return Filled(c, c.DimsFrom(shape), c.op() == "ones" ? 1 : 0,
                c.DTypeAttr("dtype").value_or(DType::Float(32)));
}

// A tensor whose elements are one scalar of the program.
Operand FilledBy(OpCall& c, const Operand& value, const Dims& dims, DType dtype) {
  return c.Kernel("full", {value}, [&](Te& te) {
    return te.Compute("out", dims, dtype, [&](const Indices&) {
      return te.math().Cast(te.At(te.Input(0), {}), dtype);
    });
  });
}

absl::StatusOr<Operand> ImportFull(OpCall& c) {
  const Operand value = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireRank(c, value, 0, "the value"));
  const std::vector<int64_t> shape = c.Ints("shape");
  LATHE_RETURN_IF_ERROR(RequireSizes(c, shape));
  return FilledBy(c, value, c.DimsFrom(shape), c.DTypeAttr("dtype").value_or(c.TypeOf(value)));
}

absl::StatusOr<Operand> ImportFullLike(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(1), 0, "the value"));
  return FilledBy(c, c.Arg(1), c.DimsOf(c.Arg(0)), c.TypeOf(c.Arg(0)));
}

namespace {

// ceil((stop - start) / step) elements, counted in double as Relay does.
absl::StatusOr<int64_t> CountSteps(OpCall& c, double start, double stop, double step) {
  constexpr double kMost = 1e9;
  if (step == 0 || std::isnan(start) || std::isnan(stop) || std::isnan(step)) {
    return c.Error() << "a step of " << step;
  }
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  if (count > kMost) return c.Error() << count << " elements";
  return static_cast<int64_t>(count);
}

}  // namespace

absl::StatusOr<Operand> ImportArange(OpCall& c) {
  double bounds[3] = {};
  bool known = true;
  const Operands args = c.AllArgs();
  for (int i = 0; i < 3; ++i) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, args[static_cast<size_t>(i)], 0, "each bound"));
    const auto numbers = c.ConstantNumbers(i);
    known &= numbers.has_value();
    if (numbers) bounds[i] = (*numbers)[0];
  }
  const DType dtype = c.DTypeAttr("dtype").value_or(c.TypeOf(args[0]));
  PrimRef count = nullptr;
  if (known) {
    LATHE_ASSIGN_OR_RETURN(const int64_t steps, CountSteps(c, bounds[0], bounds[1], bounds[2]));
    count = c.ir().Int(steps);
  } else {
    count = CountAtRunTime(c, args);
  }
  return c.Kernel("arange", {args[0], args[2]}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", {count}, dtype, [&](const Indices& at) {
      const PrimRef start = te.At(te.Input(0), {}), step = te.At(te.Input(1), {});
      return m.Cast(m.Add(start, m.Mul(m.Cast(at[0], step->dtype()), step)), dtype);
    });
  });
}

// The number of elements, known at run time, as a shape variable.
PrimRef CountAtRunTime(OpCall& c, const Operands& bounds) {
  const DType wide = DType::Int(64);
  const Operand length = c.Elementwise(
      "arange_length", bounds,
      [&](ScalarMath& m, const Scalars& v) {
        if (v[0]->dtype().is_integer()) {
          const PrimRef span = m.Cast(m.Sub(v[1], v[0]), wide), step = m.Cast(v[2], wide);
          // Rounded up by the negated floor.
          return m.Max(m.Neg(m.FloorDiv(m.Neg(span), step)), m.Int(0));
        }
        const DType real = DType::Float(64);
        const PrimRef span = m.Sub(m.Cast(v[1], real), m.Cast(v[0], real));
        const PrimRef steps = m.Call("ceil", {m.Div(span, m.Cast(v[2], real))});
        return m.Max(m.Cast(steps, wide), m.Int(0));
      },
      wide);
  return ShapeOfList(c, c.Reshape(length, {c.ir().Int(1)}), 1)[0];
}

Dims ShapeOfList(OpCall& c, const Operand& list, int64_t count) {
  const Operand shape = c.Op("relax.tensor_to_shape", {c.Cast(list, DType::Int(64))});
  Dims sizes;
  for (int64_t i = 0; i < count; ++i) sizes.push_back(c.builder().ShapeVar("n"));
  c.builder().MatchCast(shape, c.ir().Shape(sizes));
  return sizes;
}

absl::StatusOr<Operand> OneHot(OpCall& c, const Operand& indices, const Operand& on,
                               const Operand& off, PrimRef depth) {
  LATHE_RETURN_IF_ERROR(RequireRank(c, on, 0, "the value of hits"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, off, 0, "the value of others"));
  if (!c.TypeOf(indices).is_integer()) return c.Error() << "indices have to be integers";
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(indices) + 1));
  Dims dims = c.DimsOf(indices);
  dims.insert(dims.begin() + axis, depth);
  const DType dtype = c.DTypeAttr("dtype").value_or(c.TypeOf(on));
  return c.Kernel("one_hot", {indices, on, off}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      Indices which = at;
      which.erase(which.begin() + axis);
      const PrimRef index = m.Cast(te.At(te.Input(0), which), DType::Int(64));
      return m.Select(m.Eq(index, at[static_cast<size_t>(axis)]),
                      m.Cast(te.At(te.Input(1), {}), dtype), m.Cast(te.At(te.Input(2), {}), dtype));
    });
  });
}

absl::StatusOr<Operand> ImportOneHot(OpCall& c) {
  const int64_t depth = c.Int("depth");
  if (depth < 1) return c.Error() << "a depth of " << depth;
  return OneHot(c, c.Arg(0), c.Arg(1), c.Arg(2), c.ir().Int(depth));
}

namespace {

Operand IntegersOf(OpCall& c, const Dims& values, bool scalar, DType dtype) {
  std::vector<double> known;
  for (PrimRef value : values) {
    if (const auto size = OpCall::IntOf(value)) known.push_back(static_cast<double>(*size));
  }
  std::vector<int64_t> shape;
  if (!scalar) shape.push_back(std::ssize(values));
  // A constant, so that operators that take a shape see it.
  if (known.size() == values.size()) return c.builder().Constant(dtype, shape, known);
  return c.Kernel("sizes", {}, [&](Te& te) {
    return te.Compute("out", c.DimsFrom(shape), dtype, [&](const Indices& at) {
      ScalarMath& m = te.math();
      PrimRef value = m.Cast(values[0], dtype);
      for (size_t i = 1; i < values.size(); ++i) {
        value =
            m.Select(m.Eq(at[0], m.Int(static_cast<int64_t>(i))), m.Cast(values[i], dtype), value);
      }
      return value;
    });
  });
}

}  // namespace

absl::StatusOr<Operand> ImportShapeOf(OpCall& c) {
  return IntegersOf(c, c.DimsOf(c.Arg(0)), false, c.DTypeAttr("dtype").value_or(DType::Int(32)));
}

absl::StatusOr<Operand> ImportNdarraySize(OpCall& c) {
  const Dims dims = c.DimsOf(c.Arg(0));
  return IntegersOf(c, {c.Product(dims, 0, dims.size())}, true,
                    c.DTypeAttr("dtype").value_or(DType::Int(32)));
}

}  // namespace lathe::relay

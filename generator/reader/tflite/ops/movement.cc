// Imports operators that move elements or make constants, with shapes known at compile time.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_join.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/selection.h"
#include "generator/support/status.h"

namespace lathe::tflite {

// The declared shape of the result is concrete, so the operand that names it is not needed.
absl::StatusOr<Results> ImportReshape(OpCall& c) {
  int64_t in = 1, out = 1;
  for (const int64_t size : c.In(0).shape) in *= size;
  for (const int64_t size : c.Out().shape) out *= size;
  if ((c.In(0).type == kComplex64) != (c.Out().type == kComplex64)) {
    return c.Error() << "it reshapes " << TypeName(c.In(0).type) << " to "
                     << TypeName(c.Out().type);
  }
  if (in != out) return c.Error() << "it reshapes " << in << " elements to " << out;
  return c.Reshape(c.Arg(0), c.OutDims());
}

namespace {

// Axes that the data say. Axes that lead to another shape than the declared one end the run.
absl::StatusOr<Results> TransposedAtRunTime(OpCall& c) {
  const Operand x = c.Arg(0), axes = c.Arg(1);
  const std::vector<int64_t>&shape = c.In(0).shape, &out = c.Out().shape;
  const int64_t rank = std::ssize(shape);
  LATHE_RETURN_IF_ERROR(c.status());
  if (std::ssize(out) != rank || c.In(1).shape != std::vector<int64_t>{rank}) {
    return c.Error() << "data, axes and result have different numbers of dimensions";
  }
  return c.Kernel("transpose", {x, axes}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto axis_of = [&](int64_t k) {
      const PrimRef written = IndexAt(te, 1, {m.Int(k)});
      return m.Select(m.Lt(written, m.Int(0)), m.Add(written, m.Int(rank)), written);
    };
    for (int64_t a = 0; a < rank; ++a) {
      PrimRef found = m.ir().Bool(false);
      for (int64_t k = 0; k < rank; ++k) {
        const bool fits = shape[static_cast<size_t>(a)] == out[static_cast<size_t>(k)];
        if (fits) found = m.Or(found, m.Eq(axis_of(k), m.Int(a)));
      }
      te.Need(found, "TRANSPOSE needs axes that lead to the declared shape");
    }
    return te.Compute("out", c.OutDims(), c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (int64_t a = 0; a < rank; ++a) {
        PrimRef place = m.Int(0);
        for (int64_t k = 0; k < rank; ++k) {
          place = m.Select(m.Eq(axis_of(k), m.Int(a)), at[static_cast<size_t>(k)], place);
        }
        from.push_back(place);
      }
      return te.At(te.Input(0), from);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportTranspose(OpCall& c) {
  if (!c.ConstantInts(1)) return TransposedAtRunTime(c);
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, c.NeedInts(1, "the axes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> order, c.Axes(axes, c.Rank(c.Arg(0))));
  if (std::ssize(order) != c.Rank(c.Arg(0))) {
    return c.Error() << "it names " << order.size() << " axes of " << c.Rank(c.Arg(0));
  }
  return c.Transposed(c.Arg(0), order);
}

namespace {

// Concatenation converts uint8 in float32.
absl::StatusOr<Operand> ScaledByte(OpCall& c, const Operand& x, const Affine& from,
                                   const Affine& to) {
  if (from == to) return x;
  if (!(from.scale > 0) || !(to.scale > 0)) return c.Error() << "a scale is not positive";
  const float scale = static_cast<float>(from.scale) * (1.0F / static_cast<float>(to.scale));
  const float bias = static_cast<float>(-from.zero) * scale;
  std::vector<double> values;
  for (int q = 0; q < 256; ++q) {
    const float real = std::round(static_cast<float>(q) * scale + bias);
    values.push_back(
        std::clamp(static_cast<double>(real) + static_cast<double>(to.zero), 0.0, 255.0));
  }
  return LookedUp(c, x, values);
}

}  // namespace

absl::StatusOr<Results> ImportConcatenation(OpCall& c) {
  const int64_t activation = c.Int("activation");
  LATHE_RETURN_IF_ERROR(RequireSameType(c));
  const DType dtype = c.OutType();
  if (dtype == DType::Int(8)) LATHE_RETURN_IF_ERROR(RequireSameQuantization(c));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(c.Arg(0))));
  Operands parts = c.Args();
  if (std::ssize(parts) != c.inputs()) return c.Error() << "an input is absent";
  if (dtype == DType::UInt(8)) {
    for (int i = 0; i < c.inputs(); ++i) {
      auto& part = parts[static_cast<size_t>(i)];
      LATHE_ASSIGN_OR_RETURN(part, ScaledByte(c, part, c.InAffine(i), c.OutAffine()));
    }
  }
  Operand made = parts[0];
  if (parts.size() > 1) {
    made = c.Op("relax.concat", {{ir::TupleExpr{std::move(parts)}}}, {{"axis", axis}});
  }
  if (dtype.is_floating()) return FloatActivation(c, made, activation);
  return made;
}

absl::StatusOr<Results> ImportPack(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSameType(c));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(c.Arg(0)) + 1));
  return c.Op("relax.stack", {{ir::TupleExpr{c.Args()}}}, {{"axis", axis}});
}

absl::StatusOr<Results> ImportUnpack(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const int64_t count = c.In(0).shape[static_cast<size_t>(axis)];
  if (count != c.outputs()) {
    return c.Error() << "axis " << axis << " has " << count << " positions, and the model names "
                     << c.outputs() << " results";
  }
  Operands parts;
  Dims dims = c.DimsOf(x);
  dims.erase(dims.begin() + axis);
  for (int64_t k = 0; k < count; ++k) {
    const Operand part = SlicedAlong(c, x, axis, k, k + 1);
    parts.push_back(c.Reshape(part, dims));
  }
  return parts;
}

Operand SlicedAlong(OpCall& c, const Operand& x, int axis, int64_t begin, int64_t end) {
  const auto tuple = [&](int64_t value) {
    return Operand{ir::TupleExpr{{{ir::PrimValue{c.ir().Int(value)}}}}};
  };
  return c.Op("relax.strided_slice", {x, tuple(axis), tuple(begin), tuple(end), tuple(1)});
}

namespace {

absl::StatusOr<Results> SplitBy(OpCall& c, const Operand& x, int64_t written,
                                std::vector<int64_t> sizes) {
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(written, c.Rank(x)));
  const int64_t all = c.Shape(x)[static_cast<size_t>(axis)];
  int64_t open = -1, sum = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1 && open < 0) {
      open = static_cast<int64_t>(i);
    } else if (sizes[i] < 0) {
      return c.Error() << "a part has the size " << sizes[i];
    } else {
      sum += sizes[i];
    }
  }
  if (open >= 0) sizes[static_cast<size_t>(open)] = all - sum;
  if ((open < 0 && sum != all) || sum > all) {
    return c.Error() << "the parts have " << sum << " positions of " << all;
  }
  Operands parts;
  int64_t begin = 0;
  for (const int64_t size : sizes) {
    parts.push_back(sizes.size() == 1 ? x : SlicedAlong(c, x, axis, begin, begin + size));
    begin += size;
  }
  return parts;
}

}  // namespace

absl::StatusOr<Results> ImportSplit(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, c.NeedInts(0, "the axis"));
  const int64_t count = c.outputs();
  if (axis.size() != 1 || count == 0) return c.Error() << "it has no axis or no results";
  LATHE_ASSIGN_OR_RETURN(const int normal, c.Axis(axis[0], c.Rank(c.Arg(1))));
  const int64_t all = c.In(1).shape[static_cast<size_t>(normal)];
  if (all % count != 0)
    return c.Error() << "axis " << normal << " of " << all << " positions has no " << count
                     << " equal parts";
  return SplitBy(c, c.Arg(1), normal,
                 std::vector<int64_t>(static_cast<size_t>(count), all / count));
}

absl::StatusOr<Results> ImportSplitV(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, c.NeedInts(1, "the sizes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, c.NeedInts(2, "the axis"));
  if (axis.size() != 1 || std::ssize(sizes) != c.outputs()) {
    return c.Error() << "it has " << sizes.size() << " sizes and " << c.outputs() << " results";
  }
  return SplitBy(c, c.Arg(0), axis[0], sizes);
}

absl::StatusOr<Results> ImportShape(OpCall& c) {
  const std::vector<int64_t>& shape = c.In(0).shape;
  return c.builder().Constant(c.OutType(), {std::ssize(shape)},
                              std::vector<double>(shape.begin(), shape.end()));
}
absl::StatusOr<Results> ImportRank(OpCall& c) {
  return c.Number(static_cast<double>(c.In(0).shape.size()), c.OutType());
}

namespace {

// Reports an error if an input gives another shape than that of the result.
absl::Status RequireShape(OpCall& c, int input) {
  const std::optional<std::vector<int64_t>> shape = c.ConstantInts(input);
  if (!shape || *shape == c.Out().shape) return absl::OkStatus();
  return c.Error() << "its result has shape [" << absl::StrJoin(c.Out().shape, ", ")
                   << "], and input " << input << " is [" << absl::StrJoin(*shape, ", ") << "]";
}

}  // namespace

absl::StatusOr<Results> ImportZerosLike(OpCall& c) {
  if (c.In(0).shape != c.Out().shape) {
    return c.Error() << "its input has shape [" << absl::StrJoin(c.In(0).shape, ", ")
                     << "], and its result [" << absl::StrJoin(c.Out().shape, ", ") << "]";
  }
  return c.Op("relax.zeros", {ImportBuilder::Shape(c.OutDims())}, {{"dtype", c.OutType()}});
}

absl::StatusOr<Results> ImportFill(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireShape(c, 0));
  const Operand value = c.Reshape(c.Arg(1), {});
  return c.BroadcastTo(value, c.OutDims());
}

absl::StatusOr<Results> ImportBroadcastTo(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireShape(c, 1));
  return c.BroadcastTo(c.Arg(0), c.OutDims());
}

absl::StatusOr<Results> ImportBroadcastArgs(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> a, c.NeedInts(0, "the first shape"));
  LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> b, c.NeedInts(1, "the second shape"));
  if (a.size() < b.size()) std::swap(a, b);
  b.insert(b.begin(), a.size() - b.size(), 1);
  std::vector<double> made;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
      return c.Error() << "sizes " << a[i] << " and " << b[i] << " do not broadcast";
    }
    made.push_back(static_cast<double>(a[i] == 1 ? b[i] : a[i]));
  }
  return c.builder().Constant(c.OutType(), {std::ssize(made)}, made);
}

absl::StatusOr<Results> ImportTile(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> repeats, c.NeedInts(1, "the multiples"));
  ir::AttrList list;
  for (const int64_t n : repeats) list.emplace_back(n);
  return c.Op("relax.tile", {c.Arg(0)}, {{"repeats", std::move(list)}});
}

absl::StatusOr<Results> ImportReverse(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, c.NeedInts(1, "the axes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> normal, c.Axes(axes, c.Rank(c.Arg(0))));
  Operand x = c.Arg(0);
  for (const int axis : normal) x = c.Op("relax.flip", {x}, {{"axis", axis}});
  return x;
}

// A sparse constant, which is read as a dense one.
absl::StatusOr<Results> ImportDensify(OpCall& c) {
  if (!c.ConstantArg(0)) return c.Error() << "its data are not constant";
  return c.Arg(0);
}

}  // namespace lathe::tflite

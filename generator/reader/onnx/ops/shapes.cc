// Imports operators that change the shape of a tensor and not its elements.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/broadcast_dims.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_shapes.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

absl::Status ShapeUnknown(NodeCall& n) {
  return n.Unsupported()
         << "a shape of dynamic length is supported only if the model declares one for "
         << (n.Wants(0) ? "'" + n.node().outputs[0] + "'" : "its output");
}

}  // namespace

absl::StatusOr<Results> ImportReshape(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  Dims dims;
  if (n.HasAttribute("shape")) {
    dims = n.DimsFrom(n.Ints("shape"));
  } else if (auto known = n.ElementsOf(1)) {
    dims = *known;
  } else if (auto declared = n.DeclaredDims(0)) {
    return ReshapeAtRunTime(n, x, *declared);
  } else if (const auto found = FoundShape(n, from)) {
    return ReshapeAtRunTime(n, x, *found);
  } else {
    return ShapeUnknown(n);
  }
  const bool allow_zero = n.Int("allowzero", 0) != 0;
  PrimRef others = n.ir().Int(1);
  int open = -1;
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto size = NodeCall::IntOf(dims[i]);
    if (size == 0 && !allow_zero) {
      if (i >= from.size()) return n.Error() << "dimension " << i << " of the input does not exist";
      dims[i] = from[i];
    } else if (size == -1) {
      if (open >= 0) return n.Error() << "more than one dimension of the new shape is -1";
      open = static_cast<int>(i);
      continue;
    } else if (size && *size < 0) {
      return n.Error() << "invalid dimension " << *size << " in the new shape";
    }
    others = n.math().Mul(others, dims[i]);
  }
  if (open >= 0) {
    others = n.Simplify(others);
    if (NodeCall::IntOf(others) == 0)
      return n.Error() << "-1 in the new shape is ambiguous for a tensor without elements";
    dims[static_cast<size_t>(open)] =
        n.Simplify(n.math().FloorDiv(n.Product(from, 0, from.size()), others));
  }
  return n.Reshape(x, dims);
}

absl::StatusOr<Results> ImportFlatten(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims dims = n.DimsOf(x);
  int64_t axis = n.Int("axis", 1);
  const int64_t rank = std::ssize(dims);
  if (axis < -rank || axis > rank)
    return n.Error() << "axis " << axis << " is out of range for rank " << rank;
  if (axis < 0) axis += rank;
  const auto at = static_cast<size_t>(axis);
  return n.Reshape(x, {n.Product(dims, 0, at), n.Product(dims, at, dims.size())});
}

absl::StatusOr<Results> ImportSqueeze(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  std::optional<std::vector<int64_t>> wanted = n.IntsOf(1, "axes");
  if (n.Has(1) && !wanted) {
    auto dims = n.DeclaredDims(0);
    if (!dims) dims = FoundSqueezed(n, from);
    if (!dims) return ShapeUnknown(n);
    return SqueezeAtRunTime(n, x, *dims);
  }
  Dims dims;
  std::vector<int> axes;
  if (wanted) {
    LATHE_ASSIGN_OR_RETURN(axes, n.Axes(*wanted, static_cast<int>(from.size())));
  }
  for (size_t i = 0; i < from.size(); ++i) {
    const bool named = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    const auto size = NodeCall::IntOf(from[i]);
    if (named && size && *size != 1) {
      return n.Error() << "dimension " << i << " is squeezed, but its size is " << *size;
    }
    if (wanted ? !named : size != 1) dims.push_back(from[i]);
  }
  return n.Reshape(x, dims);
}

absl::StatusOr<Results> ImportUnsqueeze(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const std::optional<std::vector<int64_t>> wanted = n.IntsOf(1, "axes");
  if (!wanted) {
    auto dims = n.DeclaredDims(0);
    if (!dims) dims = FoundUnsqueezed(n, from);
    if (!dims) return ShapeUnknown(n);
    return UnsqueezeAtRunTime(n, x, *dims);
  }
  const size_t rank = from.size() + wanted->size();
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, n.Axes(*wanted, static_cast<int>(rank)));
  Dims dims;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    const bool added = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    dims.push_back(added ? n.ir().Int(1) : from[next++]);
  }
  return n.Reshape(x, dims);
}

absl::StatusOr<Results> ImportTranspose(NodeCall& n) {
  const Operand x = n.In(0);
  const int rank = n.Rank(x);
  std::vector<int64_t> order = n.Ints("perm");
  if (order.empty()) {
    for (int i = rank; i-- > 0;) order.push_back(i);
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, n.Axes(order, rank));
  if (std::ssize(axes) != rank)
    return n.Error() << "'perm' must name each axis once, got " << axes.size() << " axes";
  return n.Transposed(x, axes);
}

// Casts `x` to the sizes of `first` except along `axis`; checked at run time if not provable.
Operand LikeFirst(NodeCall& n, const Operand& first, const Operand& x, int axis) {
  const Dims& wanted = n.DimsOf(first);
  Dims dims = n.DimsOf(x);
  if (dims.size() != wanted.size()) return x;
  bool same = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (static_cast<int>(i) == axis || dims[i] == wanted[i]) continue;
    const auto apart = NodeCall::IntOf(n.Simplify(n.math().Sub(dims[i], wanted[i])));
    if (apart) continue;
    dims[i] = wanted[i];
    same = false;
  }
  return same ? x : n.builder().MatchCast(x, n.ir().Tensor(std::move(dims), n.TypeOf(x)));
}

absl::StatusOr<Results> ImportConcat(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 1), n.Rank(n.In(0))));
  if (n.inputs() == 1) return n.In(0);
  Operands all = n.AllIn();
  for (size_t i = 1; i < all.size(); ++i) all[i] = LikeFirst(n, all[0], all[i], axis);
  return n.Op("relax.concat", {transform::BlockBuilder::Tuple(std::move(all))}, {{"axis", axis}});
}

absl::StatusOr<Results> ImportExpand(NodeCall& n) {
  const Operand x = n.In(0);
  if (const auto shape = n.ElementsOf(1)) {
    LATHE_RETURN_IF_ERROR(n.NeedSizes(*shape));
    return n.BroadcastTo(x, Broadcast(n, *shape, n.DimsOf(x)));
  }
  auto dims = n.DeclaredDims(0);
  if (!dims) dims = FoundExpanded(n, n.DimsOf(x));
  if (!dims) return ShapeUnknown(n);
  return ExpandAtRunTime(n, x, *dims);
}

// Checks that the repeats in input 1 expand `from` to `dims`.
void NeedRepeats(NodeCall& n, Te& te, const Dims& from, const Dims& dims) {
  ScalarMath& m = te.math();
  NeedSame(n, te, n.LengthOf(te.Input(1)->shape), m.Int(std::ssize(from)), "the number of repeats");
  for (size_t i = 0; i < from.size(); ++i) {
    const PrimRef times = Entry(te, 1, static_cast<int64_t>(i));
    // Clamps to 31 bits, so that the product does not overflow.
    const PrimRef most = m.Int(int64_t{1} << 31);
    const PrimRef size = m.Mul(from[i], m.Max(m.Min(times, most), m.Int(0)));
    NeedSame(n, te, size, dims[i], absl::StrCat("dimension ", i, ", repeated,"));
  }
}

absl::StatusOr<Results> ImportTile(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  Dims dims;
  const auto declared = n.DeclaredDims(0);
  const bool said = declared && declared->size() == from.size();
  const auto repeats = said ? n.ElementsOf(1) : SizesIn(n, 1);
  if (repeats) {
    if (repeats->size() != from.size()) {
      return n.Error() << repeats->size() << " repeats for " << from.size() << " dimensions";
    }
    LATHE_RETURN_IF_ERROR(n.NeedSizes(*repeats));
    for (size_t i = 0; i < from.size(); ++i) {
      dims.push_back(n.Simplify(n.math().Mul(from[i], (*repeats)[i])));
    }
  } else if (said) {
    dims = *declared;
  } else {
    return ShapeUnknown(n);
  }
  Operands args = {x};
  if (!repeats) args.push_back(n.In(1));
  return n.Kernel("tile", args, [&](Te& te) {
    if (!repeats) NeedRepeats(n, te, from, dims);
    return te.Compute("out", dims, n.TypeOf(x), [&](const Indices& at) {
      Indices source;
      for (size_t i = 0; i < at.size(); ++i) {
        source.push_back(from[i] == dims[i] ? at[i] : te.math().FloorMod(at[i], from[i]));
      }
      return te.At(te.Input(0), source);
    });
  });
}

// Moves blocks between space and channels: a reshape, a transposition, a reshape.
absl::StatusOr<Results> ImportDepthToSpace(NodeCall& n) {
  const Operand x = n.In(0);
  const int64_t block = n.Int("blocksize", 1);
  constexpr int64_t kMaxBlock = 1 << 20;
  if (n.Rank(x) != 4 || block < 1 || block > kMaxBlock) {
    return n.Error() << "the input must have rank 4 and 'blocksize' must be from 1 to "
                     << kMaxBlock;
  }
  const Dims d = n.DimsOf(x);
  const PrimRef b = n.ir().Int(block);
  const auto times = [&](PrimRef e) { return n.Simplify(n.math().Mul(e, b)); };
  const auto over = [&](PrimRef e) { return n.Simplify(n.math().FloorDiv(e, b)); };
  const bool crd = n.String("mode", "DCR") == "CRD";
  if (n.op() == "SpaceToDepth") {
    const Operand parted = n.Reshape(x, {d[0], d[1], over(d[2]), b, over(d[3]), b});
    const Operand turned =
        n.Transposed(parted, crd ? std::vector{0, 1, 3, 5, 2, 4} : std::vector{0, 3, 5, 1, 2, 4});
    return n.Reshape(turned, {d[0], times(times(d[1])), over(d[2]), over(d[3])});
  }
  const PrimRef channels = over(over(d[1]));
  const Operand parted = crd ? n.Reshape(x, {d[0], channels, b, b, d[2], d[3]})
                             : n.Reshape(x, {d[0], b, b, channels, d[2], d[3]});
  const Operand turned =
      n.Transposed(parted, crd ? std::vector{0, 1, 4, 2, 5, 3} : std::vector{0, 3, 4, 1, 5, 2});
  return n.Reshape(turned, {d[0], channels, times(d[2]), times(d[3])});
}

namespace {

// The sizes of `parts` equal parts of `whole`, of which the last ones are smaller.
Dims EqualParts(NodeCall& n, PrimRef whole, int64_t parts) {
  ScalarMath& m = n.math();
  const PrimRef each = n.Simplify(m.FloorDiv(m.Add(whole, m.Int(parts - 1)), m.Int(parts)));
  Dims sizes;
  for (int64_t k = 0; k < parts; ++k) {
    const PrimRef left = m.Sub(whole, m.Mul(m.Int(k), each));
    sizes.push_back(k == 0 ? each : n.Simplify(m.Max(m.Int(0), m.Min(each, left))));
  }
  return sizes;
}

}  // namespace

absl::StatusOr<Results> ImportSplit(NodeCall& n) {
  constexpr int64_t kMaxParts = 4096;  // of R.split
  const Operand x = n.In(0);
  const Dims dims = n.DimsOf(x);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), static_cast<int>(dims.size())));
  const auto total = NodeCall::IntOf(dims[static_cast<size_t>(axis)]);
  Dims sizes;
  bool at_run_time = false;
  if (const auto given = n.IntsOf(1, "split")) {
    sizes = n.DimsFrom(*given);
  } else if (const auto followed = n.ElementsOf(1)) {
    sizes = *followed;
  } else if (n.Has(1)) {
    at_run_time = true;
    for (int k = 0; k < n.outputs(); ++k) {
      const auto declared = n.DeclaredDims(k);
      if (!declared || std::ssize(*declared) <= axis) break;
      sizes.push_back((*declared)[static_cast<size_t>(axis)]);
    }
    if (std::ssize(sizes) < n.outputs()) {
      at_run_time = false;
      const auto found = SizesIn(n, 1);
      if (!found) return ShapeUnknown(n);
      sizes = *found;
    }
  } else {
    const int64_t parts = n.Int("num_outputs", n.outputs());
    if (parts < 1 || parts > kMaxParts)
      return n.Error() << "'num_outputs' is out of range: " << parts;
    sizes = EqualParts(n, dims[static_cast<size_t>(axis)], parts);
  }
  if (std::ssize(sizes) < n.outputs()) {
    return n.Error() << n.outputs() << " outputs, but the number of parts is " << sizes.size();
  }
  LATHE_RETURN_IF_ERROR(n.NeedSizes(sizes));
  PrimRef all = n.ir().Int(0);
  for (const PrimRef size : sizes) all = n.Simplify(n.math().Add(all, size));
  const PrimRef along_axis = dims[static_cast<size_t>(axis)];
  if (total && NodeCall::IntOf(all) && all != along_axis) {
    return n.Error() << "the sum of the parts must be " << *total;
  }
  Operands parts, args = {x};
  if (at_run_time) args.push_back(n.In(1));
  PrimRef offset = n.ir().Int(0);
  for (const PrimRef size : sizes) {
    Dims part = dims;
    part[static_cast<size_t>(axis)] = size;
    parts.push_back(n.Kernel("split", args, [&](Te& te) {
      if (at_run_time) NeedEntries(n, te, 1, sizes, "the sizes of the parts");
      NeedSame(n, te, all, along_axis, "the sum of the parts");
      return te.Compute("out", part, n.TypeOf(x), [&](Indices at) {
        PrimRef& along = at[static_cast<size_t>(axis)];
        along = te.math().Add(along, offset);
        return te.At(te.Input(0), at);
      });
    }));
    offset = n.Simplify(n.math().Add(offset, size));
  }
  return parts;
}

absl::StatusOr<Results> ImportShape(NodeCall& n) {
  return n.Unsupported() << "the shape of a value that is not a tensor is not supported";
}

}  // namespace lathe::onnx

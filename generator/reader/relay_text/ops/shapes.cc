// Imports operators that change the shape of a tensor and not its elements.
#include <algorithm>
#include <numeric>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/reshape_codes.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<Operand> ImportReshape(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const Dims dims,
                         ReshapedDims(c, c.DimsOf(x), c.Ints("newshape"), c.Bool("allowzero")));
  return c.Reshape(x, dims);
}

// Applies the codes from the right.
absl::StatusOr<Operand> ImportReverseReshape(OpCall& c) {
  const Operand x = c.Arg(0);
  Dims from = c.DimsOf(x);
  std::vector<int64_t> codes = c.Ints("newshape");
  std::reverse(from.begin(), from.end());
  std::reverse(codes.begin(), codes.end());
  LATHE_ASSIGN_OR_RETURN(Dims dims, ReshapedDims(c, from, codes, c.Bool("allowzero")));
  std::reverse(dims.begin(), dims.end());
  return c.Reshape(x, dims);
}

// Replaces the dimensions [lhs_begin, lhs_end) by those of another tensor.
absl::StatusOr<Operand> ImportReshapeLike(OpCall& c) {
  const Operand x = c.Arg(0);
  const Dims from = c.DimsOf(x), like = c.DimsOf(c.Arg(1));
  const auto range = [&](const char* begin_name, const char* end_name,
                         int64_t rank) -> absl::StatusOr<std::pair<int64_t, int64_t>> {
    int64_t begin = c.Int(begin_name), end = c.OptionalInt(end_name).value_or(rank);
    if (begin < 0) begin += rank;
    if (end < 0) end += rank;
    if (begin < 0 || end > rank || begin > end) {
      return c.Error() << begin_name << " and " << end_name << " are no range of " << rank
                       << " dimensions";
    }
    return std::pair{begin, end};
  };
  LATHE_ASSIGN_OR_RETURN(const auto lhs, range("lhs_begin", "lhs_end", std::ssize(from)));
  LATHE_ASSIGN_OR_RETURN(const auto rhs, range("rhs_begin", "rhs_end", std::ssize(like)));
  Dims dims(from.begin(), from.begin() + lhs.first);
  dims.insert(dims.end(), like.begin() + rhs.first, like.begin() + rhs.second);
  dims.insert(dims.end(), from.begin() + lhs.second, from.end());
  if (Differ(c.Product(from, 0, from.size()), c.Product(dims, 0, dims.size()))) {
    return c.Error() << "the shapes have different numbers of elements";
  }
  return c.Reshape(x, dims);
}

absl::StatusOr<Operand> ImportTranspose(OpCall& c) {
  const Operand x = c.Arg(0);
  const int rank = c.Rank(x);
  std::vector<int64_t> order;
  if (const auto written = c.OptionalInts("axes")) {
    order = *written;
  } else {
    for (int i = rank; i-- > 0;) order.push_back(i);
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, c.Axes(order, rank));
  if (std::ssize(axes) != rank) {
    return c.Error() << "axes names " << axes.size() << " of " << rank << " dimensions";
  }
  return c.Transposed(x, axes);
}

absl::StatusOr<Operand> ImportExpandDims(OpCall& c) {
  const Operand x = c.Arg(0);
  Dims dims = c.DimsOf(x);
  const int64_t count = c.Int("num_newaxis");
  constexpr int64_t kMostAxes = 32;
  if (count < 0 || count > kMostAxes) return c.Error() << count << " new axes";
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x) + 1));
  dims.insert(dims.begin() + axis, static_cast<size_t>(count), c.ir().Int(1));
  return c.Reshape(x, dims);
}

absl::StatusOr<Operand> Squeezed(OpCall& c, const Operand& x,
                                 const std::optional<std::vector<int64_t>>& wanted) {
  const Dims from = c.DimsOf(x);
  std::vector<int> axes;
  if (wanted) {
    LATHE_ASSIGN_OR_RETURN(axes, c.Axes(*wanted, static_cast<int>(from.size())));
  } else {
    for (size_t i = 0; i < from.size(); ++i) {
      const auto size = OpCall::IntOf(from[i]);
      if (!size) return c.Error() << "without axis, all sizes have to be known";
      if (size == 1) axes.push_back(static_cast<int>(i));
    }
  }
  Dims dims;
  for (size_t i = 0; i < from.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), static_cast<int>(i)) == axes.end()) {
      dims.push_back(from[i]);
    } else if (Differ(from[i], c.ir().Int(1))) {
      return c.Error() << "dimension " << i << " is squeezed and " << ir::ToString(from[i])
                       << " long";
    }
  }
  return c.Reshape(x, dims);
}

absl::StatusOr<Operand> ImportSqueeze(OpCall& c) {
  return Squeezed(c, c.Arg(0), c.OptionalInts("axis"));
}

absl::StatusOr<Operand> ImportBatchFlatten(OpCall& c) {
  const Operand x = c.Arg(0);
  const Dims dims = c.DimsOf(x);
  if (dims.empty()) return c.Error() << "its operand is a scalar";
  return c.Reshape(x, {dims[0], c.Product(dims, 1, dims.size())});
}

absl::StatusOr<Operand> ImportBroadcastTo(OpCall& c) {
  return SpreadTo(c, c.Arg(0), c.DimsFrom(c.Ints("shape")));
}

absl::StatusOr<Operand> ImportBroadcastToLike(OpCall& c) {
  return SpreadTo(c, c.Arg(0), c.DimsOf(c.Arg(1)));
}

absl::StatusOr<Operand> ImportCollapseSumLike(OpCall& c) {
  return c.Op("relax.collapse_sum_to", {c.Arg(0), OpCall::Shape(c.DimsOf(c.Arg(1)))});
}

absl::StatusOr<Operand> ImportCollapseSumTo(OpCall& c) {
  auto shape = c.OptionalInts("shape");
  if (!shape || shape->empty()) shape = c.ConstantInts(1);
  if (!shape) return c.Unsupported() << "a shape that is known only at run time";
  return c.Op("relax.collapse_sum_to", {c.Arg(0), OpCall::Shape(c.DimsFrom(*shape))});
}

}  // namespace lathe::relay

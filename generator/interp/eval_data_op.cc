#include "generator/interp/eval_data_op.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "generator/interp/eval_value_op.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

absl::StatusOr<TensorRef> ResultTensor(const OpCall& call, ir::DType dtype,
                                       std::vector<int64_t> shape, ir::VDeviceRef device) {
  absl::StatusOr<TensorRef> tensor = NewTensor(dtype, std::move(shape), call.rt.budget, device);
  if (!tensor.ok()) return call.rt.Report(tensor.status(), "run-bad-allocation", call.loc);
  return tensor;
}

// -1, 0 or 1. NaN is greater than every number and equal to itself.
int Compare(const Scalar& a, const Scalar& b) {
  if (a.dtype.is_floating()) {
    const double x = a.AsDouble(), y = b.AsDouble();
    if (x != x || y != y) return (x != x ? 1 : 0) - (y != y ? 1 : 0);
    return (x > y ? 1 : 0) - (x < y ? 1 : 0);
  }
  const int64_t x = a.AsInt(), y = b.AsInt();
  if (a.dtype.is_uint()) {
    const auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
    return (ux > uy ? 1 : 0) - (ux < uy ? 1 : 0);
  }
  return (x > y ? 1 : 0) - (x < y ? 1 : 0);
}

// A view of a tensor as `count` slices along an axis.
struct Slices {
  const Tensor& x;
  uint64_t outer = 1, count = 0, inner = 1;

  uint64_t size() const { return outer * inner; }
  // The position of element `i` of slice `n`.
  uint64_t Position(uint64_t n, uint64_t i) const {
    return (i / inner * count + n) * inner + i % inner;
  }
  int Compare(uint64_t a, uint64_t b) const {
    for (uint64_t i = 0; i < size(); ++i) {
      if (const int order = interp::Compare(x.At(Position(a, i)), x.At(Position(b, i)))) {
        return order;
      }
    }
    return 0;
  }
};

// The whole tensor as slices of one element, or those along the axis of argument 5.
absl::StatusOr<Slices> SlicesOf(const OpCall& call, const Tensor& x, std::optional<int>* axis) {
  if (call.args.size() <= 5 || x.ndim() == 0) return Slices{x, 1, x.num_elements(), 1};
  LATHE_ASSIGN_OR_RETURN(int64_t written, IntArg(call, 5));
  if (written < 0) written += x.ndim();
  if (written < 0 || written >= x.ndim()) {
    return call.Error() << "the axis is out of range for a tensor of " << x.ndim() << " dimensions";
  }
  *axis = static_cast<int>(written);
  Slices slices{x, 1, static_cast<uint64_t>(x.shape[**axis]), 1};
  for (int d = 0; d < x.ndim(); ++d) {
    if (d < **axis) slices.outer *= static_cast<uint64_t>(x.shape[d]);
    if (d > **axis) slices.inner *= static_cast<uint64_t>(x.shape[d]);
  }
  return slices;
}

absl::StatusOr<Value> IntVector(const OpCall& call, const std::vector<int64_t>& values,
                                ir::VDeviceRef device) {
  LATHE_ASSIGN_OR_RETURN(
      const TensorRef out,
      ResultTensor(call, ir::DType::Int(64), {static_cast<int64_t>(values.size())}, device));
  for (size_t i = 0; i < values.size(); ++i) out->Set(i, static_cast<Bits>(values[i]));
  return Value(out);
}

// The number of steps of `stride` from `begin` to before `end`, both clamped as in Python.
struct Range {
  int64_t begin = 0, count = 0;
};
Range RangeOf(int64_t begin, int64_t end, int64_t stride, int64_t length) {
  const int64_t low = stride < 0 ? -1 : 0, high = stride < 0 ? length - 1 : length;
  const auto inside = [&](int64_t i) {
    if (i < 0) i = i < -length ? -1 - length : i;
    return std::clamp(i < 0 ? i + length : i, low, high);
  };
  begin = inside(begin);
  end = inside(end);
  const int64_t distance = stride < 0 ? begin - end : end - begin;
  if (distance <= 0) return {begin, 0};
  // |stride| may be 2^63.
  const uint64_t step =
      stride < 0 ? 0 - static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride);
  return {begin, static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / step) + 1};
}

}  // namespace

absl::StatusOr<Value> EvalDynamicStridedSlice(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* x, TensorArg(call, 0));
  std::vector<int64_t> numbers[3];
  for (size_t i = 0; i < 3; ++i) {
    LATHE_ASSIGN_OR_RETURN(const Tensor* list, TensorArg(call, i + 1));
    if (list->num_elements() != static_cast<uint64_t>(x->ndim())) {
      return call.Error() << "argument " << i + 2 << " must have one element for each of "
                          << x->ndim() << " dimensions";
    }
    for (uint64_t d = 0; d < list->num_elements(); ++d) numbers[i].push_back(list->At(d).AsInt());
  }
  std::vector<Range> ranges;
  std::vector<int64_t> shape;
  for (int d = 0; d < x->ndim(); ++d) {
    if (numbers[2][d] == 0) return call.Error() << "the stride of dimension " << d << " is 0";
    ranges.push_back(RangeOf(numbers[0][d], numbers[1][d], numbers[2][d], x->shape[d]));
    shape.push_back(ranges.back().count);
  }
  LATHE_ASSIGN_OR_RETURN(const TensorRef out, ResultTensor(call, x->dtype, shape, x->device));
  for (uint64_t n = 0; n < out->num_elements(); ++n) {
    uint64_t rest = n, from = 0, scale = 1;
    for (int d = x->ndim(); d-- > 0;) {
      const int64_t at = static_cast<int64_t>(rest % static_cast<uint64_t>(shape[d]));
      rest /= static_cast<uint64_t>(shape[d]);
      // A stride is only multiplied if it leads to a second element, so it is less than the length.
      const int64_t place = at == 0 ? ranges[d].begin : ranges[d].begin + at * numbers[2][d];
      from += static_cast<uint64_t>(place) * scale;
      scale *= static_cast<uint64_t>(x->shape[d]);
    }
    out->Set(n, x->At(from).bits);
  }
  return Value(out);
}

// One row per dimension, and one for a scalar; one column per nonzero element.
absl::StatusOr<Value> EvalNonzero(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* x, TensorArg(call, 0));
  const std::vector<int64_t> dims = x->ndim() == 0 ? std::vector<int64_t>{1} : x->shape;
  std::vector<uint64_t> found;
  for (uint64_t i = 0; i < x->num_elements(); ++i) {
    const Scalar value = x->At(i);
    if (value.dtype.is_floating() ? value.AsDouble() != 0 : value.AsInt() != 0) found.push_back(i);
  }
  const int64_t rows = static_cast<int64_t>(dims.size());
  const int64_t columns = static_cast<int64_t>(found.size());
  LATHE_ASSIGN_OR_RETURN(const TensorRef out,
                         ResultTensor(call, ir::DType::Int(64), {rows, columns}, x->device));
  for (size_t n = 0; n < found.size(); ++n) {
    uint64_t rest = found[n];
    for (size_t d = dims.size(); d-- > 0;) {
      out->Set(d * found.size() + n, rest % static_cast<uint64_t>(dims[d]));
      rest /= static_cast<uint64_t>(dims[d]);
    }
  }
  return Value(out);
}

// The different elements, or slices along an axis, sorted or by first occurrence. Then, as
// requested, the index of each first occurrence, the index of each element's value, and the counts.
absl::StatusOr<Value> EvalUnique(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* x, TensorArg(call, 0));
  std::optional<int> axis;
  LATHE_ASSIGN_OR_RETURN(const Slices slices, SlicesOf(call, *x, &axis));
  bool flags[4] = {true, false, false, false};
  for (size_t i = 0; i < 4; ++i) {
    if (call.args.size() > i + 1) {
      LATHE_ASSIGN_OR_RETURN(const int64_t flag, IntArg(call, i + 1));
      flags[i] = flag != 0;
    }
  }
  std::vector<uint64_t> order(slices.count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint64_t a, uint64_t b) { return slices.Compare(a, b) < 0; });
  struct Group {
    int64_t first = 0, number = 0, count = 0;
  };
  std::vector<Group> groups;
  std::vector<int64_t> group_of(slices.count);
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices.Compare(order[i - 1], order[i]) != 0) {
      groups.push_back({static_cast<int64_t>(order[i]), static_cast<int64_t>(groups.size()), 0});
    }
    ++groups.back().count;
    group_of[order[i]] = groups.back().number;
  }
  if (!flags[0]) {
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.first < b.first; });
  }
  std::vector<int64_t> place(groups.size()), first, count;
  for (size_t i = 0; i < groups.size(); ++i) {
    place[groups[i].number] = static_cast<int64_t>(i);
    first.push_back(groups[i].first);
    count.push_back(groups[i].count);
  }
  std::vector<int64_t> inverse;
  for (int64_t group : group_of) inverse.push_back(place[group]);

  const int64_t different = static_cast<int64_t>(groups.size());
  std::vector<int64_t> shape = {different};
  if (axis.has_value()) {
    shape = x->shape;
    shape[*axis] = different;
  }
  LATHE_ASSIGN_OR_RETURN(const TensorRef values, ResultTensor(call, x->dtype, shape, x->device));
  const Slices to{*values, slices.outer, groups.size(), slices.inner};
  for (size_t n = 0; n < groups.size(); ++n) {
    for (uint64_t i = 0; i < slices.size(); ++i) {
      values->Set(to.Position(n, i), x->At(slices.Position(groups[n].first, i)).bits);
    }
  }
  std::vector<Value> results = {Value(values)};
  const std::vector<int64_t>* others[] = {&first, &inverse, &count};
  for (size_t i = 0; i < 3; ++i) {
    if (!flags[i + 1]) continue;
    LATHE_ASSIGN_OR_RETURN(Value vector, IntVector(call, *others[i], x->device));
    results.push_back(std::move(vector));
  }
  if (results.size() == 1) return results[0];
  absl::StatusOr<Value> tuple = Value::OfTuple(std::move(results), call.rt.budget);
  if (!tuple.ok()) return call.rt.Report(tuple.status(), "run-memory-limit", call.loc);
  return tuple;
}

}  // namespace lathe::interp

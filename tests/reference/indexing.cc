#include "tests/reference/indexing.h"

#include <algorithm>
#include <limits>

namespace lathe::reference {

namespace {

int64_t WrappedIndex(double index, int64_t extent) {
  const auto whole = static_cast<int64_t>(index);
  return whole < 0 ? whole + extent : whole;
}

// The places that a Python slice of `extent` elements visits.
std::vector<int64_t> Visited(const Slice& slice, int64_t extent) {
  const auto inside = [&](int64_t bound) {
    const int64_t low = slice.stride < 0 ? -1 : 0;
    const int64_t high = slice.stride < 0 ? extent - 1 : extent;
    if (bound < 0) bound = bound < -extent ? low : bound + extent;
    return std::clamp(bound, low, std::max(low, high));
  };
  std::vector<int64_t> places;
  const int64_t end = inside(slice.end);
  for (int64_t at = inside(slice.begin); slice.stride < 0 ? at > end : at < end;
       at += slice.stride) {
    places.push_back(at);
    // What is further is outside, and may be beyond what an int64 holds.
    if (slice.stride > extent || slice.stride < -extent) break;
  }
  return places;
}

}  // namespace

Combine CombineBy(const std::string& reduction) {
  if (reduction == "add") return [](double old, double update) { return old + update; };
  if (reduction == "mul") return [](double old, double update) { return old * update; };
  if (reduction == "min") return [](double old, double update) { return std::min(old, update); };
  if (reduction == "max") return [](double old, double update) { return std::max(old, update); };
  if (reduction == "mean") return [](double old, double update) { return (old + update) / 2; };
  return [](double, double update) { return update; };
}

Array Take(const Array& x, const Array& indices, std::optional<int64_t> axis,
           const std::string& mode) {
  if (!axis.has_value()) return Take(Array({SizeOf(x.shape)}, x.data), indices, 0, mode);
  const auto along = static_cast<std::ptrdiff_t>(FromFront(*axis, x.shape.size()));
  const int64_t extent = x.shape[size_t(along)];
  Shape shape = x.shape;
  shape.erase(shape.begin() + along);
  shape.insert(shape.begin() + along, indices.shape.begin(), indices.shape.end());
  Array out(shape);
  ForEach(shape, [&](const Shape& at) {
    const auto begin = at.begin() + along, end = begin + indices.rank();
    auto index = static_cast<int64_t>(indices[Shape(begin, end)]);
    if (mode == "wrap") index = (index % extent + extent) % extent;
    if (mode == "clip") index = std::clamp<int64_t>(index, 0, extent - 1);
    Shape from(at.begin(), begin);
    from.push_back(index);
    from.insert(from.end(), end, at.end());
    const bool there = index >= 0 && index < extent;
    out[at] = there ? x[from] : std::numeric_limits<double>::quiet_NaN();
  });
  return out;
}

Array GatherElements(const Array& x, const Array& indices, int64_t axis) {
  const size_t along = FromFront(axis, x.shape.size());
  Array out(indices.shape);
  ForEach(indices.shape, [&](const Shape& at) {
    Shape from = at;
    from[along] = WrappedIndex(indices[at], x.shape[along]);
    out[at] = x[from];
  });
  return out;
}

Array GatherNd(const Array& x, const Array& indices, int64_t batch_dims) {
  const int64_t depth = indices.shape.back();
  const auto places = static_cast<std::ptrdiff_t>(indices.rank() - 1);
  Shape shape(indices.shape.begin(), indices.shape.end() - 1);
  shape.insert(shape.end(), x.shape.begin() + batch_dims + depth, x.shape.end());
  Array out(shape);
  ForEach(shape, [&](const Shape& at) {
    Shape from(at.begin(), at.begin() + batch_dims), place(at.begin(), at.begin() + places);
    place.push_back(0);
    for (; place.back() < depth; ++place.back()) {
      from.push_back(WrappedIndex(indices[place], x.shape[from.size()]));
    }
    from.insert(from.end(), at.begin() + places, at.end());
    out[at] = x[from];
  });
  return out;
}

Array ScatterElements(const Array& x, const Array& indices, const Array& updates, int64_t axis,
                      Combine combine) {
  const size_t along = FromFront(axis, x.shape.size());
  Array out = x;
  ForEach(indices.shape, [&](const Shape& at) {
    Shape to = at;
    to[along] = WrappedIndex(indices[at], x.shape[along]);
    out[to] = combine(out[to], updates[at]);
  });
  return out;
}

Array ScatterNd(const Array& x, const Array& indices, const Array& updates, Combine combine) {
  const auto places = static_cast<std::ptrdiff_t>(indices.rank() - 1);
  Array out = x;
  ForEach(updates.shape, [&](const Shape& at) {
    Shape to, place(at.begin(), at.begin() + places);
    place.push_back(0);
    for (; place.back() < indices.shape.back(); ++place.back()) {
      to.push_back(WrappedIndex(indices[place], x.shape[to.size()]));
    }
    to.insert(to.end(), at.begin() + places, at.end());
    out[to] = combine(out[to], updates[at]);
  });
  return out;
}

namespace {

Shape Together(const std::vector<Array>& indices) {
  Shape shape;
  for (const Array& index : indices) shape = BroadcastShape(shape, index.shape);
  return shape;
}

}  // namespace

Array IndexTensor(const Array& x, const std::vector<Array>& indices) {
  Shape shape = Together(indices);
  const auto chosen = static_cast<std::ptrdiff_t>(shape.size());
  shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(indices.size()),
               x.shape.end());
  Array out(shape);
  ForEach(shape, [&](const Shape& at) {
    Shape from;
    for (const Array& index : indices) {
      from.push_back(WrappedIndex(Broadcast(index, Shape(at.begin(), at.begin() + chosen)),
                                  x.shape[from.size()]));
    }
    from.insert(from.end(), at.begin() + chosen, at.end());
    out[at] = x[from];
  });
  return out;
}

Array IndexPut(const Array& x, const std::vector<Array>& indices, const Array& values,
               bool accumulate) {
  Array out = x;
  ForEach(BroadcastShape(Together(indices), values.shape), [&](const Shape& at) {
    Shape to;
    for (const Array& index : indices) {
      to.push_back(WrappedIndex(Broadcast(index, at), x.shape[to.size()]));
    }
    out[to] = (accumulate ? out[to] : 0) + Broadcast(values, at);
  });
  return out;
}

Array StridedSlice(const Array& x, const std::vector<Slice>& slices) {
  Array out = x;
  for (const Slice& slice : slices) {
    const size_t along = FromFront(slice.axis, x.shape.size());
    const std::vector<int64_t> places = Visited(slice, x.shape[along]);
    Shape shape = out.shape;
    shape[along] = static_cast<int64_t>(places.size());
    Array next(shape);
    ForEach(shape, [&](const Shape& at) {
      Shape from = at;
      from[along] = places[size_t(at[along])];
      next[at] = out[from];
    });
    out = next;
  }
  return out;
}

Array SliceScatter(const Array& x, const Array& source, const Slice& slice) {
  const size_t along = FromFront(slice.axis, x.shape.size());
  const std::vector<int64_t> places = Visited(slice, x.shape[along]);
  Array out = x;
  ForEach(source.shape, [&](const Shape& at) {
    Shape to = at;
    to[along] = places.at(size_t(at[along]));
    out[to] = source[at];
  });
  return out;
}

}  // namespace lathe::reference

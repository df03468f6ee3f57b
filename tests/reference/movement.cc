#include "tests/reference/movement.h"

#include <algorithm>

namespace lathe::reference {

Array BroadcastTo(const Array& x, const Shape& shape) {
  Array out(shape);
  ForEach(shape, [&](const Shape& at) { out[at] = Broadcast(x, at); });
  return out;
}

Array CollapseSum(const Array& x, const Shape& shape) {
  Array out(shape);
  ForEach(x.shape, [&](const Shape& at) {
    Shape to(at.end() - static_cast<std::ptrdiff_t>(shape.size()), at.end());
    for (size_t d = 0; d < to.size(); ++d) to[d] = shape[d] == 1 ? 0 : to[d];
    out[to] += x[at];
  });
  return out;
}

Array Concat(const Arrays& xs, int64_t axis) {
  const size_t along = FromFront(axis, xs[0].shape.size());
  Shape shape = xs[0].shape;
  shape[along] = 0;
  for (const Array& x : xs) shape[along] += x.shape[along];
  Array out(shape);
  int64_t start = 0;
  for (const Array& x : xs) {
    ForEach(x.shape, [&](const Shape& at) {
      Shape to = at;
      to[along] += start;
      out[to] = x[at];
    });
    start += x.shape[along];
  }
  return out;
}

Array Stack(const Arrays& xs, int64_t axis) {
  Arrays apart;
  for (const Array& x : xs) apart.push_back(ExpandDims(x, {axis}));
  return Concat(apart, axis);
}

Arrays Split(const Array& x, const Ints& starts, int64_t axis) {
  const size_t along = FromFront(axis, x.shape.size());
  const int64_t extent = x.shape[along];
  Arrays pieces;
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t begin = std::min(starts[i], extent);
    const int64_t end = i + 1 < starts.size() ? std::min(starts[i + 1], extent) : extent;
    Shape shape = x.shape;
    shape[along] = std::max<int64_t>(end - begin, 0);
    Array piece(shape);
    ForEach(shape, [&](const Shape& at) {
      Shape from = at;
      from[along] += begin;
      piece[at] = x[from];
    });
    pieces.push_back(piece);
  }
  return pieces;
}

Array ExpandDims(const Array& x, const Ints& axes) {
  Shape shape(x.shape.size() + axes.size(), -1);
  for (int64_t axis : axes) shape[FromFront(axis, shape.size())] = 1;
  size_t next = 0;
  for (int64_t& dim : shape) dim = dim == -1 ? x.shape[next++] : dim;
  return Array(shape, x.data);
}

Array Squeeze(const Array& x, const std::optional<Ints>& axes) {
  std::vector<bool> gone(x.shape.size(), !axes.has_value());
  if (axes.has_value()) {
    for (int64_t axis : *axes) gone[FromFront(axis, x.shape.size())] = true;
  }
  Shape shape;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (!gone[d] || x.shape[d] != 1) shape.push_back(x.shape[d]);
  }
  return Array(shape, x.data);
}

Array Reshape(const Array& x, const Shape& shape) { return Array(shape, x.data); }

Array PermuteDims(const Array& x, const std::optional<Ints>& axes) {
  const size_t rank = x.shape.size();
  std::vector<size_t> from(rank);
  for (size_t d = 0; d < rank; ++d) {
    from[d] = axes.has_value() ? FromFront((*axes)[d], rank) : rank - 1 - d;
  }
  Shape shape(rank);
  for (size_t d = 0; d < rank; ++d) shape[d] = x.shape[from[d]];
  Array out(shape);
  ForEach(shape, [&](const Shape& at) {
    Shape source(rank);
    for (size_t d = 0; d < rank; ++d) source[from[d]] = at[d];
    out[at] = x[source];
  });
  return out;
}

Array Tile(const Array& x, const Ints& repeats) {
  const size_t rank = std::max(x.shape.size(), repeats.size());
  Shape own(rank, 1), times(rank, 1), shape(rank);
  std::copy_backward(x.shape.begin(), x.shape.end(), own.end());
  std::copy_backward(repeats.begin(), repeats.end(), times.end());
  for (size_t d = 0; d < rank; ++d) shape[d] = own[d] * times[d];
  const Array grown(own, x.data);
  Array out(shape);
  ForEach(shape, [&](const Shape& at) {
    Shape from = at;
    for (size_t d = 0; d < rank; ++d) from[d] %= own[d];
    out[at] = grown[from];
  });
  return out;
}

Array Repeat(const Array& x, int64_t repeats, std::optional<int64_t> axis) {
  if (!axis.has_value()) return Repeat(Array({SizeOf(x.shape)}, x.data), repeats, 0);
  const size_t along = FromFront(*axis, x.shape.size());
  Shape shape = x.shape;
  shape[along] *= repeats;
  Array out(shape);
  ForEach(shape, [&](const Shape& at) {
    Shape from = at;
    from[along] /= repeats;
    out[at] = x[from];
  });
  return out;
}

Array Flip(const Array& x, int64_t axis) {
  const size_t along = FromFront(axis, x.shape.size());
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    Shape from = at;
    from[along] = x.shape[along] - 1 - at[along];
    out[at] = x[from];
  });
  return out;
}

Arrays Meshgrid(const Arrays& xs, const std::string& indexing) {
  std::vector<size_t> axes(xs.size());
  for (size_t i = 0; i < xs.size(); ++i) axes[i] = i;
  if (indexing == "xy" && xs.size() > 1) std::swap(axes[0], axes[1]);
  Shape shape(xs.size());
  for (size_t i = 0; i < xs.size(); ++i) shape[axes[i]] = xs[i].shape[0];
  Arrays grids;
  for (size_t i = 0; i < xs.size(); ++i) {
    Array grid(shape);
    ForEach(shape, [&](const Shape& at) { grid[at] = xs[i][{at[axes[i]]}]; });
    grids.push_back(grid);
  }
  return grids;
}

Array OneHot(const Array& indices, double on, double off, int64_t depth, int64_t axis) {
  const size_t along = FromFront(axis, indices.shape.size() + 1);
  Shape shape = indices.shape;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(along), depth);
  Array out(shape, off);
  ForEach(indices.shape, [&](const Shape& at) {
    const auto place = static_cast<int64_t>(indices[at]);
    Shape to = at;
    to.insert(to.begin() + static_cast<std::ptrdiff_t>(along), place);
    if (place >= 0 && place < depth) out[to] = on;
  });
  return out;
}

}  // namespace lathe::reference

#include "tests/reference/array.h"

#include <algorithm>

namespace lathe::reference {

size_t Position(const Shape& shape, const Shape& index) {
  int64_t position = 0;
  for (size_t i = 0; i < shape.size(); ++i) position = position * shape[i] + index[i];
  return static_cast<size_t>(position);
}

size_t FromFront(int64_t axis, size_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

Array::Array(Shape s, double fill)
    : shape(std::move(s)), data(static_cast<size_t>(SizeOf(shape)), fill) {}

double& Array::operator[](const Shape& index) { return data.at(Position(shape, index)); }
double Array::operator[](const Shape& index) const { return data.at(Position(shape, index)); }

int64_t SizeOf(const Shape& shape) {
  int64_t size = 1;
  for (int64_t dim : shape) size *= dim;
  return size;
}

void ForEach(const Shape& shape, const std::function<void(const Shape&)>& visit) {
  Shape index(shape.size(), 0);
  for (int64_t n = SizeOf(shape); n > 0; --n) {
    visit(index);
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
}

Shape BroadcastShape(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t from_end = out.size() - i;
    const int64_t x = from_end <= a.size() ? a[a.size() - from_end] : 1;
    const int64_t y = from_end <= b.size() ? b[b.size() - from_end] : 1;
    out[i] = x == 1 ? y : x;
  }
  return out;
}

double Broadcast(const Array& a, const Shape& index) {
  Shape own(a.shape.size());
  for (size_t i = 0; i < own.size(); ++i) {
    own[i] = a.shape[i] == 1 ? 0 : index[index.size() - own.size() + i];
  }
  return a[own];
}

}  // namespace lathe::reference

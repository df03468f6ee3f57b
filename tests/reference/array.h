// An array of doubles for the naive operators in this folder. They share no code with generator/,
// so that a mistake there is not repeated here.
#ifndef LATHE_TESTS_REFERENCE_ARRAY_H_
#define LATHE_TESTS_REFERENCE_ARRAY_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace lathe::reference {

using Shape = std::vector<int64_t>;

inline double Double(int64_t value) { return static_cast<double>(value); }
inline int64_t Whole(double value) { return static_cast<int64_t>(value); }

struct Array {
  Shape shape;
  std::vector<double> data;  // row-major

  explicit Array(Shape s = {}, double fill = 0);
  Array(Shape s, std::vector<double> d) : shape(std::move(s)), data(std::move(d)) {}
  double& operator[](const Shape& index);
  double operator[](const Shape& index) const;
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
};

int64_t SizeOf(const Shape& shape);
// Which element of the row-major data is at `index`.
size_t Position(const Shape& shape, const Shape& index);
// The axis as an index, which may be given from the end with a negative number.
size_t FromFront(int64_t axis, size_t rank);

// Every index of `shape`, in row-major order; the empty one for a scalar.
void ForEach(const Shape& shape, const std::function<void(const Shape&)>& visit);

// The shape that NumPy broadcasts both to.
Shape BroadcastShape(const Shape& a, const Shape& b);
// The element at `index` after `a` is broadcast to a larger shape.
double Broadcast(const Array& a, const Shape& index);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_ARRAY_H_

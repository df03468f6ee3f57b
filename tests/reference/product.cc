#include "tests/reference/product.h"

#include <algorithm>
#include <map>

namespace lathe::reference {

Array Matmul(const Array& a, const Array& b) {
  Array left = a, right = b;
  if (a.rank() == 1) left.shape.insert(left.shape.begin(), 1);
  if (b.rank() == 1) right.shape.push_back(1);
  const auto batch = [](const Shape& shape) { return Shape(shape.begin(), shape.end() - 2); };
  const Shape batches = BroadcastShape(batch(left.shape), batch(right.shape));
  const int64_t rows = left.shape[left.shape.size() - 2], columns = right.shape.back();
  Shape shape = batches;
  shape.insert(shape.end(), {rows, columns});
  Array out(shape);
  // The places of one batch's element in a tensor of which some batch axes are 1 or missing.
  const auto place = [](const Array& x, const Shape& at, int64_t row, int64_t column) {
    Shape own(x.shape.size());
    for (size_t i = 0; i + 2 < own.size(); ++i) {
      own[i] = x.shape[i] == 1 ? 0 : at[at.size() - own.size() + i];
    }
    own[own.size() - 2] = row;
    own[own.size() - 1] = column;
    return own;
  };
  ForEach(shape, [&](const Shape& at) {
    const int64_t row = at[at.size() - 2], column = at.back();
    double sum = 0;
    for (int64_t k = 0; k < left.shape.back(); ++k) {
      sum += left[place(left, at, row, k)] * right[place(right, at, k, column)];
    }
    out[at] = sum;
  });
  if (b.rank() == 1) out.shape.pop_back();
  if (a.rank() == 1) out.shape.erase(out.shape.end() - (b.rank() == 1 ? 1 : 2));
  return out;
}

Array Einsum(const std::vector<Array>& operands, const std::vector<std::string>& inputs,
             const std::string& output) {
  std::map<char, int64_t> lengths;
  for (size_t n = 0; n < operands.size(); ++n) {
    for (size_t i = 0; i < inputs[n].size(); ++i) {
      int64_t& length = lengths.try_emplace(inputs[n][i], 1).first->second;
      if (operands[n].shape[i] != 1) length = operands[n].shape[i];
    }
  }
  Shape all, shape;
  std::string letters;
  for (const auto& [letter, length] : lengths) {
    letters.push_back(letter);
    all.push_back(length);
  }
  for (char letter : output) shape.push_back(lengths.at(letter));
  Array out(shape);
  ForEach(all, [&](const Shape& index) {
    const auto of = [&](char letter) { return index[letters.find(letter)]; };
    double product = 1;
    for (size_t n = 0; n < operands.size(); ++n) {
      Shape at;
      for (size_t i = 0; i < inputs[n].size(); ++i) {
        at.push_back(operands[n].shape[i] == 1 ? 0 : of(inputs[n][i]));
      }
      product *= operands[n][at];
    }
    Shape to;
    for (char letter : output) to.push_back(of(letter));
    out[to] += product;
  });
  return out;
}

}  // namespace lathe::reference

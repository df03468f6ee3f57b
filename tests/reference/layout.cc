#include "tests/reference/layout.h"

#include <cctype>
#include <map>
#include <vector>

namespace lathe::reference {

Array InLayout(const Array& x, const std::string& axes, const std::string& layout) {
  struct Part {
    size_t axis;
    int64_t block;  // 0 for the outer part
  };
  std::vector<Part> parts;
  std::map<size_t, int64_t> blocks;
  int64_t number = 0;
  for (char letter : layout) {
    if (std::isdigit(static_cast<unsigned char>(letter)) != 0) {
      number = number * 10 + (letter - '0');
      continue;
    }
    const size_t axis =
        axes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
    parts.push_back({axis, number});
    if (number > 0) blocks[axis] = number;
    number = 0;
  }
  const auto place = [&](const Part& part, int64_t index) {
    if (part.block > 0) return index % part.block;
    return blocks.count(part.axis) > 0 ? index / blocks.at(part.axis) : index;
  };
  Shape shape;
  for (const Part& part : parts) {
    const int64_t length = x.shape[part.axis];
    shape.push_back(part.block > 0 ? part.block : place(part, length));
  }
  Array out(shape);
  ForEach(x.shape, [&](const Shape& at) {
    Shape to;
    for (const Part& part : parts) to.push_back(place(part, at[part.axis]));
    out[to] = x[at];
  });
  return out;
}

}  // namespace lathe::reference

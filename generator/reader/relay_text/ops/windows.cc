#include "generator/reader/relay_text/ops/windows.h"

#include <cctype>

namespace lathe::relay {

std::string SpaceLetters(int rank) {
  return std::string("DHW").substr(3 - static_cast<size_t>(rank));
}

absl::StatusOr<std::vector<int64_t>> PerSpatialAxis(OpCall& c, const std::string& attribute,
                                                    int rank) {
  std::vector<int64_t> values = c.Ints(attribute);
  const auto wanted = static_cast<size_t>(rank);
  // Gradients of pools are printed with an empty dilation.
  if (values.empty()) values.assign(wanted, 1);
  if (values.size() == wanted) return values;
  return c.Error() << attribute << " has " << values.size() << " values; " << rank << " are needed";
}

absl::StatusOr<std::vector<int64_t>> PaddingOf(OpCall& c, int rank) {
  std::vector<int64_t> pads = c.Ints("padding");
  const auto wanted = static_cast<size_t>(rank);
  if (pads.size() == 1) pads.assign(2 * wanted, pads[0]);
  if (pads.size() == wanted) pads.insert(pads.end(), pads.begin(), pads.begin() + rank);
  if (pads.size() == 2 * wanted) return pads;
  return c.Error() << "padding has " << pads.size() << " values; 1, " << rank << " or " << 2 * rank;
}

absl::StatusOr<std::vector<int>> AxesOfLayout(OpCall& c, const std::string& layout,
                                              const std::string& letters) {
  std::vector<int> axes;
  for (const char letter : letters) {
    int axis = 0, found = -1;
    for (const char other : layout) {
      if (other == letter) found = axis;
      if (std::isalpha(static_cast<unsigned char>(other)) != 0) ++axis;
    }
    if (found < 0) {
      return c.Error() << "the layout '" << layout << "' has no axis " << std::string(1, letter);
    }
    axes.push_back(found);
  }
  return axes;
}

std::string OutLayout(OpCall& c, const std::string& layout) {
  const std::string& out = c.Str("out_layout");
  return out.empty() ? layout : out;
}

}  // namespace lathe::relay

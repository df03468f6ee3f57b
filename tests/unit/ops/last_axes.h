// Cases of three spatial axes, of which sweeps of one and two axes take the last ones.
#ifndef LATHE_TESTS_UNIT_OPS_LAST_AXES_H_
#define LATHE_TESTS_UNIT_OPS_LAST_AXES_H_

#include <cstddef>
#include <string>

#include "tests/reference/array.h"

namespace lathe::ops {

inline reference::Shape Last(const reference::Shape& three, size_t rank) {
  return {three.end() - static_cast<std::ptrdiff_t>(rank), three.end()};
}

// The layout without the letters of the axes that are left out.
inline std::string LayoutOf(const std::string& three, size_t rank) {
  std::string out;
  for (char letter : three) {
    if ((letter != 'D' || rank > 2) && (letter != 'H' || rank > 1)) out.push_back(letter);
  }
  return out;
}

}  // namespace lathe::ops

#endif  // LATHE_TESTS_UNIT_OPS_LAST_AXES_H_

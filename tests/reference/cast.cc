#include "tests/reference/cast.h"

#include <cmath>

namespace lathe::reference {

Wide CastToWhole(long double x, const std::string& to) {
  if (FormatOf(to).kind == NumberFormat::kBool) return x != 0;
  if (std::isnan(x)) return 0;
  const long double whole = x < 0 ? std::ceil(x) : std::floor(x);
  if (whole <= static_cast<long double>(LowestOf(to))) return LowestOf(to);
  if (whole >= static_cast<long double>(HighestOf(to))) return HighestOf(to);
  return static_cast<Wide>(whole);
}

}  // namespace lathe::reference

// How far what was computed is from what should have been.
#ifndef LATHE_DRIVER_VALIDATE_COMPARE_PARTS_H_
#define LATHE_DRIVER_VALIDATE_COMPARE_PARTS_H_

#include <cstdint>
#include <string>

#include "generator/driver/validate/port_bytes.h"

namespace lathe::driver {

struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-6;
  // For formats of 16 bits and fewer, so many roundings more, relative to the number,
  double roundings = 2;
  double unit_roundings = 0;  // and of the unit of all results, however small it is
};

// What numbers are like that results may be what is left of: eight times the largest of them, and 1
// at most.
double UnitOf(const PartBytes& wanted);

struct Difference {
  double largest = 0;   // of |got - wanted|; integers and bools too
  uint64_t beyond = 0;  // elements that differ by more than the tolerance
  uint64_t first = 0;   // the first of them
  uint64_t elements = 0;
};

// Floats within the tolerance, which is more for those of 16 bits and fewer by
// what they cannot hold; NaN equals NaN. Everything else exactly. `got` is as long as
// `wanted.bytes`.
Difference CompareParts(const PartBytes& wanted, const std::string& got, Tolerance tolerance);

// Fails unless two runs, with memory filled with other bytes, gave the same.
absl::Status SameForBothFills(const std::string& first, const std::string& second);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_COMPARE_PARTS_H_

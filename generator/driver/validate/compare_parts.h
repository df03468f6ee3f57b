// Compares computed values with expected values within a tolerance.
#ifndef LATHE_DRIVER_VALIDATE_COMPARE_PARTS_H_
#define LATHE_DRIVER_VALIDATE_COMPARE_PARTS_H_

#include <cstdint>
#include <string>

#include "generator/driver/validate/port_bytes.h"

namespace lathe::driver {

struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-6;
  // For formats of at most 16 bits: additional roundings of the number, and of UnitOf(the tensor).
  double roundings = 2;
  double unit_roundings = 0;
};

// Returns the magnitude of the largest finite element of a tensor without pieces.
double LargestOf(const PartBytes& wanted);

// Returns the assumed magnitude of the terms that cancel in the results: eight times the largest
// finite result, at most 1.
double UnitOf(const PartBytes& wanted);

struct Difference {
  // Maximum of |got - wanted|, for integers and bools too. NaN if one of two elements is NaN.
  double largest = 0;
  uint64_t beyond = 0;  // number of elements that differ by more than the tolerance
  uint64_t first = 0;   // index of the first such element
  uint64_t elements = 0;
};

// Compares floats within the tolerance, other elements exactly. NaN equals NaN. If `got` is shorter
// than `wanted.bytes`, all elements differ.
Difference CompareParts(const PartBytes& wanted, const std::string& got, Tolerance tolerance);

// Fails if the outputs of two runs with differently filled memory differ.
absl::Status CheckEqualOutputs(const std::string& first, const std::string& second);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_COMPARE_PARTS_H_

// Evaluates the exported functions of two modules with equal random inputs, and compares their
// results.
#ifndef LATHE_DRIVER_COMPARE_COMPARE_NUMBERS_H_
#define LATHE_DRIVER_COMPARE_COMPARE_NUMBERS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generator/driver/compile_model.h"

namespace lathe::driver {

// A result of both functions.
struct OutputDifference {
  std::string dtype;
  std::vector<int64_t> shape;
  double largest = 0;    // maximum of |b - a|; NaN if one of them is NaN
  uint64_t differs = 0;  // number of elements
  uint64_t elements = 0;
};

struct FunctionNumbers {
  std::string function;
  std::string not_compared;              // the reason; empty if it is compared
  std::map<std::string, int64_t> sizes;  // random sizes of the inputs
  std::vector<OutputDifference> outputs;
};

// The bound of an evaluation: iterations, calls and bindings.
inline constexpr int64_t kMaxNumbersSteps = 400'000'000;

// Compares each exported Relax function that both modules have with equal parameters, by the
// interpreter, before the graph passes for the targets.
std::vector<FunctionNumbers> CompareNumbers(CompiledModel& a, CompiledModel& b, uint64_t seed);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_COMPARE_NUMBERS_H_

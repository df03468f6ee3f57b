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

struct OutputDifference {
  std::string dtype;
  std::vector<int64_t> shape;
  double largest = 0;    // maximum of |b - a|; NaN if one of them is NaN
  uint64_t differs = 0;  // number of elements that differ
  uint64_t elements = 0;
};

struct FunctionNumbers {
  std::string function;
  std::string not_compared;              // the reason; empty if it is compared
  std::map<std::string, int64_t> sizes;  // random sizes of the inputs
  std::vector<OutputDifference> outputs;
};

// Returns an entry for each exported Relax function of `a`. Its `not_compared` is set if `b` has no
// such function, if the parameters or the types of the results differ, or if an evaluation fails.
// The interpreter evaluates the loaded modules, before the graph passes for the targets.
std::vector<FunctionNumbers> CompareNumbers(CompiledModel& a, CompiledModel& b, uint64_t seed);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_COMPARE_NUMBERS_H_

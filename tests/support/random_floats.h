// Draws the weights of test networks.
#ifndef LATHE_TESTS_SUPPORT_RANDOM_FLOATS_H_
#define LATHE_TESTS_SUPPORT_RANDOM_FLOATS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "generator/interp/data/random_input.h"
#include "generator/interp/data/scalar_math.h"

namespace lathe::testing {

// Returns numbers of RandomInput times `size`, which depend on `name`.
inline std::vector<float> RandomFloats(const std::string& name, size_t count, double size) {
  interp::RandomInput random(7, name);
  std::vector<float> out;
  for (size_t i = 0; i < count; ++i) {
    const interp::Bits bits = random.Next(ir::DType::Float(32));
    out.push_back(static_cast<float>(size * interp::ToDouble(ir::DType::Float(32), bits)));
  }
  return out;
}

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_RANDOM_FLOATS_H_

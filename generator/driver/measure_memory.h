// Measures the memory that an ONNX model needs when it is compiled.
#ifndef LATHE_DRIVER_MEASURE_MEMORY_H_
#define LATHE_DRIVER_MEASURE_MEMORY_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/support/diagnostics.h"
#include "generator/target/target.h"

namespace lathe::driver {

struct MemoryNeed {
  int64_t weights = 0;  // constants in flash, without code
  int64_t ram = 0;      // arena, inputs, outputs and instance
};

struct MemoryLimits {
  std::optional<int64_t> weights, ram;
  const Target* target = nullptr;

  bool has_any() const { return weights || ram; }
  bool Fit(const MemoryNeed& need) const {
    return (!weights || need.weights <= *weights) && (!ram || need.ram <= *ram);
  }
};

// Compiles the model in `bytes` for `target`. Fails after adding a diagnostic if it has errors.
absl::StatusOr<MemoryNeed> MeasureMemory(const std::string& bytes, const Target& target,
                                         Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MEASURE_MEMORY_H_

// The constants of a program for several devices: each device has those that its steps read.
#ifndef LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_
#define LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"

namespace lathe::emit {

// Bytes of all constants that one device has, and where.
struct WeightsPart {
  int device = 0;
  size_t from = 0;  // in the blob
  size_t to = 0;    // in the device's weights
  size_t bytes = 0;
};
struct PlacedWeights {
  std::vector<WeightsPart> parts;  // a device's behind each other
  std::vector<size_t> sizes;       // of each device's weights
};

// Sets model.constants, and fills `blob`, in which each constant is once and those that the same
// devices read lie together.
absl::StatusOr<PlacedWeights> PlaceConstants(Model& model, std::string& blob);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_

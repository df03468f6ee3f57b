// Assigns the constants of a program to its devices: each device holds those that its steps read.
#ifndef LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_
#define LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"

namespace lathe::emit {

// A range of the blob that is copied to the weights of one device.
struct WeightsPart {
  int device = 0;   // number of the device
  size_t from = 0;  // offset in the blob
  size_t to = 0;    // offset in the device's weights
  size_t bytes = 0;
};
// The weights of all devices.
struct PlacedWeights {
  std::vector<WeightsPart> parts;  // those of a device fill its weights without gaps
  std::vector<size_t> sizes;       // bytes of weights, for each device
};

// Appends each constant that is read to `blob` once, and sets the expressions for their addresses
// in model.constants. Constants that are read by the same devices are contiguous in `blob`. Fails
// for a constant whose dtype has no C type.
absl::StatusOr<PlacedWeights> PlaceConstants(Model& model, std::string& blob);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_

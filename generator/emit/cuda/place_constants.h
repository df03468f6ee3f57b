// Assigns the constants of a program to its devices: each device stores those that its steps read.
#ifndef LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_
#define LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"

namespace lathe::emit {

// A range of the blob that is copied to the constant buffer of one device.
struct WeightsPart {
  int device = 0;
  size_t from = 0;  // offset in the blob
  size_t to = 0;    // offset in the constant buffer
  size_t bytes = 0;
};
struct PlacedWeights {
  // One for each group of constants and each device that reads the group. The parts of a device
  // fill its constant buffer without gaps.
  std::vector<WeightsPart> parts;
  std::vector<size_t> sizes;  // bytes of the constant buffer of each device
};

// Appends each constant that is read to `blob` once, padded to the alignment, and sets the
// expressions for the addresses in model.constants. Constants that are read by the same set of
// devices form a group, which is contiguous in `blob`. Fails for a constant whose dtype has no C
// type.
absl::StatusOr<PlacedWeights> PlaceConstants(Model& model, std::string& blob);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PLACE_CONSTANTS_H_

// Prints the expression for a device in a program for several devices.
#ifndef LATHE_EMIT_CUDA_DEVICE_PLACE_H_
#define LATHE_EMIT_CUDA_DEVICE_PLACE_H_

#include <string>

#include "absl/strings/str_cat.h"

namespace lathe::emit {

// Returns the lathe_place of device number `device`: its stream, memory and weights.
inline std::string DevicePlace(int device) { return absl::StrCat("places[", device, "]"); }

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_DEVICE_PLACE_H_

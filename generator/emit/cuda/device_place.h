// The expression for a device of a program that runs on several: its lathe_place.
#ifndef LATHE_EMIT_CUDA_DEVICE_PLACE_H_
#define LATHE_EMIT_CUDA_DEVICE_PLACE_H_

#include <string>

#include "absl/strings/str_cat.h"

namespace lathe::emit {

inline std::string DevicePlace(int device) { return absl::StrCat("places[", device, "]"); }

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_DEVICE_PLACE_H_

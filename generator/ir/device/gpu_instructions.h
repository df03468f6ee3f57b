// The list of what programs may ask of GPUs, by name: for people, and for those whose program asks
// for something else.
#ifndef LATHE_IR_DEVICE_GPU_INSTRUCTIONS_H_
#define LATHE_IR_DEVICE_GPU_INSTRUCTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::ir {

struct GpuInstruction {
  std::string name;   // as programs write it: "T.cuda.ballot_sync"
  int since = 80;     // the first GPU that has it
  std::string forms;  // which of its forms, where it has several
};
std::vector<GpuInstruction> GpuInstructions();

// "supported: ...", of those the ones most like the intrinsic `name`, and where all are listed.
std::string SupportedOnGpus(absl::string_view name);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_GPU_INSTRUCTIONS_H_

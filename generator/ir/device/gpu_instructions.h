// Lists the supported GPU instructions by name, for documentation and for messages about
// unsupported ones.
#ifndef LATHE_IR_DEVICE_GPU_INSTRUCTIONS_H_
#define LATHE_IR_DEVICE_GPU_INSTRUCTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::ir {

struct GpuInstruction {
  std::string name;   // as written in programs: "T.cuda.ballot_sync"
  int since = 80;     // lowest compute capability
  std::string forms;  // supported forms, if there are several
};
std::vector<GpuInstruction> GpuInstructions();

// "supported: ...": the instructions most similar to `name`, and where all are listed.
std::string DescribeSupportedOnGpus(absl::string_view name);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_GPU_INSTRUCTIONS_H_

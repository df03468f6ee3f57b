// What programs may ask of a GPU, as people and programs read it: `lathe ops --from cuda` and
// docs/gpu-instructions.md.
#ifndef LATHE_DRIVER_CLI_GPU_INSTRUCTION_TABLE_H_
#define LATHE_DRIVER_CLI_GPU_INSTRUCTION_TABLE_H_

#include <string>

namespace lathe::driver {

// All of them: a line each, a Markdown page, a JSON document.
std::string GpuInstructionsAsText();
std::string GpuInstructionsAsMarkdown();
std::string GpuInstructionsAsJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_GPU_INSTRUCTION_TABLE_H_

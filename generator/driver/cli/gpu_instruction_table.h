// Renders the table of GPU instructions for `lathe ops --from cuda` and docs/gpu-instructions.md.
#ifndef LATHE_DRIVER_CLI_GPU_INSTRUCTION_TABLE_H_
#define LATHE_DRIVER_CLI_GPU_INSTRUCTION_TABLE_H_

#include <string>

namespace lathe::driver {

// The following functions list all instructions: one per line, as a Markdown page, as a JSON
// document.
std::string GpuInstructionsAsText();
std::string GpuInstructionsAsMarkdown();
std::string GpuInstructionsAsJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_GPU_INSTRUCTION_TABLE_H_

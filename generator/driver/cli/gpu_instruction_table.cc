#include "generator/driver/cli/gpu_instruction_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/device/gpu_instructions.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {

std::string GpuInstructionsAsText() {
  std::string out;
  for (const ir::GpuInstruction& one : ir::GpuInstructions()) {
    absl::StrAppend(&out, one.name, " (sm_", one.since, " on)", one.forms.empty() ? "" : ": ",
                    one.forms, "\n");
  }
  return out;
}

std::string GpuInstructionsAsMarkdown() {
  std::string out =
      "# Instructions of GPUs\n\n"
      "The GPU instructions that a `PrimFunc` can use, and the first GPU that has them. Names may "
      "contain\nredundant PTX qualifiers, such as `.shared.b64` of a barrier. Operands have the "
      "dtypes of PTX.\n[cuda.md](cuda.md) describes the generated code. `lathe ops --from cuda "
      "--markdown`\nwrites this page.\n\n"
      "| In programs | From | Forms |\n|---|---|---|\n";
  for (const ir::GpuInstruction& one : ir::GpuInstructions()) {
    absl::StrAppend(&out, "| `", one.name, "` | `sm_", one.since, "` | ", one.forms, " |\n");
  }
  return out;
}

std::string GpuInstructionsAsJson() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ir::GpuInstruction& one : ir::GpuInstructions()) {
    nlohmann::ordered_json row = {{"name", one.name}, {"since", one.since}};
    if (!one.forms.empty()) row["forms"] = one.forms;
    all.push_back(std::move(row));
  }
  const nlohmann::ordered_json out = {{"schema_version", 1}, {"instructions", std::move(all)}};
  return out.dump(2) + "\n";
}

}  // namespace lathe::driver

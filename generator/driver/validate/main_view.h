// What the templates of a main() around a generated model are given: of the machine we are on and
// of boards.
#ifndef LATHE_DRIVER_VALIDATE_MAIN_VIEW_H_
#define LATHE_DRIVER_VALIDATE_MAIN_VIEW_H_

#include <string>
#include <vector>

#include "generator/driver/validate/port_bytes.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::driver {

// Of `function` of `model`, called `name`, with buffers of these sizes.
TemplateValue::Dict MainView(const GeneratedModel& model, const emit::ApiFunction& function,
                             const std::string& name, const std::vector<PartBytes>& inputs,
                             const std::vector<PartBytes>& outputs);

// The file by which their program watches its memory.
absl::StatusOr<emit::OutputFile> GuardsFile(const TemplateValue::Dict& view,
                                            const std::string& name);

// The file that it reads: the inputs one behind the other.
std::string InputFile(const std::vector<PartBytes>& inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_MAIN_VIEW_H_

// Builds the template data for the main() of a generated model, for hosts, GPUs and boards.
#ifndef LATHE_DRIVER_VALIDATE_MAIN_VIEW_H_
#define LATHE_DRIVER_VALIDATE_MAIN_VIEW_H_

#include <string>
#include <vector>

#include "generator/driver/validate/port_bytes.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::driver {

// Describes `function` of `model`, called `name`, with buffers of these sizes. For a function with
// a state, the parts are those of all steps of a sequence one after the other, and the outputs end
// with the variables.
TemplateValue::Dict MainView(const GeneratedModel& model, const emit::ApiFunction& function,
                             const std::string& name, const std::vector<PartBytes>& inputs,
                             const std::vector<PartBytes>& outputs);

// Returns the header with which the program checks its guards.
absl::StatusOr<emit::OutputFile> GuardsFile(const TemplateValue::Dict& view,
                                            const std::string& name);

// Returns the content of the input file: the bytes of all inputs.
std::string InputFile(const std::vector<PartBytes>& inputs);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_MAIN_VIEW_H_

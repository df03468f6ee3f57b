// Builds the template data for a model's weights: their location, and how NAME_create loads them.
#ifndef LATHE_EMIT_CUDA_WEIGHTS_VIEW_H_
#define LATHE_EMIT_CUDA_WEIGHTS_VIEW_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Adds the data to `view`. `weights` are the bytes, empty if there are none. `place` is the
// requested location.
void AddWeights(const Model& model, absl::string_view weights, Weights place,
                TemplateValue::Dict& view);

// Returns the parameters of a self-test before its status, each with a trailing comma: the
// configuration if the weights are `external`, and the stream unless devices have streams of their
// own (`placed`).
std::string TestParams(absl::string_view model, bool external, bool placed);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_WEIGHTS_VIEW_H_

// What the templates of CUDA read of a model's weights: where they are, and what create does with
// them.
#ifndef LATHE_EMIT_CUDA_WEIGHTS_VIEW_H_
#define LATHE_EMIT_CUDA_WEIGHTS_VIEW_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Adds it to the model's view: `weights` are the bytes, perhaps none, and `place` is asked for.
void AddWeights(const Model& model, absl::string_view weights, Weights place,
                TemplateValue::Dict& view);

// What a self-test is given before its status: the configuration, where that says where the weights
// are, and the stream, unless devices have their own.
std::string TestParams(absl::string_view model, bool external, bool placed);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_WEIGHTS_VIEW_H_

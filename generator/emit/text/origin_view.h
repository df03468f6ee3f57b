// Adds to template data where a model comes from and how its numbers are computed.
#ifndef LATHE_EMIT_TEXT_ORIGIN_VIEW_H_
#define LATHE_EMIT_TEXT_ORIGIN_VIEW_H_

#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Sets `origin`, `has_numerics` and `numerics`.
void AddOrigin(const EmitOptions& options, TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_ORIGIN_VIEW_H_

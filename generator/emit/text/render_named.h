// Renders the templates of templates/ by their names.
#ifndef LATHE_EMIT_TEXT_RENDER_NAMED_H_
#define LATHE_EMIT_TEXT_RENDER_NAMED_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Renders the template `name`, such as "c/model.h.tmpl", with `data`. An unknown name is an
// internal error.
absl::StatusOr<std::string> RenderNamed(absl::string_view name, const TemplateValue::Dict& data);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_RENDER_NAMED_H_

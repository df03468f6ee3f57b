#include "generator/emit/text/render_named.h"

#include "generator/support/embedded_text.h"

namespace lathe::emit {
namespace {

absl::string_view TemplateText(absl::string_view name) {
  for (const EmbeddedText& text : EmbeddedTemplates()) {
    if (text.name == name) return text.text;
  }
  return {};
}

}  // namespace

absl::StatusOr<std::string> RenderNamed(absl::string_view name, const TemplateValue::Dict& data) {
  return RenderTemplate(name, TemplateText(name), data, TemplateText);
}

}  // namespace lathe::emit

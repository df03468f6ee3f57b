#include "generator/emit/text/origin_view.h"

#include <string>

#include "generator/emit/text/comment_text.h"

namespace lathe::emit {

void AddOrigin(const EmitOptions& options, TemplateValue::Dict& view) {
  TemplateValue::List origin;
  for (const std::string& line : options.origin) {
    origin.push_back(TemplateValue::Dict{{"text", CommentText(line)}});
  }
  view["origin"] = std::move(origin);
  view["has_numerics"] = !options.numerics.empty();
  view["numerics"] = options.numerics;
}

}  // namespace lathe::emit

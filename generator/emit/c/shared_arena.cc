#include "generator/emit/c/shared_arena.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::StatusOr<OutputFile> SharedArenaHeader(absl::string_view name,
                                             absl::Span<const ArenaUser> users, int64_t align) {
  TemplateValue::List models;
  int64_t size = 0;
  for (const ArenaUser& user : users) {
    size = std::max(size, user.size);
    models.push_back(
        TemplateValue::Dict{{"name", user.name},
                            {"NAME", UpperCase(user.name)},
                            {"size", absl::StrCat(user.size)},
                            {"open", user.open ? ", and the dynamic sizes of a run" : ""}});
  }
  LATHE_ASSIGN_OR_RETURN(std::string text,
                         RenderNamed("c/shared_arena.h.tmpl", {{"name", std::string(name)},
                                                               {"NAME", UpperCase(name)},
                                                               {"size", absl::StrCat(size)},
                                                               {"align", absl::StrCat(align)},
                                                               {"models", std::move(models)}}));
  return OutputFile{absl::StrCat(name, ".h"), std::move(text)};
}

}  // namespace lathe::emit

#include "generator/ir/print/print_origin.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/support/match.h"

namespace lathe::ir {

std::string PrintOrigin(const Location& loc) {
  std::string origin = Match(
      loc, [](std::monostate) { return std::string(); },
      [](const TextSpan& s) {
        return s.file == nullptr ? std::string()
                                 : absl::StrCat("# ", s.file->path(), ":", s.file->LineAt(s.begin));
      },
      [](const std::shared_ptr<const ModelNode>& n) {
        if (n->name.empty()) return absl::StrCat("# node #", n->index, " (", n->op, ")");
        return absl::StrCat("# node '", n->name, "' (", n->op, ", #", n->index, ")");
      });
  // Names from a model or of a file must not end the comment.
  std::replace_if(
      origin.begin(), origin.end(),
      [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); }, '?');
  return origin;
}

}  // namespace lathe::ir

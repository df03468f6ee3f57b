#include "generator/reader/relax_text/tir/elaborate_memory_scope.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

// The known kinds of memory, without the suffix of a scope: "shared.dyn", "wmma.accumulator".
constexpr absl::string_view kScopeKinds[] = {"global", "shared", "warp",
                                             "local",  "wmma",   "texture"};

}  // namespace

absl::StatusOr<std::string> ElaborateMemoryScope(StmtElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(std::string scope, s.scalars().String(e));
  const std::vector<absl::string_view> words = absl::StrSplit(scope, '.');
  const absl::string_view kind = words[0];
  const bool known =
      std::find(std::begin(kScopeKinds), std::end(kScopeKinds), kind) != std::end(kScopeKinds);
  if (known || ClosestName(kind, kScopeKinds).empty()) return scope;
  return s.el().Error(e, "unknown-memory-scope")
         << "unknown memory scope '" << kind << "'" << DidYouMean(kind, kScopeKinds);
}

}  // namespace lathe::relax_text

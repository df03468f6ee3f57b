#include "generator/ir/target_kind.h"

namespace lathe::ir {

absl::string_view KindOfTarget(absl::string_view target) {
  if (target.empty() || target.front() != '{') return target.substr(0, target.find(' '));
  absl::string_view rest = target;
  for (const absl::string_view mark : {"\"kind\"", ":", "\""}) {
    const size_t at = rest.find(mark);
    if (at == absl::string_view::npos) return target;
    rest.remove_prefix(at + mark.size());
  }
  return rest.substr(0, rest.find('"'));
}

}  // namespace lathe::ir

#include "generator/reader/import/short_names.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"

namespace lathe {
namespace {

// The part before the first semicolon, unless it is empty.
absl::string_view LastOperator(absl::string_view name) {
  const absl::string_view first = name.substr(0, name.find(';'));
  return first.empty() ? name : first;
}

}  // namespace

ShortNames::ShortNames(const std::vector<absl::string_view>& names) {
  std::optional<absl::string_view> shared;
  size_t count = 0;
  for (absl::string_view name : names) {
    name = LastOperator(name);
    const size_t slash = name.rfind('/');
    if (slash == absl::string_view::npos) continue;
    name = name.substr(0, slash + 1);
    ++count;
    if (!shared) shared = name;
    const size_t same = static_cast<size_t>(
        std::mismatch(shared->begin(), shared->end(), name.begin(), name.end()).first -
        shared->begin());
    const size_t last = shared->substr(0, same).rfind('/');
    shared = shared->substr(0, last == absl::string_view::npos ? 0 : last + 1);
  }
  if (count > 1) scopes_ = std::string(*shared);
}

absl::string_view ShortNames::Of(absl::string_view name) const {
  name = LastOperator(name);
  if (name.size() > scopes_.size() && absl::StartsWith(name, scopes_)) {
    name.remove_prefix(scopes_.size());
  }
  return name;
}

}  // namespace lathe

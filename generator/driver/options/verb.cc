#include "generator/driver/options/verb.h"

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "generator/support/check.h"

namespace lathe::driver {
namespace {

bool IsDeclared(const std::vector<const Option*>& declared, absl::string_view name) {
  for (const Option* o : declared) {
    if (o->name == name) return true;
  }
  return false;
}

}  // namespace

bool Arguments::Has(absl::string_view name) const { return !Values(name).empty(); }

absl::string_view Arguments::Value(absl::string_view name, absl::string_view otherwise) const {
  const std::vector<absl::string_view> values = Values(name);
  return values.empty() ? otherwise : values.back();
}

std::vector<absl::string_view> Arguments::Values(absl::string_view name) const {
  LATHE_CHECK(IsDeclared(declared, name), "a verb reads only options that it declares");
  std::vector<absl::string_view> values;
  for (const auto& [option, value] : given) {
    if (option->name == name) values.push_back(value);
  }
  return values;
}

std::vector<absl::string_view> Choices(absl::string_view value) {
  if (!absl::StrContains(value, '|')) return {};
  return absl::StrSplit(value, '|');
}

}  // namespace lathe::driver

#include "generator/emit/c/names/macro_names.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_names.h"

namespace lathe::emit {
namespace {

constexpr absl::string_view kMacroEndings[] = {"_LEN",   "_MAX_LEN", "_BYTES", "_RANK",
                                               "_SHAPE", "_MIN",     "_MAX"};

}  // namespace

std::string MacroNames::Unique(absl::string_view name) {
  const std::string base = UpperCase(name);
  std::string id = base;
  const auto is_taken = [&](absl::string_view ending) {
    return taken_.contains(absl::StrCat(id, ending));
  };
  for (int n = 2; std::any_of(std::begin(kMacroEndings), std::end(kMacroEndings), is_taken); ++n) {
    id = absl::StrCat(base, "_", n);
  }
  for (absl::string_view ending : kMacroEndings) taken_.insert(absl::StrCat(id, ending));
  return id;
}

}  // namespace lathe::emit

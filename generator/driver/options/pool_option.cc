#include "generator/driver/options/pool_option.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/driver/options/parse_bytes.h"
#include "generator/emit/c/pool_view.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<std::vector<plan::Pool>> ReadPoolOptions(const Arguments& args) {
  std::vector<plan::Pool> fast, slow;
  for (absl::string_view text : args.Values("--pool")) {
    const auto wrong = [&, whole = text](absl::string_view why) {
      return absl::InvalidArgumentError(absl::StrCat(
          "option '--pool' must be NAME:SIZE or NAME:SIZE:slow", why, "; got '", whole, "'"));
    };
    std::vector<std::string> parts = absl::StrSplit(text, ':');
    const bool is_slow = parts.size() == 3 && parts[2] == "slow";
    if (parts.size() != 2 && !is_slow) return wrong("");
    // The name of a struct member in C. In upper case it could be a macro of vendor headers.
    absl::AsciiStrToLower(&parts[0]);
    if (!emit::CanNamePool(parts[0])) {
      return wrong(", NAME a word of letters, digits and '_' that C does not use");
    }
    const auto size = ParseBytes(parts[1]);
    if (!size.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("in option '--pool', ", size.status().message()));
    }
    if (*size == 0) return wrong(", SIZE more than nothing");
    for (const std::vector<plan::Pool>* pools : {&fast, &slow}) {
      for (const plan::Pool& pool : *pools) {
        if (pool.name == parts[0]) return wrong(", each NAME once, in capitals or not");
      }
    }
    (is_slow ? slow : fast).push_back({parts[0], *size});
  }
  fast.insert(fast.end(), slow.begin(), slow.end());
  return fast;
}

}  // namespace lathe::driver

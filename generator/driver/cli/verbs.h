// The list of verbs.
#ifndef LATHE_DRIVER_CLI_VERBS_H_
#define LATHE_DRIVER_CLI_VERBS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

// In the order that help shows them.
absl::Span<const Verb* const> AllVerbs();

// Null when there is none of that name.
const Verb* FindVerb(absl::string_view name);

std::vector<absl::string_view> VerbNames();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERBS_H_

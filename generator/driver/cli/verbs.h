// Lists the verbs of the command line.
#ifndef LATHE_DRIVER_CLI_VERBS_H_
#define LATHE_DRIVER_CLI_VERBS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

// Returns the verbs in the order of the help page.
absl::Span<const Verb* const> AllVerbs();

// Returns the verb called `name`, or null if there is none.
const Verb* FindVerb(absl::string_view name);

// Returns the names of AllVerbs(), for suggestions.
std::vector<absl::string_view> VerbNames();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERBS_H_

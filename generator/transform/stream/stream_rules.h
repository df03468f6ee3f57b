// Lists the operators that can be streamed, with their rules.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_RULES_H_
#define LATHE_TRANSFORM_STREAM_STREAM_RULES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

// Returns the rule of the operator `name`, or null.
StreamRule FindStreamRule(absl::string_view name);

// Returns the operators with a rule, as programs name them: "R.abs, R.add".
std::string StreamedOperators();

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_RULES_H_

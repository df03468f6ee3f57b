// What can be emitted for: a table of targets and what each has.
#ifndef LATHE_TARGET_TARGET_H_
#define LATHE_TARGET_TARGET_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

struct Target {
  absl::string_view name;
  absl::string_view summary;
  int64_t arena_align;  // of the arena's first byte and of every buffer in it; a power of two
};

absl::Span<const Target> AllTargets();

// By name; null when there is none.
const Target* FindTarget(absl::string_view name);

}  // namespace lathe

#endif  // LATHE_TARGET_TARGET_H_

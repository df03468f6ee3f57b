// Prints the header of an arena that several models share.
#ifndef LATHE_EMIT_C_SHARED_ARENA_H_
#define LATHE_EMIT_C_SHARED_ARENA_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::emit {

struct ArenaUser {
  std::string name;   // of the model
  int64_t size = 0;   // of its arena
  bool open = false;  // dynamic sizes or recursion need more
};

// Returns the header `name`.h, which includes those of the models. `name` and the names of the
// models are C identifiers.
absl::StatusOr<OutputFile> SharedArenaHeader(absl::string_view name,
                                             absl::Span<const ArenaUser> users, int64_t align);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_SHARED_ARENA_H_

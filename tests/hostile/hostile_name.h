// Generates names that have a meaning, or break syntax, if they are inserted unescaped.
#ifndef LATHE_TESTS_HOSTILE_HOSTILE_NAME_H_
#define LATHE_TESTS_HOSTILE_HOSTILE_NAME_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe::hostile {

// Name number `n`: the first are words and texts that are known to do harm, each alone; the others
// are put together of them at random. The same in every run.
std::string HostileName(uint64_t n);

// The number of those that are known.
uint64_t KnownNames();

// `name` as an identifier of Python; keywords of Python get an underscore.
std::string ToPythonName(absl::string_view name);

// `name` as a literal of Python; a byte beyond ASCII that is no UTF-8 is the character of its
// number.
std::string ToPythonText(absl::string_view name);

}  // namespace lathe::hostile

#endif  // LATHE_TESTS_HOSTILE_HOSTILE_NAME_H_

// Removes variables that nothing reads from the text of a routine or kernel.
#ifndef LATHE_EMIT_C_KERNEL_DROP_UNREAD_H_
#define LATHE_EMIT_C_KERNEL_DROP_UNREAD_H_

#include <string>
#include <vector>

#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Returns `body` without the lines that only declare or set a variable of `locals` that no other
// line reads. Compilers would warn about such variables. Each line of `body` is one statement.
std::string DropUnread(std::string body, const std::vector<std::string>& locals);

// Returns `body` without the unread let variables and the unused local arrays of `scope`. A call
// whose result nothing reads becomes a statement that discards it.
std::string DropUnread(std::string body, const CScope& scope);

// Returns `body` after a statement "(void)name;" for each name of `params` that it does not
// mention.
std::string WithParamsRead(const std::vector<std::string>& params, std::string body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_DROP_UNREAD_H_

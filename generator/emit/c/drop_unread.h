// Variables of a routine or kernel that nothing reads.
#ifndef LATHE_EMIT_C_DROP_UNREAD_H_
#define LATHE_EMIT_C_DROP_UNREAD_H_

#include <string>
#include <vector>

#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

// `body` without the lines that declare and set those among `locals` that no other line mentions: a
// compiler would warn of them. A line is a statement.
std::string DropUnread(std::string body, const std::vector<std::string>& locals);

// The same of all that `scope` has, without arrays that nothing mentions and with calls whose value
// nothing reads as statements of their own.
std::string DropUnread(std::string body, const CScope& scope);

// `body` behind statements that name those parameters which it does not mention.
std::string WithParamsRead(const std::vector<std::string>& params, std::string body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_DROP_UNREAD_H_

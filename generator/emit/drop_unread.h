// Variables of a routine or kernel that nothing reads.
#ifndef LATHE_EMIT_DROP_UNREAD_H_
#define LATHE_EMIT_DROP_UNREAD_H_

#include <string>
#include <vector>

namespace lathe::emit {

// `body` without the lines that declare and set those among `locals` that no other line mentions: a
// compiler would warn of them. A line is a statement.
std::string DropUnread(std::string body, const std::vector<std::string>& locals);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_DROP_UNREAD_H_

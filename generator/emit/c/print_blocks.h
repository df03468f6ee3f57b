// Wraps lines of a routine in blocks of C.
#ifndef LATHE_EMIT_C_PRINT_BLOCKS_H_
#define LATHE_EMIT_C_PRINT_BLOCKS_H_

#include <string>

namespace lathe::emit {

// Returns the loop that runs `round`, one iteration, until `again` is not set.
std::string InLoop(const std::string& round);

// Returns the block that runs `lines` in the first part of a run (--step). Empty lines give none.
std::string InFirstPart(const std::string& lines);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_BLOCKS_H_

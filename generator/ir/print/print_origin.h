// Prints where a part of a program comes from, as a comment.
#ifndef LATHE_IR_PRINT_PRINT_ORIGIN_H_
#define LATHE_IR_PRINT_PRINT_ORIGIN_H_

#include <string>

#include "generator/support/source.h"

namespace lathe::ir {

// "# model.relay:12", "# node 'conv1' (Conv, #3)"; nothing for parts that a pass made.
std::string PrintOrigin(const Location& loc);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_ORIGIN_H_

// A function printed with subscripts of 32 bits, and again where these do not hold its places or
// where it turned out to call functions whose names its own would hide.
#ifndef LATHE_EMIT_C_PRINT_IN_WIDTH_H_
#define LATHE_EMIT_C_PRINT_IN_WIDTH_H_

#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

// `print(&wide)` prints in that width, and says in `wide` whether it needs the larger one.
template <typename Print>
auto PrintInWidth(const CNeeds& needs, const Print& print) {
  bool wide = false;
  const size_t externs = needs.externs.size();
  auto printed = print(&wide);
  if (!printed.ok() || (!wide && needs.externs.size() == externs)) return printed;
  return print(&wide);
}

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_IN_WIDTH_H_

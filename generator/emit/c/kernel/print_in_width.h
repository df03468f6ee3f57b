// Prints a function with 32-bit indices, and prints it again if necessary.
//
// A function is printed again if an index may not fit 32 bits (then with 64-bit indices), or if it
// calls external functions that were not known before: a local name could hide one of them.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_IN_WIDTH_H_
#define LATHE_EMIT_C_KERNEL_PRINT_IN_WIDTH_H_

#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Calls print(&wide), which prints with 64-bit indices if `wide` is true. It sets `wide` to true if
// the function needs 64 bits.
template <typename Print>
auto PrintInWidth(const CNeeds& needs, const Print& print) {
  bool wide = false;
  const size_t externs = needs.externs.size();
  auto printed = print(&wide);
  if (!printed.ok() || (!wide && needs.externs.size() == externs)) return printed;
  return print(&wide);
}

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_IN_WIDTH_H_

// How programs are printed: the dialect, and how much is said.
#ifndef LATHE_IR_PRINT_OPTIONS_H_
#define LATHE_IR_PRINT_OPTIONS_H_

#include <cstdint>

namespace lathe::ir {

// Deeper than any reader lets through.
inline constexpr int kMaxPrintedDepth = 500;

// One construct has several spellings (T.block and T.sblock, out_sinfo and out_ty). All of them are
// read; one set of them is printed.
enum class Dialect : uint8_t {
  kClassic,  // 0.16 to 0.23
  kV0_24,
  kV0_26,
  kV0_27,
};

struct PrintOptions {
  Dialect dialect = Dialect::kV0_26;
  // Also print derived structural information, as annotations of the variables. Without it only
  // what the user wrote is printed, so that reading gives the very same module.
  bool show_info = false;
  // Tensors of more elements than this are printed as metadata after the program's start, smaller
  // ones as nested lists.
  int64_t max_list_elements = 64;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_OPTIONS_H_

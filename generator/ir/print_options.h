// Defines the options of printing: the dialect and the amount of detail.
#ifndef LATHE_IR_PRINT_OPTIONS_H_
#define LATHE_IR_PRINT_OPTIONS_H_

#include <cstdint>

namespace lathe::ir {

// Deeper than any reader accepts.
inline constexpr int kMaxPrintedDepth = 500;

// A construct may have several spellings (T.block and T.sblock, out_sinfo and out_ty). All are
// read; one set is printed.
enum class Dialect : uint8_t {
  kClassic,  // 0.16 to 0.23
  kV0_24,
  kV0_26,
  kV0_27,
};

struct PrintOptions {
  Dialect dialect = Dialect::kV0_26;
  // Also print derived structural information, as annotations of the variables. Without it only
  // written annotations are printed, so that reading yields an identical module.
  bool show_info = false;
  // End each binding and function with a comment that names its place in the source.
  bool show_origin = false;
  // Tensors with more elements are printed as metadata before the program, smaller ones as nested
  // lists.
  int64_t max_list_elements = 64;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_OPTIONS_H_

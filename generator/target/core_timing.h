// Lists, by core, the instructions of generated kernels for each operation, and the cycles of an
// instruction. Both are averages; an estimate is a range.
#ifndef LATHE_TARGET_CORE_TIMING_H_
#define LATHE_TARGET_CORE_TIMING_H_

#include "absl/strings/string_view.h"

namespace lathe {

// Instructions for each product, or for each element that a step without products reads, and for
// each result.
struct WorkCost {
  double for_each = 0;
  double for_result = 0;
};

struct CoreTiming {
  absl::string_view core;
  // Counted on emulated boards for networks of MLPerf Tiny.
  WorkCost integer_product;    // convolutions and products of int8
  WorkCost depthwise_product;  // of int8
  WorkCost float_product;
  WorkCost integer_element;  // of steps without products
  WorkCost float_element;
  // The range of cycles for each instruction of whole networks: published cycles over counted
  // instructions of the same or of comparable code, or an assumption, as `basis` states.
  double cycles_low = 0;
  double cycles_high = 0;
  absl::string_view basis;  // of the cycles

  // Cycles of an instruction, with the deviation of single networks from the averages.
  double low() const { return cycles_low * 0.8; }
  double high() const { return cycles_high * 1.25; }
};

// Returns null for a core that is not in the table.
const CoreTiming* FindCoreTiming(absl::string_view core);

}  // namespace lathe

#endif  // LATHE_TARGET_CORE_TIMING_H_

// Lists common boards, for `lathe fit`, with the memory and the clock of their microcontrollers.
#ifndef LATHE_TARGET_COMMON_BOARDS_H_
#define LATHE_TARGET_COMMON_BOARDS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

struct CommonBoard {
  absl::string_view name;     // "nucleo-f411re"
  absl::string_view product;  // the microcontroller: "STM32F411RE"
  absl::string_view core;     // "Cortex-M4F"
  absl::string_view target;   // the target whose code it runs
  int64_t ram = 0;            // bytes
  int64_t flash = 0;          // bytes
  int mhz = 0;                // the highest clock
};

// Returns the boards, in the order of common_boards.def.
absl::Span<const CommonBoard> CommonBoards();

// Returns null if no board has this name.
const CommonBoard* FindCommonBoard(absl::string_view name);

}  // namespace lathe

#endif  // LATHE_TARGET_COMMON_BOARDS_H_

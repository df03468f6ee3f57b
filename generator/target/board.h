// The boards of QEMU 7.2 that generated code can be run on, as a table: what is where in memory.
#ifndef LATHE_TARGET_BOARD_H_
#define LATHE_TARGET_BOARD_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

enum class BoardKind {
  kCortexM,  // speaks through semihosting
  kRiscV,    // of QEMU's kind "virt": a serial port, a device that ends it
  kAvr,      // a serial port; nothing ends it
  kUser,     // programs of a system like ours, for another processor
};

struct Board {
  absl::string_view name;  // QEMU's own
  absl::string_view target;
  BoardKind kind;
  absl::string_view emulator;
  absl::string_view package;  // of Debian, that has the emulator
  int64_t boot = 0;           // where the processor begins: 512 bytes
  int64_t code = 0;
  int64_t code_size = 0;
  int64_t ram = 0;
  int64_t ram_size = 0;
  int64_t stack_size = 0;  // of ram_size
};

absl::Span<const Board> AllBoards();

// The board called `name`, any when that is empty, that runs what is made for `target`, any when
// that is empty; null when there is none. A board runs its own target, and those of the same
// compiler when it is asked for by name.
const Board* FindBoard(absl::string_view name, absl::string_view target);

}  // namespace lathe

#endif  // LATHE_TARGET_BOARD_H_

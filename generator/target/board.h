// Lists the boards of QEMU 7.2 that generated code can run on, with their memory maps.
#ifndef LATHE_TARGET_BOARD_H_
#define LATHE_TARGET_BOARD_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

enum class BoardKind {
  kCortexM,  // I/O by semihosting
  kRiscV,    // QEMU's "virt" machine: a serial port, a device that ends the emulation
  kAvr,      // a serial port; the emulation is ended from outside
  kUser,     // user-mode emulation of another processor
};

struct Board {
  absl::string_view name;  // QEMU's name
  absl::string_view target;
  BoardKind kind;
  absl::string_view emulator;
  absl::string_view package;  // Debian package of the emulator
  // Addresses and sizes in bytes; 0 for kUser. On the boards of an Arm or RISC-V core, 512 bytes at
  // `boot` hold the start code.
  int64_t boot = 0;  // where execution starts
  int64_t code = 0;
  int64_t code_size = 0;
  int64_t ram = 0;
  int64_t ram_size = 0;
  int64_t stack_size = 0;  // part of ram_size
};

absl::Span<const Board> AllBoards();

// Returns the first board called `name` (empty: any) that runs code for `target` (empty: any), or
// null if there is none. A board runs code for its own target and, if requested by name, for
// targets with the same compiler whose instructions its core has.
const Board* FindBoard(absl::string_view name, absl::string_view target);

}  // namespace lathe

#endif  // LATHE_TARGET_BOARD_H_

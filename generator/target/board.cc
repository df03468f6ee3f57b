#include "generator/target/board.h"

#include <algorithm>
#include <iterator>

#include "generator/target/target.h"

namespace lathe {
namespace {

constexpr int64_t kMiB = 1024 * kKiB;

// Code starts at the reset vector; RAM has the size of boards of this kind.
constexpr Board Arm(absl::string_view name, absl::string_view target, int64_t boot,
                    int64_t code_size, int64_t ram, int64_t ram_size, int64_t stack_size) {
  return {name,
          target,
          BoardKind::kCortexM,
          "qemu-system-arm",
          "qemu-system-arm",
          boot,
          boot + 512,
          code_size - 512,
          ram,
          ram_size,
          stack_size};
}

constexpr Board Virt(absl::string_view target, absl::string_view emulator) {
  return {"virt",     target,          BoardKind::kRiscV, emulator,  "qemu-system-misc", 0x80000000,
          0x80000200, 16 * kMiB - 512, 0x81000000,        16 * kMiB, 64 * kKiB};
}

constexpr Board kBoards[] = {
    Arm("microbit", "cortex-m0", 0, 256 * kKiB, 0x20000000, 16 * kKiB, 2 * kKiB),
    Arm("mps2-an385", "cortex-m3", 0, 4 * kMiB, 0x20000000, 4 * kMiB, 64 * kKiB),
    Arm("mps2-an386", "cortex-m4f", 0, 4 * kMiB, 0x20000000, 4 * kMiB, 64 * kKiB),
    Arm("mps2-an386", "cortex-m4", 0, 4 * kMiB, 0x20000000, 4 * kMiB, 64 * kKiB),
    Arm("mps2-an500", "cortex-m7", 0, 4 * kMiB, 0x20000000, 4 * kMiB, 64 * kKiB),
    Arm("mps2-an505", "cortex-m33", 0x10000000, 4 * kMiB, 0x38000000, 4 * kMiB, 64 * kKiB),
    // Boots from its small tightly coupled memory and jumps to the large memory.
    {"mps3-an547", "cortex-m55", BoardKind::kCortexM, "qemu-system-arm", "qemu-system-arm", 0,
     0x01000000, 2 * kMiB, 0x21000000, 4 * kMiB, 64 * kKiB},
    Virt("rv32imc", "qemu-system-riscv32"),
    Virt("rv64gc", "qemu-system-riscv64"),
    // ATmega2560: its C library knows the memory map.
    {"mega2560", "avr8", BoardKind::kAvr, "qemu-system-avr", "qemu-system-misc", 0, 0, 256 * kKiB,
     0x800200, 8 * kKiB, 1 * kKiB},
    {"user", "aarch64", BoardKind::kUser, "qemu-aarch64", "qemu-user"},
};

// Cores of the Cortex-M family: a core runs the instructions of those before it.
constexpr absl::string_view kCortexM[] = {"cortex-m0", "cortex-m3",  "cortex-m4", "cortex-m4f",
                                          "cortex-m7", "cortex-m33", "cortex-m55"};

// Returns the position in kCortexM; 0 for other cores, whose compilers distinguish them.
int64_t RankOf(absl::string_view target) {
  const auto* found = std::find(std::begin(kCortexM), std::end(kCortexM), target);
  return found == std::end(kCortexM) ? 0 : found - std::begin(kCortexM);
}

}  // namespace

absl::Span<const Board> AllBoards() { return kBoards; }

const Board* FindBoard(absl::string_view name, absl::string_view target) {
  for (const Board& board : kBoards) {
    if ((name.empty() || board.name == name) && (target.empty() || board.target == target)) {
      return &board;
    }
  }
  const Target* wanted = FindTarget(target);
  if (name.empty() || wanted == nullptr) return nullptr;
  for (const Board& board : kBoards) {
    const Target* own = FindTarget(board.target);
    if (board.name == name && own->compiler == wanted->compiler &&
        own->pointer_bits == wanted->pointer_bits && RankOf(target) <= RankOf(own->name)) {
      return &board;
    }
  }
  return nullptr;
}

}  // namespace lathe

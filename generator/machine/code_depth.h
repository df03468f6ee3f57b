// Bounds the stack use of linked functions by following their instructions.
#ifndef LATHE_MACHINE_CODE_DEPTH_H_
#define LATHE_MACHINE_CODE_DEPTH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generator/machine/elf_file.h"
#include "generator/machine/instruction.h"

namespace lathe::machine {

// Returns the bytes that a call pushes before the callee runs: 2 or 3 on AVR, and 0 on other
// processors, where the frame of the callee includes the return address.
int64_t BytesOfCall(const ElfFile& file);

// Returns the bytes below the stack pointer that a leaf function may use: x86-64's red zone, which
// compilers do not include in frame sizes, and 0 on other processors.
int64_t BytesBelow(const ElfFile& file);

// Bounds the stack use of a function and of the functions that it calls. Follows every path from
// the first instruction; where paths join, the deeper one is used. A table jump is assumed to reach
// the instructions of its function that nothing else reaches. Recursion, calls through pointers and
// code that is not understood have no bound, never a guess.
class CodeDepth {
 public:
  // `program` is for Arm's Thumb, RISC-V or AVR, and must outlive this object.
  explicit CodeDepth(const ElfFile& program);

  struct Bound {
    // The stack use, or nothing and the reason in `why_not`.
    std::optional<int64_t> bytes;
    std::string why_not;  // "qsort calls through a pointer"
  };
  // Returns the bound of the function called `function`, without its own return address. There is
  // no bound if the program does not define it.
  const Bound& Of(const std::string& function);

 private:
  struct Walk;

  const Bound& At(uint64_t address, int nesting);
  Bound Follow(uint64_t entry, int nesting);
  bool Step(Walk& walk, uint64_t from, int64_t depth, int nesting);
  bool Call(const Instruction& in, uint64_t at, int64_t& depth, Walk& walk, int nesting);
  void AddTableTargets(Walk& walk, uint64_t jump) const;
  const Section* CodeAt(uint64_t address) const;
  bool IsData(uint64_t address) const;
  std::string NameAt(uint64_t address) const;
  std::optional<int64_t> RegistersSaved(uint64_t target) const;
  std::optional<int64_t> SavedOnAvr(const Code& code, uint64_t at, uint64_t target) const;
  bool LeavesByMillicode(uint64_t target) const;

  const ElfFile& program_;
  std::map<uint64_t, const Symbol*> functions_;  // by address
  std::map<std::string, const Symbol*> by_name_;
  std::multimap<uint64_t, std::string> names_;
  std::map<uint64_t, bool> data_in_code_;  // Arm's mapping symbols: whether data starts here
  std::map<uint64_t, Bound> done_;
  std::set<uint64_t> open_;
};

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_CODE_DEPTH_H_

// Bounds the stack that linked functions take, by following their instructions.
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

// Bytes that a call pushes before the callee begins: 2 or 3 on AVR.
int64_t BytesOfCall(const ElfFile& file);

// Bytes below its stack pointer that a function may use which calls no other: x86-64's red zone,
// which compilers do not count to frames.
int64_t BytesBelow(const ElfFile& file);

// Every path from a function's first instruction is followed, calls included; where two meet, the
// deeper one counts. Of a jump by a table it is taken that it ends where nothing else of its
// function leads. What is not understood has no bound, never a guess.
class CodeDepth {
 public:
  // A program for Arm's Thumb, RISC-V or AVR; it has to outlive this.
  explicit CodeDepth(const ElfFile& program);

  struct Bound {
    std::optional<int64_t> bytes;
    std::string why_not;  // "qsort calls through a pointer"
  };
  // Of a function that the program defines, its own return address not counted.
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
  std::map<uint64_t, bool> data_in_code_;  // Arm's mapping symbols: begins data
  std::map<uint64_t, Bound> done_;
  std::set<uint64_t> open_;
};

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_CODE_DEPTH_H_

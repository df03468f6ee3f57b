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

// Bytes that a call pushes before the callee runs: 2 or 3 on AVR.
int64_t BytesOfCall(const ElfFile& file);

// Bytes below the stack pointer that a leaf function may use: x86-64's red zone, which compilers do
// not include in frame sizes.
int64_t BytesBelow(const ElfFile& file);

// Follows every path from the first instruction of a function, including calls; where paths join,
// the deeper one is used. A table jump is assumed to reach the instructions of its function that
// nothing else reaches. Code that is not understood has no bound, never a guess.
class CodeDepth {
 public:
  // `program` is for Arm's Thumb, RISC-V or AVR, and must outlive this object.
  explicit CodeDepth(const ElfFile& program);

  struct Bound {
    std::optional<int64_t> bytes;
    std::string why_not;  // "qsort calls through a pointer"
  };
  // Returns the bound of a function that the program defines, without its own return address.
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

// Builds the call graph of an object file from its instructions and relocations.
#ifndef LATHE_MACHINE_OBJECT_CALLS_H_
#define LATHE_MACHINE_OBJECT_CALLS_H_

#include <map>
#include <set>
#include <string>

#include "generator/machine/elf_file.h"

namespace lathe::machine {

// The calls of one function. `through_pointer` states that it may call functions other than
// `callees`: it has an indirect call, an indirect jump that may be one, or an unknown instruction.
struct FunctionCalls {
  bool local = false;  // local symbol
  std::set<std::string>
      callees;  // includes itself if recursive; jumps to other functions count as calls
  bool through_pointer = false;  // may call others
  std::string same_as;           // another symbol for the same code
};

// Returns the calls of each function of `object`, by name. Calls are missing for processors without
// a decoder (decode.h).
std::map<std::string, FunctionCalls> FindObjectCalls(const ElfFile& object);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_OBJECT_CALLS_H_

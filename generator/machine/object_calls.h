// Builds the call graph of an object file from its instructions and relocations.
#ifndef LATHE_MACHINE_OBJECT_CALLS_H_
#define LATHE_MACHINE_OBJECT_CALLS_H_

#include <map>
#include <set>
#include <string>

#include "generator/machine/elf_file.h"

namespace lathe::machine {

struct FunctionCalls {
  bool local = false;  // local symbol
  std::set<std::string>
      callees;  // includes itself if recursive; jumps to other functions count as calls
  bool through_pointer = false;  // has an indirect call, or an indirect jump that may be one
  std::string same_as;           // another symbol for the same code
};

// Keyed by name. Calls are missing for processors without a decoder (decode.h).
std::map<std::string, FunctionCalls> FindObjectCalls(const ElfFile& object);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_OBJECT_CALLS_H_

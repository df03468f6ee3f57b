// Finds which functions of an object call which, from its instructions and relocations.
#ifndef LATHE_MACHINE_OBJECT_CALLS_H_
#define LATHE_MACHINE_OBJECT_CALLS_H_

#include <map>
#include <set>
#include <string>

#include "generator/machine/elf_file.h"

namespace lathe::machine {

struct FunctionCalls {
  bool local = false;             // known in its object alone
  std::set<std::string> callees;  // itself where it calls itself; jumps to others are calls too
  bool through_pointer = false;   // a call, or a jump that may be one
  std::string same_as;            // another name of the same code
};

// By name. Without calls for processors whose instructions are not decoded: see decode.h.
std::map<std::string, FunctionCalls> FindObjectCalls(const ElfFile& object);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_OBJECT_CALLS_H_

// The name of an instruction of PTX as a program has it, word by word.
#ifndef LATHE_IR_DEVICE_PTX_WORDS_H_
#define LATHE_IR_DEVICE_PTX_WORDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::ir {

// {"ld", "shared::cta", "global", "b32"} of "ptx.ld.shared__cta.global_.b32": where Python has no
// such name, programs write "__" for "::" and "_" behind its own words. Empty where `name` is of
// something else.
std::vector<std::string> PtxWords(absl::string_view name);

// The same name without what says no more than the default does, or orders memory less than we do:
// "ptx.mbarrier.init" of "ptx.mbarrier.init.shared__cta.b64". Names of other instructions are as
// they were.
std::string PlainPtxName(absl::string_view name);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_PTX_WORDS_H_

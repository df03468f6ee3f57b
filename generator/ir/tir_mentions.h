// What the text of a PrimFunc mentions without any statement that defines it, and what it uses how:
// printers declare the one at the top and choose among spellings by the other.
#ifndef LATHE_IR_TIR_MENTIONS_H_
#define LATHE_IR_TIR_MENTIONS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

struct TirMentions {
  // Variables that no parameter, loop, binding or allocation defines, in the order of the text.
  std::vector<PrimRef> undefined;
  // Variables of threads that are launched more than once, with the thread.
  std::vector<std::pair<PrimRef, std::string>> shared_threads;
  // Those of T.Let, which are among the undefined: they are declared before the expression.
  absl::flat_hash_set<PrimRef> let_vars;
  absl::flat_hash_set<int> symbols;         // mentioned in expressions, by SymVar::id
  absl::flat_hash_set<BufferRef> accessed;  // indexed, or named as a whole
  std::vector<std::string> globals;         // functions of the module that are called, by name
  std::vector<std::string> externs;         // what T.call_extern, T.call_packed and their kin call
};

TirMentions MentionsOf(const PrimFunc& f);

// A T.launch_thread that is written as such: the iter_var it launches; null for any other attr.
struct Launch {
  PrimRef var = nullptr;
  std::string thread;
};
Launch LaunchOf(const AttrStmt& attr);
// What any attr of the keys "thread_extent" and "virtual_thread" launches, however it is written.
Launch ThreadsOf(const AttrStmt& attr);

}  // namespace lathe::ir

#endif  // LATHE_IR_TIR_MENTIONS_H_

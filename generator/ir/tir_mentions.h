// Collects what the text of a PrimFunc uses without defining it, and how: printers declare
// undefined variables at the top and choose spellings by the uses.
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
  // Variables that no parameter, loop, binding or allocation defines, in source order.
  std::vector<PrimRef> undefined;
  // Thread variables that are launched more than once, with the thread.
  std::vector<std::pair<PrimRef, std::string>> shared_threads;
  // Variables of T.Let, which are among the undefined: they are declared before the expression.
  absl::flat_hash_set<PrimRef> let_vars;
  absl::flat_hash_set<int> symbols;         // mentioned in expressions, by SymVar::id
  absl::flat_hash_set<BufferRef> accessed;  // indexed, or used as a whole
  std::vector<std::string> globals;         // functions of the module that are called, by name
  std::vector<std::string> externs;         // callees of external calls (function_calls.h)
};

TirMentions MentionsOf(const PrimFunc& f);

// The iter_var launched by a T.launch_thread in its usual form; null for any other attr.
struct Launch {
  PrimRef var = nullptr;
  std::string thread;
};
Launch LaunchOf(const AttrStmt& attr);
// Returns the iter_var launched by an attr with key "thread_extent" or "virtual_thread", in any
// form.
Launch ThreadsOf(const AttrStmt& attr);

}  // namespace lathe::ir

#endif  // LATHE_IR_TIR_MENTIONS_H_

// Collects what the text of a function mentions: variables, other functions, and shape variables,
// with the function that declares each: the innermost one that contains all its uses.
//
//   def f(x: R.Tensor(("n",))):        f declares n, in its signature
//       m = T.int64()                  and m, in its body
//       @R.function
//       def g(y: R.Tensor((n, "k"))):  g declares k
#ifndef LATHE_IR_MENTIONS_H_
#define LATHE_IR_MENTIONS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"

namespace lathe::ir {

struct ShapeDeclarations {
  std::vector<PrimRef> signature;  // first seen in a parameter or the result
  std::vector<PrimRef> body;       // only seen in the body
};

struct Mentions {
  // For the outermost function and every function literal in it.
  absl::flat_hash_map<const Function*, ShapeDeclarations> declarations;
  absl::flat_hash_set<int> values;  // read, by ValueId::index
  // By SymVar::id, except those that are seen in one R.Prim parameter and nowhere else.
  absl::flat_hash_set<int> symbols;
  bool globals = false;
};

// With `with_info`, derived information is scanned too.
Mentions MentionsOf(const Module& module, const Function& outermost, bool with_info);

}  // namespace lathe::ir

#endif  // LATHE_IR_MENTIONS_H_

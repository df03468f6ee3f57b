// What is left of a module whose text has errors: enough to look for further mistakes in the rest.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_REMAINS_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_REMAINS_H_

#include <string>
#include <vector>

#include "generator/ir/module.h"
#include "generator/support/source.h"

namespace lathe {

// A function with errors. Its bindings that have none are in the module. Where its signature or its
// result has one, the result is a variable that is bound nowhere, of which nothing is known.
struct DamagedFunction {
  std::string name;
  TextSpan span;  // of all of it
};

struct Remains {
  // False where the errors are of a kind that leaves nothing to be sure of: of syntax, or in what
  // the module says of itself.
  bool checkable = false;
  ir::Module module;
  std::vector<DamagedFunction> damaged;
};

}  // namespace lathe

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_REMAINS_H_

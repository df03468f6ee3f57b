// Holds the readable part of a module whose text has errors, so that the rest can be checked too.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_REMAINS_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_REMAINS_H_

#include <string>
#include <vector>

#include "generator/ir/module.h"
#include "generator/support/source.h"

namespace lathe {

// A function with errors. The module contains its valid bindings. If the signature or the result
// has an error, the result is an unbound variable without an annotation.
struct DamagedFunction {
  std::string name;
  TextSpan span;  // of the whole function
};

struct Remains {
  // False after syntax errors and after errors outside of functions, which make further checks
  // unreliable.
  bool checkable = false;
  ir::Module module;
  std::vector<DamagedFunction> damaged;
};

}  // namespace lathe

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_REMAINS_H_

// Prints constants that are too large for the program text: metadata["relax.expr.Constant"][0]
// refers to one, and the metadata precedes the program, in the JSON form of TVM 0.24 and later:
//
//   metadata = tvm.ir.load_json("""{"root_index":5,"nodes":[...],"metadata":{...}}""")
#ifndef LATHE_IR_PRINT_PRINT_METADATA_H_
#define LATHE_IR_PRINT_PRINT_METADATA_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/module.h"
#include "generator/ir/print_options.h"

namespace lathe::ir {

class Metadata {
 public:
  Metadata(const Module& module, Dialect dialect) : module_(module), dialect_(dialect) {}

  // Returns the reference to print in place of the constant.
  std::string Reference(ConstantId id);

  // Returns the statement that defines the metadata; empty if there are no references.
  std::string Text() const;

 private:
  const Module& module_;
  const Dialect dialect_;
  std::vector<ConstantId> constants_;
  absl::flat_hash_map<int, size_t> positions_;  // by ConstantId::index
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_METADATA_H_

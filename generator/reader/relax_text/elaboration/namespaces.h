// Maps the first part of a dotted name to a namespace. I, R, T, Tx, tvm, ir, relax, tir, tirx, ty
// and np are known without an import; the imports of the file add other names.
//
//   from tvm.script import relax as R          R.nn.relu       {kRelax, "nn.relu"}
//   import tvm                                 tvm.ir.Range    {kIr, "Range"}
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_NAMESPACES_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_NAMESPACES_H_

#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/ast.h"

namespace lathe::relax_text {

enum class Space : uint8_t {
  kIr,     // I, tvm.script.ir, tvm.ir, tvm.script itself
  kRelax,  // R, relax, tvm.relax, tvm.script.relax
  kTir,    // T, tir, tirx, tvm.tir, tvm.tirx, tvm.script.tir, ...
  kTvm,    // the rest of tvm
  kNumpy,
  kHost,  // any other module; programs cannot use its members
};

struct Qualified {
  Space space;
  // The path inside the namespace: "nn.relu"; empty for the namespace itself. For kHost the full
  // path of the module.
  std::string name;
};

class Namespaces {
 public:
  Namespaces();

  void Import(const ast::Import& import);
  // Returns the qualified name of `e`, or nullopt if `e` is not a dotted name whose first part is a
  // namespace or an imported name. Local names take precedence: callers must look up the first part
  // in their scopes first.
  std::optional<Qualified> Qualify(const ast::Expr& e) const;
  // Returns true if `name` is a namespace or an imported name.
  bool Contains(absl::string_view name) const { return aliases_.contains(name); }

 private:
  absl::flat_hash_map<std::string, Qualified> aliases_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_NAMESPACES_H_

// What a dotted name's first part means: R, T and I without any import, other names as the file's
// imports say.
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
  kHost,  // any other module: names nothing a program may use
};

struct Qualified {
  Space space;
  std::string name;  // below the space: "nn.relu"; empty for the space itself
};

class Namespaces {
 public:
  Namespaces();

  void Import(const ast::Import& import);
  // What `e` names, when it is a dotted name whose first part is a namespace or an imported name.
  // Scopes come first: callers ask them about the first part before.
  std::optional<Qualified> Qualify(const ast::Expr& e) const;
  // Whether `name` is one of those first parts.
  bool Contains(absl::string_view name) const { return aliases_.contains(name); }

 private:
  absl::flat_hash_map<std::string, Qualified> aliases_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_NAMESPACES_H_

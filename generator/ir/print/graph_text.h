// What the printers of a function's parts share: names, options, and which shape variables are
// quoted where.
#ifndef LATHE_IR_PRINT_GRAPH_TEXT_H_
#define LATHE_IR_PRINT_GRAPH_TEXT_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"
#include "generator/ir/print/print_metadata.h"
#include "generator/ir/print/print_scalar.h"
#include "generator/ir/print_names.h"
#include "generator/ir/print_options.h"

namespace lathe::ir {

inline constexpr char kModuleAlias[] = "cls";

struct GraphText {
  const Module& module;
  const PrintOptions& options;
  PrintNames& names;
  Metadata& metadata;
  // While a signature is printed: its own shape variables, by SymVar::id. Nothing has declared them
  // there yet, so what they are in is quoted.
  absl::flat_hash_set<int> quoted;

  bool before_0_26() const { return options.dialect != Dialect::kV0_26; }
  std::string Name(ValueId id) const { return names.Of(id, module.values[id].name); }
  ScalarStyle scalar_style() const { return {options.dialect, DType::Int(64), kModuleAlias}; }
  std::string Scalar(PrimRef e) const { return PrintScalar(e, names, scalar_style()); }
  // What the variable's annotation is to say; null: nothing.
  StructInfoRef Annotation(const Value& value) const {
    return options.show_info && value.info != nullptr ? value.info : value.annotation;
  }
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_GRAPH_TEXT_H_

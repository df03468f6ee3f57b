// Holds the state shared by the printers of a Relax function: names, options, and the shape
// variables to quote.
#ifndef LATHE_IR_PRINT_GRAPH_TEXT_H_
#define LATHE_IR_PRINT_GRAPH_TEXT_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"
#include "generator/ir/print/print_metadata.h"
#include "generator/ir/print/print_scalar.h"
#include "generator/ir/print/type_vars.h"
#include "generator/ir/print_names.h"
#include "generator/ir/print_options.h"

namespace lathe::ir {

inline constexpr char kModuleAlias[] = "cls";

struct GraphText {
  const Module& module;
  const PrintOptions& options;
  PrintNames& names;
  Metadata& metadata;
  TypeVars& type_vars;
  // While a signature is printed: the shape variables that it declares, by SymVar::id. Expressions
  // with them are quoted.
  absl::flat_hash_set<int> quoted;
  // Type variables, by SymVar::id: the module declares them, so they are not quoted alone.
  absl::flat_hash_set<int> declared_above = {};

  bool has_type_vars() const { return options.dialect >= Dialect::kV0_27; }
  bool before_0_26() const { return options.dialect < Dialect::kV0_26; }
  std::string Name(ValueId id) const { return names.Of(id, module.values[id].name); }
  ScalarStyle scalar_style() const { return {options.dialect, DType::Int(64), kModuleAlias}; }
  std::string Scalar(PrimRef e) const { return PrintScalar(e, names, scalar_style()); }
  // Returns the annotation to print; null: none.
  StructInfoRef Annotation(const Value& value) const {
    return options.show_info && value.info != nullptr ? value.info : value.annotation;
  }
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_GRAPH_TEXT_H_

// Holds the state that the elaborators of one file share: the module under construction, the
// diagnostics, and the names of the file and module scope.
//
//   syntax tree ──elaborate_module──► globals declared ──elaborate_function──► ir::Function
//                                                      └─elaborate_prim_func─► ir::PrimFunc
//
// A failed elaborator has already reported its error to diags(), so its callers must not report the
// status again. The names that it should have bound are bound as failed, so that one mistake causes
// one message.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_ELABORATION_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_ELABORATION_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/host_values.h"
#include "generator/reader/relax_text/elaboration/metadata.h"
#include "generator/reader/relax_text/elaboration/namespaces.h"
#include "generator/reader/relax_text/elaboration/scalar_value.h"
#include "generator/reader/relax_text/elaboration/scopes.h"
#include "generator/reader/relax_text/elaboration/tir_dialect.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/syntax_tree.h"
#include "generator/support/diagnostics.h"

namespace lathe::relax_text {

// Resolves the names in scalar expressions. Subclasses implement the shape variables of a Relax
// function, the scopes of a PrimFunc and the parameters of an index map.
class ScalarScope {
 public:
  virtual ~ScalarScope() = default;
  // Returns the scalar that the name `e` (an ast::Name) denotes. Reports its own diagnostic on
  // failure.
  virtual absl::StatusOr<ir::PrimRef> Resolve(const ast::Expr& e) = 0;
  // Returns the value that the name `e` (an ast::Name) denotes, which may also be a buffer, a tuple
  // or a number. The default implementation calls Resolve.
  virtual absl::StatusOr<ScalarValue> ResolveValue(const ast::Expr& e);
  // Returns true if this scope binds `name`, so that it shadows a namespace of the same name.
  virtual bool Binds(absl::string_view name) const;
};

class Elaboration {
 public:
  Elaboration(ir::Context& context, ir::Module& module, SyntaxTree& tree, Diagnostics& diags)
      : context_(context), module_(module), tree_(tree), diags_(diags) {}
  Elaboration(const Elaboration&) = delete;
  Elaboration& operator=(const Elaboration&) = delete;

  ir::Context& context() { return context_; }
  ir::Module& module() { return module_; }
  SyntaxTree& tree() { return tree_; }  // for ParseQuoted
  Diagnostics& diags() { return diags_; }
  // Returns the namespaces R, T and I, and those that the file imports.
  Namespaces& namespaces() { return namespaces_; }
  const Namespaces& namespaces() const { return namespaces_; }
  // Returns the TIR dialect of the file, whose contents are `text`. The result is cached.
  TirDialect tir_dialect(absl::string_view text);
  // Returns true if the file of `span` is written in the oldest dialect (oldest_dialect.h). The
  // result is cached.
  bool oldest_dialect(const TextSpan& span);

  // Report an error or an unsupported construct at the span of `e`.
  DiagnosticBuilder Error(const ast::Expr& e, absl::string_view code) {
    return diags_.Error(e.span(), code);
  }
  DiagnosticBuilder Unsupported(const ast::Expr& e, absl::string_view code) {
    return diags_.Unsupported(e.span(), code);
  }

  // Adds a function to the module. All functions are declared before the first body is read. A
  // duplicate declaration is diagnosed and returns the id of the first one.
  ir::GlobalId DeclareGlobal(absl::string_view name, TextSpan span);
  // Returns the function named `name`, or nullopt if none is declared.
  std::optional<ir::GlobalId> FindGlobal(absl::string_view name) const;
  // Records the result type of the PrimFunc `id`, which calls of it need before its body is read.
  void DeclarePrimResult(ir::GlobalId id, ir::DType dtype) { prim_results_[id.index] = dtype; }
  // Returns the recorded result type of the PrimFunc `id`, or void if none was recorded.
  ir::DType PrimResult(ir::GlobalId id) const;
  // Returns true if `name` denotes the module itself: the name of its class, or "cls" after cls =
  // Module.
  bool IsModuleAlias(absl::string_view name) const;
  void AddModuleAlias(absl::string_view name);
  // Returns the function that Module.f or cls.f names. Returns nullopt for any other expression.
  // Member::id is nullopt if the module has no function of that name; the caller must report that.
  struct Member {
    std::optional<ir::GlobalId> id;
    absl::string_view name;
  };
  std::optional<Member> ModuleMember(const ast::Expr& e) const;

  // Adds a name bound by M = TypeVar("M") at the top of the file. Each function that uses it gets a
  // shape variable of its own.
  void AddTypeVar(absl::string_view name, TextSpan span);
  // Returns the type variables in source order.
  const std::vector<std::pair<std::string, TextSpan>>& type_vars() const { return type_vars_; }
  bool IsTypeVar(absl::string_view name) const;

  // Returns the names that Python code binds above the module: K = 4.
  HostValues& host_values() { return host_values_; }
  // Returns the host values that are numbers. The table is built by the first call, which must come
  // after all host values have been read.
  const NameTable& host_numbers();
  // If `name` is a host value that is neither a number nor a shape variable, reports at `e` that it
  // is unsupported and returns true.
  bool RefusesHostValue(const ast::Expr& e, absl::string_view name);

  // Sets the result of metadata = tvm.ir.load_json(...).
  void SetMetadata(Metadata metadata) { metadata_ = std::move(metadata); }
  // Returns metadata[type][index], or null if the file has no such entry.
  const MetadataItem* FindMetadata(absl::string_view type, uint64_t index) const;
  // Returns the module's constant for the metadata entry `constant`. The first call adds it to the
  // module; later calls return the same id.
  ir::ConstantId MetadataConstant(const ir::Constant& constant);
  bool has_metadata() const { return metadata_.has_value(); }

 private:
  ir::Context& context_;
  ir::Module& module_;
  SyntaxTree& tree_;
  Diagnostics& diags_;
  Namespaces namespaces_;
  std::optional<TirDialect> tir_dialect_;
  std::optional<bool> oldest_dialect_;
  absl::flat_hash_map<std::string, ir::GlobalId> globals_;
  absl::flat_hash_map<int, ir::DType> prim_results_;  // by GlobalId::index
  std::vector<std::pair<std::string, TextSpan>> type_vars_;
  HostValues host_values_;
  std::optional<NameTable> host_numbers_;
  absl::flat_hash_set<std::string> module_aliases_;
  std::optional<Metadata> metadata_;
  absl::flat_hash_map<const ir::Constant*, ir::ConstantId> metadata_constants_;
};

// Returns the status of a failure that has already been reported in the diagnostics.
inline absl::Status AlreadyDiagnosed() {
  return absl::InvalidArgumentError("diagnosed where it was found");
}

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_ELABORATION_H_

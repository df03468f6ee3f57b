// What the elaborators of one file share: where the module grows, where problems go, and what
// names mean before any function's own scopes are asked.
//
//   syntax tree ──elaborate_module──► globals declared ──elaborate_function──► ir::Function
//                                                      └─elaborate_prim_func─► ir::PrimFunc
//
// An elaborator that fails has said why in diags(): a Status that is not OK is never said again,
// and what was to be bound is bound all the same (to nothing), so that one mistake is one message.
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

// How a scalar expression's names are looked up: a Relax function's shape variables, a PrimFunc's
// scopes, the parameters of an index map.
class ScalarScope {
 public:
  virtual ~ScalarScope() = default;
  // What the name at `e` (an ast::Name) stands for. Fails after a diagnostic of its own.
  virtual absl::StatusOr<ir::PrimRef> Resolve(const ast::Expr& e) = 0;
  // The same where more than scalars can be meant: a buffer, a tuple, a number. `e` is a Name.
  virtual absl::StatusOr<ScalarValue> ResolveValue(const ast::Expr& e);
  // Whether the name means something here, so that it hides a namespace of that name.
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
  // R, T, I and whatever else the file's imports name.
  Namespaces& namespaces() { return namespaces_; }
  const Namespaces& namespaces() const { return namespaces_; }
  // The generation of TIR that the file, whose text is given, is written in; found once.
  TirDialect tir_dialect(absl::string_view text);
  // Whether the file in which `span` lies is written in the first dialect; found once.
  bool oldest_dialect(const TextSpan& span);

  // A problem with `e`, at its place.
  DiagnosticBuilder Error(const ast::Expr& e, absl::string_view code) {
    return diags_.Error(e.span(), code);
  }
  DiagnosticBuilder Unsupported(const ast::Expr& e, absl::string_view code) {
    return diags_.Unsupported(e.span(), code);
  }

  // The functions of the module, all declared before the first body is read. A declaration that
  // repeats a name is refused and gives the first one's id.
  ir::GlobalId DeclareGlobal(absl::string_view name, TextSpan span);
  std::optional<ir::GlobalId> FindGlobal(absl::string_view name) const;
  // What a PrimFunc returns, which calls of it have to know before its body is read.
  void DeclarePrimResult(ir::GlobalId id, ir::DType dtype) { prim_results_[id.index] = dtype; }
  ir::DType PrimResult(ir::GlobalId id) const;
  // True for what stands for the module itself: the class's name, "cls" after cls = Module.
  bool IsModuleAlias(absl::string_view name) const;
  void AddModuleAlias(absl::string_view name);
  // The function that `e` names as Module.f, cls.f: its place in the module; nothing for any other
  // expression. A member that is not there is for the caller to report.
  struct Member {
    std::optional<ir::GlobalId> id;
    absl::string_view name;
  };
  std::optional<Member> ModuleMember(const ast::Expr& e) const;

  // Names made by M = TypeVar("M") at the top of the file: a shape variable of its own in each
  // function that uses it.
  void AddTypeVar(absl::string_view name, TextSpan span);
  // In the order of the file.
  const std::vector<std::pair<std::string, TextSpan>>& type_vars() const { return type_vars_; }
  bool IsTypeVar(absl::string_view name) const;

  // K = 4 at the top of the file.
  HostValues& host_values() { return host_values_; }
  // Those that are numbers, once all are read.
  const NameTable& host_numbers();
  // Whether `name` is one of these that is no number; then says so at `e`.
  bool RefusesHostValue(const ast::Expr& e, absl::string_view name);

  // metadata = tvm.ir.load_json(...)
  void SetMetadata(Metadata metadata) { metadata_ = std::move(metadata); }
  // metadata[type][index]; null when the file has no such thing.
  const MetadataItem* FindMetadata(absl::string_view type, uint64_t index) const;
  // The constant that metadata[type][index] is: one in the module, however often it is used.
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

// What a step gives up with when the reason has been said already.
inline absl::Status AlreadyDiagnosed() {
  return absl::InvalidArgumentError("diagnosed where it was found");
}

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_ELABORATION_H_

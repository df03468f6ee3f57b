// Implements the scopes of a Relax function and of its nested functions. Names whose scope has
// ended are kept for diagnostics.
//
//   function ─► SeqExpr (its body, a branch of an if) ─► dataflow block
//
// A binding shadows outer bindings of the same name; Pop restores them.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_SCOPES_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_SCOPES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"
#include "generator/ir/prim_expr.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

enum class ScopeKind : uint8_t { kFunction, kBranch, kDataflow };

struct NameEntry {
  ir::ValueId value;             // the Relax variable; invalid: none
  ir::PrimRef scalar = nullptr;  // the value of the name in shapes; null: none
  // The number that Python code above the module binds to this name; also in `scalar`. Null: none.
  const ast::Expr* number = nullptr;
  bool failed = false;     // its definition has an error; uses are not reported
  int function_depth = 0;  // set by Bind
  int scope_depth = 0;     // set by Bind
  TextSpan span;           // where it is bound
};

using NameTable = absl::flat_hash_map<absl::string_view, NameEntry>;

// A name whose scope has ended.
struct EndedName {
  ScopeKind scope;
  TextSpan span;
};

class Scopes {
 public:
  void Push(ScopeKind kind);
  // Sets the names of the file scope. Only those that are bound before byte `end` of the file are
  // visible.
  void SetOutside(const NameTable* outside, uint32_t end) {
    outside_ = outside;
    outside_end_ = end;
  }
  // Ends the innermost scope. The names given to Keep() are bound in the enclosing scope.
  void Pop();

  // Binds `name` in the innermost scope. The text that `name` views must outlive this.
  void Bind(absl::string_view name, NameEntry entry);
  // Binds a shape variable. In a dataflow block, also keeps it for the enclosing scope: a shape
  // variable belongs to the SeqExpr.
  void BindShapeVar(absl::string_view name, ir::PrimRef var, TextSpan span);
  // Marks `name` to be bound in the enclosing scope when the innermost scope ends.
  void Keep(absl::string_view name);

  const NameEntry* Find(absl::string_view name) const;
  // Returns true if `entry` was bound in the innermost scope.
  bool IsInnermost(const NameEntry& entry) const {
    return entry.scope_depth == static_cast<int>(scopes_.size());
  }
  // Returns the ended scope that bound `name` last, or null if no ended scope bound it.
  const EndedName* FindEnded(absl::string_view name) const;
  // Returns all visible names, sorted.
  std::vector<absl::string_view> Visible() const;

  ScopeKind innermost() const { return scopes_.back().kind; }
  int function_depth() const { return function_depth_; }

 private:
  struct Hidden {
    absl::string_view name;
    NameEntry before;
    bool was_bound;
  };
  const NameEntry* FindOutside(absl::string_view name) const;

  struct Scope {
    ScopeKind kind;
    std::vector<Hidden> undo;
    std::vector<absl::string_view> kept;
  };

  std::vector<Scope> scopes_;
  NameTable names_;
  const NameTable* outside_ = nullptr;
  uint32_t outside_end_ = 0;
  absl::flat_hash_map<absl::string_view, EndedName> left_;
  int function_depth_ = 0;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_SCOPES_H_

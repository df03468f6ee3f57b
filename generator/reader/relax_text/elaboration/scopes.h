// The names of one Relax function, and of the functions written inside it: what each means where
// we stand, and what has become of those that mean nothing any more.
//
//   function ─► SeqExpr (its body, a branch of an if) ─► dataflow block
//
// A binding shadows; leaving a scope brings back what it hid.
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
  ir::ValueId value;             // not valid: no Relax variable
  ir::PrimRef scalar = nullptr;  // what the name stands for in shapes; null: nothing
  // The number that Python has for this name above the module; it is in `scalar` too.
  const ast::Expr* number = nullptr;
  bool failed = false;     // its definition has an error: using it says nothing more
  int function_depth = 0;  // set by Bind
  int scope_depth = 0;     // set by Bind
  TextSpan span;           // where it is bound
};

using NameTable = absl::flat_hash_map<absl::string_view, NameEntry>;

// A name whose scope has ended.
struct LeftName {
  ScopeKind scope;
  TextSpan span;
};

class Scopes {
 public:
  void Push(ScopeKind kind);
  // What names mean that no scope binds, as far as it is bound before `end`.
  void SetOutside(const NameTable* outside, uint32_t end) {
    outside_ = outside;
    outside_end_ = end;
  }
  // Ends the innermost scope. What is listed in Keep() goes on in the one around it.
  void Pop();

  // In the innermost scope. The text that `name` views must outlive this.
  void Bind(absl::string_view name, NameEntry entry);
  // A shape variable belongs to the SeqExpr, even when it first appears in a dataflow block.
  void BindShapeVar(absl::string_view name, ir::PrimRef var, TextSpan span);
  // The innermost scope hands `name` on to the one around it when it ends.
  void Keep(absl::string_view name);

  const NameEntry* Find(absl::string_view name) const;
  // Whether what `name` means was bound in the innermost scope.
  bool IsInnermost(const NameEntry& entry) const {
    return entry.scope_depth == static_cast<int>(scopes_.size());
  }
  // Why a name that is not found is not: null when no scope that has ended had it.
  const LeftName* FindLeft(absl::string_view name) const;
  // All names that mean something, sorted.
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
  absl::flat_hash_map<absl::string_view, LeftName> left_;
  int function_depth_ = 0;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_SCOPES_H_

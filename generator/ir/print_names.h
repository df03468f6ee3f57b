// Names for the variables of a printed program: legal in Python, unique, the same every time.
//
//   onnx::Conv_12  ->  onnx__Conv_12        x, x  ->  x, x_1        lambda  ->  lambda_1
#ifndef LATHE_IR_PRINT_NAMES_H_
#define LATHE_IR_PRINT_NAMES_H_

#include <string>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"

namespace lathe::ir {

// `hint` as an identifier: what Python does not allow in one becomes "_". May be a keyword still.
std::string ToIdentifier(absl::string_view hint);

// True for what names must not be: keywords, the language's prefixes (I, R, T, cls, ...), and the
// builtins that programs call.
bool IsReservedName(absl::string_view name);

// One per printed function, nested ones included, so that a name says the same thing everywhere in
// it. Variables get their names in the order in which they are asked for.
class PrintNames {
 public:
  // Keeps `name` from being given, say the name of the module's class.
  void Reserve(absl::string_view name) { reserved_.insert(std::string(name)); }

  // A new name made from `hint`; one that is reserved only where `may_be_reserved` says so.
  std::string Fresh(absl::string_view hint, bool may_be_reserved = false);

  // The name of a variable or buffer; given at the first question.
  std::string Of(PrimRef var);  // a SymVar
  std::string Of(BufferRef buffer);
  std::string Of(ValueId value, absl::string_view hint);
  // The name of a type variable, which may be one of the reserved names.
  std::string OfTypeVar(PrimRef var);

  // True when the variable has its name already, which is how printers find the declarations due.
  bool Has(PrimRef var) const;
  bool Has(BufferRef buffer) const { return buffers_.contains(buffer); }
  bool Has(ValueId value) const { return values_.contains(value.index); }

  // Names given while it lives are forgotten when it ends, so that the loops of one function can
  // all be over i.
  class Scope {
   public:
    explicit Scope(PrintNames& names) : names_(names), start_(names.given_.size()) {}
    ~Scope() { names_.Forget(start_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PrintNames& names_;
    size_t start_;
  };

  // Gives a variable a name that something else has too: a match_buffer and its handle, the result
  // of an if and the last variable of its branches.
  void Alias(PrimRef var, absl::string_view name);
  void Alias(ValueId value, absl::string_view name);

 private:
  // What was given, in order: a name, and what has it (nothing for names that are only taken).
  struct Given {
    std::string name;
    std::variant<std::monostate, int, BufferRef, ValueId> owner;
  };
  void Forget(size_t start);

  absl::flat_hash_set<std::string> reserved_;
  absl::flat_hash_set<std::string> taken_;
  std::vector<Given> given_;
  absl::flat_hash_map<std::string, int> next_suffix_;
  // Asked by key only, never walked.
  absl::flat_hash_map<int, std::string> scalars_;  // by SymVar::id
  absl::flat_hash_map<BufferRef, std::string> buffers_;
  absl::flat_hash_map<int, std::string> values_;  // by ValueId::index
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_NAMES_H_

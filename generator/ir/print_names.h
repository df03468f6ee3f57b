// Assigns names to the variables of a printed program: legal in Python, unique and deterministic.
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

// Converts `hint` to an identifier: characters that Python does not allow become "_". The result
// may be a keyword.
std::string ToIdentifier(absl::string_view hint);

// Returns true for names that variables must not have: keywords, the prefixes of the language (I,
// R, T, cls, ...), and builtins that programs call.
bool IsReservedName(absl::string_view name);

// One object per printed function, including nested ones, so that a name has one meaning in it.
// Names are assigned in the order of the requests.
class PrintNames {
 public:
  // Excludes `name`, such as the name of the module's class.
  void Reserve(absl::string_view name) { reserved_.insert(std::string(name)); }

  // A fresh name derived from `hint`; a reserved name only if `may_be_reserved`.
  std::string Fresh(absl::string_view hint, bool may_be_reserved = false);

  // Returns the name of a variable or buffer; assigned by the first request.
  std::string Of(PrimRef var);  // a SymVar
  std::string Of(BufferRef buffer);
  std::string Of(ValueId value, absl::string_view hint);
  // The name of a type variable, which may be one of the reserved names.
  std::string OfTypeVar(PrimRef var);

  // Returns whether the variable has a name already; printers use this to find pending
  // declarations.
  bool Has(PrimRef var) const;
  bool Has(BufferRef buffer) const { return buffers_.contains(buffer); }
  bool Has(ValueId value) const { return values_.contains(value.index); }

  // Names assigned during its lifetime are released at its end, so that all loops of a function can
  // use i.
  class Scope {
   public:
    explicit Scope(PrintNames& names) : names_(names), start_(names.assigned_.size()) {}
    ~Scope() { names_.Forget(start_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PrintNames& names_;
    size_t start_;
  };

  // Assigns a name that something else has too: a match_buffer and its handle, the result of an if
  // and the last variable of its branches.
  void Alias(PrimRef var, absl::string_view name);
  void Alias(ValueId value, absl::string_view name);

 private:
  // Assigned names in order: a name and its owner (none for reserved names).
  struct Assigned {
    std::string name;
    std::variant<std::monostate, int, BufferRef, ValueId> owner;
  };
  void Forget(size_t start);

  absl::flat_hash_set<std::string> reserved_;
  absl::flat_hash_set<std::string> taken_;
  std::vector<Assigned> assigned_;
  absl::flat_hash_map<std::string, int> next_suffix_;
  // Accessed by key only; never iterated.
  absl::flat_hash_map<int, std::string> scalars_;  // by SymVar::id
  absl::flat_hash_map<BufferRef, std::string> buffers_;
  absl::flat_hash_map<int, std::string> values_;  // by ValueId::index
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_NAMES_H_

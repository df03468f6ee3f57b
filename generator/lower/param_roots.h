// Analyzes which parameter's memory a value is in, and into which parameters the function writes.
//
//   def f(n, state, all):
//     next = R.add(state, x)                                    # memory of its own
//     more = R.call_tir_inplace(store, (all, next), [0], ...)   # that of `all`, written
//     return f(n + 1, next, more)
#ifndef LATHE_LOWER_PARAM_ROOTS_H_
#define LATHE_LOWER_PARAM_ROOTS_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"
#include "generator/lower/param_effects.h"

namespace lathe::lower {

inline constexpr int kOwnBytes = -1;

class ParamRoots {
 public:
  ParamRoots(const ir::Module& module, const FunctionEffects& effects, const ir::Function& f);

  // Returns the parameter that the operand is, possibly after in-place writes; kOwnBytes if it
  // shares no bytes with a parameter; nothing if neither is known.
  std::optional<int> Of(const ir::Operand& operand) const;
  // Returns the parameters that the function writes; null if it may write to other memory.
  const absl::flat_hash_set<int>* written() const { return written_ ? &*written_ : nullptr; }
  // Returns whether a recursive call with these arguments keeps each written parameter at its
  // address and passes no other parameter memory that is written.
  bool KeepsParamsDisjoint(const ir::Call& call) const;
  // Returns the parameter that field `index` of the result, or the result itself, always is; else
  // kOwnBytes.
  int Returned(size_t index) const;

 private:
  void In(const ir::Body& body);
  std::optional<int> Of(const ir::Binding& binding);
  std::optional<int> Of(const ir::Call& call);
  std::optional<int> Field(const ir::GetField& get) const;
  void Write(const ir::Call& call);
  void WriteInto(const ir::Operand& operand);
  bool Returns(const ir::Operand& result, std::optional<size_t> index, int param) const;
  bool IsOwnCall(const ir::Call& call) const;

  const ir::Module& module_;
  const FunctionEffects& effects_;
  const ir::Function& f_;
  absl::flat_hash_map<ir::ValueId, std::optional<int>> roots_;
  absl::flat_hash_map<ir::ValueId, const ir::Binding*> bindings_;
  std::vector<const ir::Call*> own_calls_;
  std::optional<absl::flat_hash_set<int>> written_ = absl::flat_hash_set<int>();
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_PARAM_ROOTS_H_

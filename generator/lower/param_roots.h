// Analyzes which parameter of its function the bytes of a value are, and into which parameters the
// function writes.
//
//   def f(n, state, all):
//     next = R.add(state, x)                                    # bytes of its own
//     more = R.call_tir_inplace(store, (all, next), [0], ...)   # those of `all`, written
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

  // The parameter that the operand is, as it was given or written in place; kOwnBytes where it
  // shares bytes with none; nothing where neither is known.
  std::optional<int> Of(const ir::Operand& operand) const;
  // The parameters that the function writes into; null where it may write into others.
  const absl::flat_hash_set<int>* written() const { return written_ ? &*written_ : nullptr; }
  // Whether a call of the function itself with these arguments leaves each parameter that is
  // written where it is, and gives no other one bytes that are written.
  bool CarriesApart(const ir::Call& call) const;
  // The parameter that field `index` of the result always is, or the result itself where it is no
  // tuple; kOwnBytes where that is none.
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

#include "generator/ir/map_operands.h"

#include <utility>
#include <vector>

namespace lathe::ir {

PrimRef MapOperands(Context& context, PrimRef e, absl::FunctionRef<PrimRef(PrimRef)> map) {
  const auto all = [&](const std::vector<PrimRef>& items) {
    std::vector<PrimRef> mapped;
    mapped.reserve(items.size());
    for (PrimRef item : items) mapped.push_back(item == nullptr ? nullptr : map(item));
    return mapped;
  };
  // Interning makes an unchanged copy the same pointer, so every case just rebuilds.
  const auto leaf = [&](const auto&) { return e; };
  return Match(
      e->node(), [&](const IntImm& n) { return leaf(n); },
      [&](const FloatImm& n) { return leaf(n); }, [&](const StringImm& n) { return leaf(n); },
      [&](const SymVar& n) { return leaf(n); },
      [&](const Unary& n) {
        return context.Make(e->dtype(), Unary{n.op, map(n.value)});
      },
      [&](const Binary& n) {
        const PrimRef lhs = map(n.lhs);
        return context.Make(e->dtype(), Binary{n.op, lhs, map(n.rhs)});
      },
      [&](const Select& n) {
        const PrimRef cond = map(n.cond);
        const PrimRef if_true = map(n.if_true);
        return context.Make(e->dtype(), Select{cond, if_true, map(n.if_false)});
      },
      [&](const Cast& n) { return context.Make(e->dtype(), Cast{map(n.value)}); },
      [&](const Load& n) {
        std::vector<PrimRef> indices = all(n.indices);
        const PrimRef predicate = n.predicate == nullptr ? nullptr : map(n.predicate);
        return context.Make(e->dtype(), Load{n.buffer, std::move(indices), predicate});
      },
      [&](const Ramp& n) {
        const PrimRef base = map(n.base);
        return context.Make(e->dtype(), Ramp{base, map(n.stride)});
      },
      [&](const Broadcast& n) { return context.Make(e->dtype(), Broadcast{map(n.value)}); },
      [&](const Shuffle& n) {
        std::vector<PrimRef> vectors = all(n.vectors);
        return context.Make(e->dtype(), Shuffle{std::move(vectors), all(n.indices)});
      },
      [&](const Let& n) {
        const PrimRef value = map(n.value);
        return context.Make(e->dtype(), Let{n.var, value, map(n.body)});
      },
      [&](const Intrinsic& n) {
        return context.Make(e->dtype(), Intrinsic{n.name, all(n.args)});
      },
      [&](const CommReducer& n) {
        std::vector<PrimRef> results = all(n.results);
        return context.Make(e->dtype(),
                            CommReducer{n.lhs, n.rhs, std::move(results), all(n.identities)});
      },
      [&](const RegionArg& n) {
        std::vector<PrimRef> mins = all(n.mins);
        return context.Make(e->dtype(), RegionArg{n.buffer, std::move(mins), all(n.extents)});
      });
}

}  // namespace lathe::ir

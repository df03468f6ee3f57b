#include "generator/ir/canonical_order.h"

#include <bit>
#include <compare>
#include <cstdint>
#include <tuple>

#include "generator/ir/tir.h"

namespace lathe::ir {
namespace {

int Sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

template <typename T>
int CompareNumbers(T a, T b) {
  return Sign(a <=> b);
}

// An absent operand precedes any other.
int CompareOptional(PrimRef a, PrimRef b) {
  if (a == nullptr || b == nullptr) return CompareNumbers(a != nullptr, b != nullptr);
  return CompareCanonically(a, b);
}

int CompareLists(const std::vector<PrimRef>& a, const std::vector<PrimRef>& b) {
  if (a.size() != b.size()) return CompareNumbers(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (const int order = CompareOptional(a[i], b[i]); order != 0) return order;
  }
  return 0;
}

// Returns the first of `orders` that is not 0.
template <typename... Orders>
int First(Orders... orders) {
  int result = 0;
  ((result = result != 0 ? result : orders()), ...);
  return result;
}

int CompareBuffers(BufferRef a, BufferRef b) { return CompareNumbers(a->id, b->id); }

// Variables are the first kind.
size_t KindOf(PrimRef e) { return e->As<SymVar>() != nullptr ? 0 : e->node().index() + 1; }

int CompareNodes(const IntImm& a, const IntImm& b) { return CompareNumbers(a.value, b.value); }
int CompareNodes(const FloatImm& a, const FloatImm& b) {
  return CompareNumbers(std::bit_cast<uint64_t>(a.value), std::bit_cast<uint64_t>(b.value));
}
int CompareNodes(const StringImm& a, const StringImm& b) { return Sign(a.value <=> b.value); }
int CompareNodes(const SymVar& a, const SymVar& b) { return CompareNumbers(a.id, b.id); }
int CompareNodes(const Unary& a, const Unary& b) {
  return First([&] { return CompareNumbers(a.op, b.op); },
               [&] { return CompareCanonically(a.value, b.value); });
}
int CompareNodes(const Binary& a, const Binary& b) {
  return First([&] { return CompareNumbers(a.op, b.op); },
               [&] { return CompareCanonically(a.lhs, b.lhs); },
               [&] { return CompareCanonically(a.rhs, b.rhs); });
}
int CompareNodes(const Select& a, const Select& b) {
  return First([&] { return CompareCanonically(a.cond, b.cond); },
               [&] { return CompareCanonically(a.if_true, b.if_true); },
               [&] { return CompareCanonically(a.if_false, b.if_false); });
}
int CompareNodes(const Cast& a, const Cast& b) { return CompareCanonically(a.value, b.value); }
int CompareNodes(const Load& a, const Load& b) {
  return First([&] { return CompareBuffers(a.buffer, b.buffer); },
               [&] { return CompareLists(a.indices, b.indices); },
               [&] { return CompareOptional(a.predicate, b.predicate); });
}
int CompareNodes(const Ramp& a, const Ramp& b) {
  return First([&] { return CompareCanonically(a.base, b.base); },
               [&] { return CompareCanonically(a.stride, b.stride); });
}
int CompareNodes(const Broadcast& a, const Broadcast& b) {
  return CompareCanonically(a.value, b.value);
}
int CompareNodes(const Shuffle& a, const Shuffle& b) {
  return First([&] { return CompareLists(a.vectors, b.vectors); },
               [&] { return CompareLists(a.indices, b.indices); });
}
int CompareNodes(const Let& a, const Let& b) {
  return First([&] { return CompareCanonically(a.var, b.var); },
               [&] { return CompareCanonically(a.value, b.value); },
               [&] { return CompareCanonically(a.body, b.body); });
}
int CompareNodes(const Intrinsic& a, const Intrinsic& b) {
  return First([&] { return Sign(a.name <=> b.name); },
               [&] { return CompareLists(a.args, b.args); });
}
int CompareNodes(const CommReducer& a, const CommReducer& b) {
  return First([&] { return CompareLists(a.lhs, b.lhs); },
               [&] { return CompareLists(a.rhs, b.rhs); },
               [&] { return CompareLists(a.results, b.results); },
               [&] { return CompareLists(a.identities, b.identities); });
}
int CompareNodes(const RegionArg& a, const RegionArg& b) {
  return First([&] { return CompareBuffers(a.buffer, b.buffer); },
               [&] { return CompareLists(a.mins, b.mins); },
               [&] { return CompareLists(a.extents, b.extents); });
}

}  // namespace

int CompareCanonically(PrimRef a, PrimRef b) {
  if (a == b) return 0;
  if (a->depth() != b->depth()) return CompareNumbers(a->depth(), b->depth());
  if (const int order = CompareNumbers(KindOf(a), KindOf(b)); order != 0) return order;
  const DType s = a->dtype();
  const DType t = b->dtype();
  const auto of_types = std::tuple(s.code, s.bits, s.lanes) <=> std::tuple(t.code, t.bits, t.lanes);
  if (of_types != 0) return Sign(of_types);
  return Match(a->node(),
               [&]<typename T>(const T& node) { return CompareNodes(node, *b->As<T>()); });
}

}  // namespace lathe::ir

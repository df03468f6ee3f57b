#include "generator/ir/canonical_order.h"

#include <bit>
#include <compare>
#include <cstdint>
#include <string>
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
int CompareField(PrimRef a, PrimRef b) {
  if (a == nullptr || b == nullptr) return CompareNumbers(a != nullptr, b != nullptr);
  return CompareCanonically(a, b);
}
int CompareField(const std::vector<PrimRef>& a, const std::vector<PrimRef>& b) {
  if (a.size() != b.size()) return CompareNumbers(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (const int order = CompareField(a[i], b[i]); order != 0) return order;
  }
  return 0;
}
int CompareField(BufferRef a, BufferRef b) { return CompareNumbers(a->id, b->id); }
int CompareField(const std::string& a, const std::string& b) { return Sign(a <=> b); }
int CompareField(double a, double b) {
  return CompareNumbers(std::bit_cast<uint64_t>(a), std::bit_cast<uint64_t>(b));
}
int CompareField(int64_t a, int64_t b) { return CompareNumbers(a, b); }
int CompareField(int a, int b) { return CompareNumbers(a, b); }
int CompareField(UnaryOp a, UnaryOp b) { return CompareNumbers(a, b); }
int CompareField(BinaryOp a, BinaryOp b) { return CompareNumbers(a, b); }

// Compares by the first of `fields` that differs.
template <typename T, typename... Fields>
int By(const T& a, const T& b, Fields... fields) {
  int order = 0;
  ((order = order != 0 ? order : CompareField(a.*fields, b.*fields)), ...);
  return order;
}

// Variables are the first kind.
size_t KindOf(PrimRef e) { return e->As<SymVar>() != nullptr ? 0 : e->node().index() + 1; }

int Compare(const IntImm& a, const IntImm& b) { return By(a, b, &IntImm::value); }
int Compare(const FloatImm& a, const FloatImm& b) { return By(a, b, &FloatImm::value); }
int Compare(const StringImm& a, const StringImm& b) { return By(a, b, &StringImm::value); }
int Compare(const SymVar& a, const SymVar& b) { return By(a, b, &SymVar::id); }
int Compare(const Unary& a, const Unary& b) { return By(a, b, &Unary::op, &Unary::value); }
int Compare(const Binary& a, const Binary& b) {
  return By(a, b, &Binary::op, &Binary::lhs, &Binary::rhs);
}
int Compare(const Select& a, const Select& b) {
  return By(a, b, &Select::cond, &Select::if_true, &Select::if_false);
}
int Compare(const Cast& a, const Cast& b) { return By(a, b, &Cast::value); }
int Compare(const Load& a, const Load& b) {
  return By(a, b, &Load::buffer, &Load::indices, &Load::predicate);
}
int Compare(const Ramp& a, const Ramp& b) { return By(a, b, &Ramp::base, &Ramp::stride); }
int Compare(const Broadcast& a, const Broadcast& b) { return By(a, b, &Broadcast::value); }
int Compare(const Shuffle& a, const Shuffle& b) {
  return By(a, b, &Shuffle::vectors, &Shuffle::indices);
}
int Compare(const Let& a, const Let& b) { return By(a, b, &Let::var, &Let::value, &Let::body); }
int Compare(const Intrinsic& a, const Intrinsic& b) {
  return By(a, b, &Intrinsic::name, &Intrinsic::args);
}
int Compare(const CommReducer& a, const CommReducer& b) {
  return By(a, b, &CommReducer::lhs, &CommReducer::rhs, &CommReducer::results,
            &CommReducer::identities);
}
int Compare(const RegionArg& a, const RegionArg& b) {
  return By(a, b, &RegionArg::buffer, &RegionArg::mins, &RegionArg::extents);
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
  return Match(a->node(), [&]<typename T>(const T& node) { return Compare(node, *b->As<T>()); });
}

}  // namespace lathe::ir

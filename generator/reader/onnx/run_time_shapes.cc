#include "generator/reader/onnx/run_time_shapes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/run_time_values.h"

namespace lathe::onnx {
namespace {

// Returns the number of axes in input 1, which must be constant and at most `rank`.
absl::StatusOr<int64_t> CountAxes(NodeCall& n, int64_t rank) {
  const auto count = n.CountOf(n.In(1), rank);
  if (!n.status().ok()) return n.status();
  if (!count) return n.Unsupported() << "a dynamic number of axes is not supported";
  return *count;
}

// Checks that `all` is `some` with dimensions of 1 inserted at the `count` axes in kernel input 1.
void NeedInserted(NodeCall& n, Te& te, int64_t count, const Dims& all, const Dims& some) {
  ScalarMath& m = te.math();
  const int64_t rank = std::ssize(all);
  NeedAxes(n, te, 1, count, rank);
  PrimRef place = m.Int(0);  // in `some`
  for (int64_t a = 0; a < rank; ++a) {
    const PrimRef named = IsNamed(te, 1, count, a, rank);
    PrimRef size = m.Int(-1);
    for (size_t i = 0; i < some.size(); ++i) {
      size = m.Select(m.Eq(place, m.Int(static_cast<int64_t>(i))), some[i], size);
    }
    te.Need(m.Eq(all[static_cast<size_t>(a)], m.Select(named, m.Int(1), size)),
            absl::StrCat(n.op(), " needs axes that lead to the declared shape"));
    place = m.Add(place, m.Select(named, m.Int(0), m.Int(1)));
  }
  te.Need(m.Eq(place, m.Int(std::ssize(some))),
          absl::StrCat(n.op(), " needs axes that lead to the declared rank"));
}

}  // namespace

Operand ReshapeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared) {
  const Dims from = n.DimsOf(x);
  const bool allow_zero = n.Int("allowzero", 0) != 0;
  const Operand checked = Checked(n, x, {n.In(1)}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, n.LengthOf(te.Input(1)->shape), m.Int(std::ssize(declared)),
             "the length of the shape");
    PrimRef open = m.Int(0);
    for (size_t i = 0; i < declared.size(); ++i) {
      const PrimRef entry = Entry(te, 1, static_cast<int64_t>(i));
      const PrimRef left = m.Eq(entry, m.Int(-1));
      PrimRef fits = m.Or(m.Eq(entry, declared[i]), left);
      if (!allow_zero && i < from.size()) {
        const PrimRef kept = m.And(m.Eq(entry, m.Int(0)), m.Eq(from[i], declared[i]));
        fits = m.Or(fits, kept);
      }
      te.Need(fits, absl::StrCat("Reshape needs entry ", i, " of the shape to be ",
                                 ir::ToString(declared[i]), ", as the model declares"));
      open = m.Add(open, m.Select(left, m.Int(1), m.Int(0)));
    }
    te.Need(m.Le(open, m.Int(1)), "Reshape needs no more than one entry of -1");
  });
  return n.Reshape(checked, declared);
}

absl::StatusOr<Results> SqueezeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared) {
  const absl::StatusOr<int64_t> count = CountAxes(n, n.Rank(x));
  if (!count.ok()) return count.status();
  const Operand checked =
      Checked(n, x, {n.In(1)}, [&](Te& te) { NeedInserted(n, te, *count, n.DimsOf(x), declared); });
  return n.Reshape(checked, declared);
}

absl::StatusOr<Results> UnsqueezeAtRunTime(NodeCall& n, const Operand& x, const Dims& declared) {
  const absl::StatusOr<int64_t> count = CountAxes(n, std::ssize(declared));
  if (!count.ok()) return count.status();
  const Operand checked =
      Checked(n, x, {n.In(1)}, [&](Te& te) { NeedInserted(n, te, *count, declared, n.DimsOf(x)); });
  return n.Reshape(checked, declared);
}

absl::StatusOr<Results> ExpandAtRunTime(NodeCall& n, const Operand& x, const Dims& declared) {
  const Dims from = n.DimsOf(x);
  const auto count = n.Rank(n.In(1)) == 1 ? NodeCall::IntOf(n.DimsOf(n.In(1))[0]) : std::nullopt;
  const int64_t rank = std::ssize(declared);
  if (!count || std::max<int64_t>(*count, std::ssize(from)) != rank) {
    return n.Error() << "the declared rank of " << rank
                     << " does not match the shape and the input";
  }
  const Operand checked = Checked(n, x, {n.In(1)}, [&](Te& te) {
    ScalarMath& m = te.math();
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t own = i - (rank - std::ssize(from)), said = i - (rank - *count);
      const PrimRef have = own < 0 ? m.Int(1) : from[static_cast<size_t>(own)];
      const PrimRef wanted = said < 0 ? m.Int(1) : Entry(te, 1, said);
      const PrimRef one = m.Int(1), goal = declared[static_cast<size_t>(i)];
      const PrimRef fits = m.Or(m.Or(m.Eq(have, wanted), m.Eq(have, one)), m.Eq(wanted, one));
      const PrimRef together = m.Select(m.Eq(have, one), wanted, have);
      te.Need(m.And(fits, m.Eq(together, goal)),
              absl::StrCat("Expand needs a shape that makes dimension ", i, " ", ir::ToString(goal),
                           " long, as the model declares"));
    }
  });
  return n.BroadcastTo(checked, declared);
}

std::optional<Dims> FoundShape(NodeCall& n, const Dims& from) {
  const auto rank = EntriesOf(n, 1);
  if (!rank) return std::nullopt;
  const bool allow_zero = n.Int("allowzero", 0) != 0;
  return FoundDims(n, {n.In(1)}, *rank, [&](Te& te) {
    ScalarMath& m = te.math();
    Dims sizes;
    PrimRef others = m.Int(1);
    const auto entry = [&](size_t i) { return Entry(te, 0, static_cast<int64_t>(i)); };
    const auto is_open = [&](size_t i) { return m.Eq(entry(i), m.Int(-1)); };
    for (size_t i = 0; i < *rank; ++i) {
      PrimRef size = entry(i);
      if (!allow_zero && i < from.size()) size = m.Select(m.Eq(size, m.Int(0)), from[i], size);
      sizes.push_back(size);
      others = m.Mul(others, m.Select(is_open(i), m.Int(1), size));
    }
    const PrimRef left = m.FloorDiv(n.Product(from, 0, from.size()), m.Max(others, m.Int(1)));
    for (size_t i = 0; i < *rank; ++i) sizes[i] = m.Select(is_open(i), left, sizes[i]);
    return sizes;
  });
}

namespace {

// Removes the `count` axes in kernel input 0 from `from`.
Dims WithoutNamed(Te& te, int64_t count, const Dims& from) {
  ScalarMath& m = te.math();
  const int64_t rank = std::ssize(from);
  Dims sizes(from.size() - static_cast<size_t>(count), m.Int(-1));
  PrimRef place = m.Int(0);
  for (int64_t a = 0; a < rank; ++a) {
    const PrimRef named = IsNamed(te, 0, count, a, rank);
    for (size_t i = 0; i < sizes.size(); ++i) {
      const PrimRef here = m.Eq(place, m.Int(static_cast<int64_t>(i)));
      const PrimRef kept = m.And(m.Not(named), here);
      sizes[i] = m.Select(kept, from[static_cast<size_t>(a)], sizes[i]);
    }
    place = m.Add(place, m.Select(named, m.Int(0), m.Int(1)));
  }
  return sizes;
}

// Inserts sizes of 1 at the `count` axes in kernel input 0 into `from`.
Dims WithInserted(Te& te, int64_t count, const Dims& from) {
  ScalarMath& m = te.math();
  const int64_t rank = count + std::ssize(from);
  Dims sizes;
  PrimRef place = m.Int(0);
  for (int64_t a = 0; a < rank; ++a) {
    const PrimRef named = IsNamed(te, 0, count, a, rank);
    PrimRef size = m.Int(-1);
    for (size_t i = 0; i < from.size(); ++i) {
      size = m.Select(m.Eq(place, m.Int(static_cast<int64_t>(i))), from[i], size);
    }
    sizes.push_back(m.Select(named, m.Int(1), size));
    place = m.Add(place, m.Select(named, m.Int(0), m.Int(1)));
  }
  return sizes;
}

}  // namespace

std::optional<Dims> FoundSqueezed(NodeCall& n, const Dims& from) {
  const auto count = EntriesOf(n, 1);
  if (!count || *count > from.size()) return std::nullopt;
  return FoundDims(n, {n.In(1)}, from.size() - *count,
                   [&](Te& te) { return WithoutNamed(te, static_cast<int64_t>(*count), from); });
}

std::optional<Dims> FoundUnsqueezed(NodeCall& n, const Dims& from) {
  const auto count = EntriesOf(n, 1);
  if (!count) return std::nullopt;
  return FoundDims(n, {n.In(1)}, from.size() + *count,
                   [&](Te& te) { return WithInserted(te, static_cast<int64_t>(*count), from); });
}

std::optional<Dims> FoundExpanded(NodeCall& n, const Dims& from) {
  const auto count = EntriesOf(n, 1);
  if (!count) return std::nullopt;
  const size_t rank = std::max(*count, from.size());
  return FoundDims(n, {n.In(1)}, rank, [&](Te& te) {
    ScalarMath& m = te.math();
    Dims sizes;
    for (size_t i = 0; i < rank; ++i) {
      const PrimRef have = i + from.size() < rank ? m.Int(1) : from[i + from.size() - rank];
      const bool said = i + *count >= rank;
      const PrimRef wanted =
          said ? Entry(te, 0, static_cast<int64_t>(i + *count - rank)) : m.Int(1);
      sizes.push_back(m.Select(m.Eq(have, m.Int(1)), wanted, have));
    }
    return sizes;
  });
}

}  // namespace lathe::onnx

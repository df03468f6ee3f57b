#include "generator/reader/onnx/run_time_shapes.h"

#include "absl/strings/str_cat.h"
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

}  // namespace lathe::onnx

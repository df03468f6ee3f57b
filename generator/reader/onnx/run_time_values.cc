#include "generator/reader/onnx/run_time_values.h"

#include "absl/strings/str_cat.h"

namespace lathe::onnx {
namespace {

PrimRef Near(ScalarMath& m, PrimRef e) {
  if (e->dtype().bits <= 32 && !e->dtype().is_uint()) return m.Cast(e, DType::Int(64));
  return m.Max(m.Min(m.Cast(e, DType::Int(64)), m.Int(kFarthest)), m.Int(-kFarthest));
}

}  // namespace

PrimRef FirstOf(Te& te, int input) {
  return te.At(te.Input(input), Indices(te.Input(input)->shape.size(), te.math().Int(0)));
}

PrimRef Entry(Te& te, int input, int64_t k) {
  return Near(te.math(), te.At(te.Input(input), {te.math().Int(k)}));
}

PrimRef OnlyEntry(Te& te, int input) { return Near(te.math(), FirstOf(te, input)); }

void NeedSame(NodeCall& n, Te& te, PrimRef a, PrimRef b, absl::string_view what) {
  if (a == b) return;
  te.Need(te.math().Eq(a, b), absl::StrCat(n.op(), " needs ", what, " to be ", ir::ToString(b),
                                           ", and has ", ir::ToString(a)));
}

void NeedSameDims(NodeCall& n, Te& te, const Dims& a, const Dims& b, absl::string_view what) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    NeedSame(n, te, a[i], b[i], absl::StrCat("dimension ", i, " of ", what));
  }
}

void NeedBroadcastsTo(NodeCall& n, Te& te, const Dims& from, const Dims& to,
                      absl::string_view what) {
  RequireBroadcast(n.op(), te, from, to, what);
}

void NeedEntries(NodeCall& n, Te& te, int input, const Dims& dims, absl::string_view what) {
  NeedSame(n, te, n.LengthOf(te.Input(input)->shape), te.math().Int(std::ssize(dims)),
           absl::StrCat("the length of ", what));
  for (size_t i = 0; i < dims.size(); ++i) {
    NeedSame(n, te, Entry(te, input, static_cast<int64_t>(i)), dims[i],
             absl::StrCat("entry ", i, " of ", what));
  }
}

PrimRef IsNamed(Te& te, int input, int64_t count, int64_t a, int64_t rank) {
  ScalarMath& m = te.math();
  PrimRef found = m.ir().Bool(false);
  for (int64_t k = 0; k < count; ++k) {
    const PrimRef axis = Entry(te, input, k);
    const PrimRef one = m.Or(m.Eq(axis, m.Int(a)), m.Eq(axis, m.Int(a - rank)));
    found = k == 0 ? one : m.Or(found, one);
  }
  return found;
}

void NeedAxes(NodeCall& n, Te& te, int input, int64_t count, int64_t rank) {
  ScalarMath& m = te.math();
  for (int64_t k = 0; k < count; ++k) {
    te.Need(m.InRange(Entry(te, input, k), m.Int(-rank), m.Int(rank)),
            absl::StrCat(n.op(), " needs axes of a tensor of rank ", rank));
  }
}

Operand Checked(NodeCall& n, const Operand& x, const Operands& said,
                const std::function<void(Te&)>& needs) {
  Operands args = {x};
  args.insert(args.end(), said.begin(), said.end());
  return n.Kernel("checked", args, [&](Te& te) {
    needs(te);
    return te.Compute("out", n.DimsOf(x), n.TypeOf(x),
                      [&](const Indices& at) { return te.At(te.Input(0), at); });
  });
}

}  // namespace lathe::onnx

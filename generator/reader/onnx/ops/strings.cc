// Imports string operators. A tensor of strings is stored as rows of bytes, zero-padded to a
// constant width, its last dimension.
#include <algorithm>

#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

PrimRef Changed(ScalarMath& m, PrimRef byte, char first, char last, int by) {
  const PrimRef low = m.Const(first, kByte), high = m.Const(last, kByte);
  const PrimRef moved = by > 0 ? m.Add(byte, m.Const(by, kByte)) : m.Sub(byte, m.Const(-by, kByte));
  return m.Select(m.And(m.Le(low, byte), m.Le(byte, high)), moved, byte);
}
PrimRef Lower(ScalarMath& m, PrimRef byte) { return Changed(m, byte, 'A', 'Z', 32); }
PrimRef Upper(ScalarMath& m, PrimRef byte) { return Changed(m, byte, 'a', 'z', -32); }

Dims RowsOf(NodeCall& n, const Operand& x) {
  const Dims dims = n.DimsOf(x);
  return Dims(dims.begin(), dims.end() - 1);
}

// Requires at run time that the rows of both operands broadcast to `rows`.
void NeedBroadcastRows(NodeCall& n, Te& te, const Operand& a, const Operand& b, const Dims& rows) {
  NeedBroadcastsTo(n, te, RowsOf(n, a), rows, "the first tensor");
  NeedBroadcastsTo(n, te, RowsOf(n, b), rows, "the second tensor");
}

// Reads byte `i` of the string of input `k` at `row` of `rows`, to which its rows broadcast. It is
// 0 after the end of the string.
PrimRef BroadcastByte(Te& te, int k, Indices row, Dims rows, PrimRef i) {
  ScalarMath& m = te.math();
  const PrimRef width = te.Input(k)->shape.back();
  row.push_back(m.Max(m.Int(0), m.Min(i, m.Sub(width, m.Int(1)))));
  rows.push_back(width);
  return m.Select(m.InRange(i, m.Int(0), width), te.AtBroadcast(te.Input(k), row, rows),
                  m.Const(0, kByte));
}

ir::BufferRef Lengths(Te& te, ir::BufferRef x) {
  ScalarMath& m = te.math();
  const Dims rows(x->shape.begin(), x->shape.end() - 1);
  return te.Reduce("length", rows, {x->shape.back()}, te.Sum(kWhole),
                   [&](const Indices& at, const Indices& r) {
                     Indices place = at;
                     place.push_back(r[0]);
                     return m.Select(m.Ne(te.At(x, place), m.Const(0, kByte)), m.Int(1), m.Int(0));
                   });
}

}  // namespace

Operand StringTable(NodeCall& n, const std::vector<std::string>& strings,
                    std::vector<int64_t> shape) {
  size_t width = 1;
  for (const std::string& s : strings) width = std::max(width, s.size());
  std::vector<double> bytes;
  for (const std::string& s : strings) {
    for (size_t i = 0; i < width; ++i)
      bytes.push_back(i < s.size() ? static_cast<uint8_t>(s[i]) : 0);
  }
  shape.push_back(static_cast<int64_t>(width));
  return n.builder().Constant(kByte, shape, bytes);
}

Term AsStrings(Operand x) {
  Term term(std::move(x));
  term.format = kStringType;
  return term;
}

absl::StatusOr<Operand> StringsIn(NodeCall& n, int i) {
  Term& term = n.term(i);
  if (term.strings != nullptr) {
    const Strings& strings = *term.strings;
    if (interp::CountElements(strings.shape) != strings.values.size()) {
      return n.Error() << "input " << i << " has " << strings.values.size()
                       << " strings, but its dimensions specify another number";
    }
    return StringTable(n, strings.values, strings.shape);
  }
  if (term.format != kStringType)
    return n.Error() << "input " << i << " must be a tensor of strings";
  const Operand x = n.In(i);
  LATHE_RETURN_IF_ERROR(n.status());
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 1));
  return x;
}

PrimRef StringByte(Te& te, ir::BufferRef x, const Indices& row, PrimRef i) {
  ScalarMath& m = te.math();
  const size_t rank = x->shape.size() - 1;
  Indices at(row.end() - static_cast<std::ptrdiff_t>(rank), row.end());
  for (size_t d = 0; d < rank; ++d) {
    if (NodeCall::IntOf(x->shape[d]) == 1) at[d] = m.Int(0);
  }
  const PrimRef last = m.Sub(x->shape.back(), m.Int(1));
  at.push_back(m.Max(m.Int(0), m.Min(i, last)));
  return m.Select(m.InRange(i, m.Int(0), x->shape.back()), te.At(x, at), m.Const(0, kByte));
}

absl::StatusOr<Results> EqualStrings(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand a, StringsIn(n, 0));
  LATHE_ASSIGN_OR_RETURN(const Operand b, StringsIn(n, 1));
  const Dims rows = n.BroadcastDims(std::vector{RowsOf(n, a), RowsOf(n, b)});
  LATHE_RETURN_IF_ERROR(n.status());
  return n.Kernel("equal_strings", {a, b}, [&](Te& te) {
    NeedBroadcastRows(n, te, a, b, rows);
    const PrimRef width = n.Simplify(te.math().Max(n.DimsOf(a).back(), n.DimsOf(b).back()));
    return te.Reduce("out", rows, {width}, te.Prod(DType::Bool()),
                     [&](const Indices& at, const Indices& r) {
                       return te.math().Eq(BroadcastByte(te, 0, at, rows, r[0]),
                                           BroadcastByte(te, 1, at, rows, r[0]));
                     });
  });
}

absl::StatusOr<Results> ImportStringConcat(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand a, StringsIn(n, 0));
  LATHE_ASSIGN_OR_RETURN(const Operand b, StringsIn(n, 1));
  const Dims rows = n.BroadcastDims(std::vector{RowsOf(n, a), RowsOf(n, b)});
  LATHE_RETURN_IF_ERROR(n.status());
  Dims dims = rows;
  dims.push_back(n.Simplify(n.math().Add(n.DimsOf(a).back(), n.DimsOf(b).back())));
  return AsStrings(n.Kernel("concat_strings", {a, b}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedBroadcastRows(n, te, a, b, rows);
    ir::BufferRef lengths = Lengths(te, te.Input(0));
    return te.Compute("out", dims, kByte, [&](const Indices& at) {
      const Indices row(at.begin(), at.end() - 1);
      const PrimRef length = te.AtBroadcast(lengths, row, rows);
      const PrimRef rest = BroadcastByte(te, 1, row, rows, m.Sub(at.back(), length));
      return m.Select(m.Lt(at.back(), length), BroadcastByte(te, 0, row, rows, at.back()), rest);
    });
  }));
}

Operand FindStringRows(NodeCall& n, const Operand& wanted, const Operand& keys) {
  const Dims rows = RowsOf(n, wanted), count = RowsOf(n, keys);
  return n.Kernel("find_strings", {wanted, keys}, [&](Te& te) {
    ScalarMath& m = te.math();
    Dims pairs = rows;
    pairs.push_back(count[0]);
    const PrimRef width = n.Simplify(m.Max(n.DimsOf(wanted).back(), n.DimsOf(keys).back()));
    ir::BufferRef same = te.Reduce("same", pairs, {width}, te.Prod(DType::Bool()),
                                   [&](const Indices& at, const Indices& r) {
                                     const Indices row(at.begin(), at.end() - 1);
                                     return m.Eq(StringByte(te, te.Input(0), row, r[0]),
                                                 StringByte(te, te.Input(1), {at.back()}, r[0]));
                                   });
    return te.Reduce("place", rows, {pairs.back()}, te.Max(kWhole),
                     [&](const Indices& at, const Indices& r) {
                       Indices pair = at;
                       pair.push_back(r[0]);
                       return m.Select(te.At(same, pair), r[0], m.Int(-1));
                     });
  });
}

absl::StatusOr<Operand> FindStrings(NodeCall& n, const std::vector<std::string>& keys) {
  LATHE_ASSIGN_OR_RETURN(const Operand x, StringsIn(n, 0));
  return FindStringRows(n, x, StringTable(n, keys, {std::ssize(keys)}));
}

// Removes stop words and changes the case. The result has the declared length.
absl::StatusOr<Results> ImportStringNormalizer(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand x, StringsIn(n, 0));
  const Dims rows = RowsOf(n, x);
  const std::vector<std::string> stopped = n.StringList("stopwords");
  const auto declared = stopped.empty() ? rows : n.DeclaredDims(0);
  if (!declared || declared->size() != rows.size() || rows.empty() || rows.size() > 2) {
    return n.Unsupported()
           << "a dynamic number of words without a declared output shape is not supported";
  }
  const bool exact = n.Int("is_case_sensitive", 0) != 0;
  const std::string change = n.String("case_change_action", "NONE");
  Operands args = {x};
  if (!stopped.empty()) args.push_back(StringTable(n, stopped, {std::ssize(stopped)}));
  Dims dims = *declared;
  dims.push_back(n.DimsOf(x).back());
  return AsStrings(n.Kernel("normalize_strings", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef words = rows.back(), room = declared->back(), zero = m.Int(0);
    const auto row_of = [&](PrimRef word) {
      return rows.size() == 1 ? Indices{word} : Indices{zero, word};
    };
    ir::BufferRef which =
        te.Compute("which", {room}, kWhole, [&](const Indices&) { return m.Int(-1); });
    ir::BufferRef count = te.Allocate("count", {m.Int(1)}, kWhole);
    ir::BufferRef stops = te.Allocate("stops", {m.Int(1)}, DType::Bool());
    ir::BufferRef same = te.Allocate("same", {m.Int(1)}, DType::Bool());
    te.Run("start", {m.Int(1)},
           [&](ops::Statements& s, const Indices&) { s.Store(count, {zero}, zero); });
    te.Run("choose", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      s.For("word", words, [&](PrimRef word) {
        s.Store(stops, {zero}, m.ir().Bool(false));
        s.For("k", m.Int(std::ssize(stopped)), [&](PrimRef k) {
          if (te.inputs() == 1) return s.Store(stops, {zero}, m.ir().Bool(false));
          s.Store(same, {zero}, m.ir().Bool(true));
          const PrimRef width = n.Simplify(m.Max(dims.back(), te.Input(1)->shape.back()));
          s.For("i", width, [&](PrimRef i) {
            PrimRef a = StringByte(te, te.Input(0), row_of(word), i),
                    b = StringByte(te, te.Input(1), {k}, i);
            if (!exact) {
              a = Lower(m, a);
              b = Lower(m, b);
            }
            s.If(m.Ne(a, b), [&] { s.Store(same, {zero}, m.ir().Bool(false)); });
          });
          s.If(te.At(same, {zero}), [&] { s.Store(stops, {zero}, m.ir().Bool(true)); });
        });
        const PrimRef place = s.Let("place", te.At(count, {zero}));
        s.If(m.And(m.Not(te.At(stops, {zero})), m.Lt(place, room)),
             [&] { s.Store(which, {place}, word); });
        s.If(m.Not(te.At(stops, {zero})), [&] { s.Store(count, {zero}, m.Add(place, m.Int(1))); });
      });
      // The result for an empty list is one empty string.
      s.Need(m.Eq(m.Max(te.At(count, {zero}), m.Int(1)), room),
             "StringNormalizer needs as many words to stay as the model declares");
    });
    return te.Compute("out", dims, kByte, [&](const Indices& at) {
      const PrimRef word = te.At(which, {at[at.size() - 2]});
      PrimRef byte = StringByte(te, te.Input(0), row_of(m.Max(word, zero)), at.back());
      if (change == "LOWER") byte = Lower(m, byte);
      if (change == "UPPER") byte = Upper(m, byte);
      return m.Select(m.Le(zero, word), byte, m.Const(0, kByte));
    });
  }));
}

// Splits at a delimiter or at white space, into at most the declared number of parts.
absl::StatusOr<Results> ImportStringSplit(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand x, StringsIn(n, 0));
  const Dims rows = RowsOf(n, x);
  const std::string delimiter = n.String("delimiter", "");
  std::optional<Dims> declared = n.DeclaredDims(0);
  if (!declared && NodeCall::IntOf(n.Product(rows, 0, rows.size())) == 0) {
    declared = rows;
    declared->push_back(n.ir().Int(0));
  }
  if (!declared || declared->size() != rows.size() + 1) {
    return n.Unsupported()
           << "a dynamic number of parts without a declared output shape is not supported";
  }
  const PrimRef room = declared->back(), width = n.DimsOf(x).back();
  const bool limited = n.HasAttribute("maxsplit");
  const int64_t most = n.Int("maxsplit", 0);
  Dims dims = *declared;
  dims.push_back(width);
  const Operands made = n.Kernels("split_strings", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef text = te.Input(0), lengths = Lengths(te, text);
    ir::BufferRef begins =
        te.Compute("begins", *declared, kWhole, [&](const Indices&) { return m.Int(0); });
    ir::BufferRef ends =
        te.Compute("ends", *declared, kWhole, [&](const Indices&) { return m.Int(0); });
    ir::BufferRef count = te.Allocate("count", rows, kWhole);
    ir::BufferRef start = te.Allocate("part_start", rows, kWhole);
    ir::BufferRef until = te.Allocate("until", rows, kWhole);
    te.Run("split", rows, [&](ops::Statements& s, const Indices& row) {
      const bool spaces = delimiter.empty();
      s.Store(count, row, m.Int(0));
      s.Store(start, row, m.Int(spaces ? -1 : 0));
      s.Store(until, row, m.Int(0));
      const auto add = [&](PrimRef begin, PrimRef end) {
        const PrimRef k = s.Let("k", te.At(count, row));
        s.If(m.Lt(k, room), [&] {
          Indices part = row;
          part.push_back(k);
          s.Store(begins, part, begin);
          s.Store(ends, part, end);
        });
        s.Store(count, row, m.Add(k, m.Int(1)));
      };
      const PrimRef length = s.Let("size", te.At(lengths, row));
      const PrimRef more = limited ? m.Lt(te.At(count, row), m.Int(most)) : m.ir().Bool(true);
      s.For("p", m.Add(width, m.Int(1)), [&](PrimRef p) {
        if (!spaces) {
          const auto size = static_cast<int64_t>(delimiter.size());
          PrimRef here = m.And(m.Le(te.At(until, row), p), m.Le(m.Add(p, m.Int(size)), length));
          for (int64_t j = 0; j < size; ++j) {
            const PrimRef wanted =
                m.Const(static_cast<uint8_t>(delimiter[static_cast<size_t>(j)]), kByte);
            here = m.And(here, m.Eq(StringByte(te, text, row, m.Add(p, m.Int(j))), wanted));
          }
          s.If(m.And(here, more), [&] {
            add(te.At(start, row), p);
            s.Store(start, row, m.Add(p, m.Int(size)));
            s.Store(until, row, m.Add(p, m.Int(size)));
          });
          return;
        }
        const PrimRef byte = s.Let("byte", StringByte(te, text, row, p));
        const PrimRef control =
            m.And(m.Le(m.Const(9, kByte), byte), m.Le(byte, m.Const(13, kByte)));
        const PrimRef space = s.Let("space", m.Or(m.Or(control, m.Eq(byte, m.Const(32, kByte))),
                                                  m.Eq(byte, m.Const(0, kByte))));
        const PrimRef open = m.And(m.Le(te.At(until, row), p), m.Lt(te.At(start, row), m.Int(0)));
        s.If(m.And(m.Not(space), open), [&] {
          s.Store(start, row, p);
          // The last part contains the rest of the string.
          s.If(m.Not(more), [&] {
            add(p, length);
            s.Store(until, row, m.Add(width, m.Int(1)));
            s.Store(start, row, m.Int(-1));
          });
        });
        s.If(m.And(space, m.Le(m.Int(0), te.At(start, row))), [&] {
          add(te.At(start, row), p);
          s.Store(start, row, m.Int(-1));
        });
      });
      if (!spaces) add(te.At(start, row), length);
      s.Need(m.Le(te.At(count, row), room),
             "StringSplit needs no more parts of a string than the model declares");
    });
    ir::BufferRef longest =
        te.Reduce("longest", {m.Int(1)}, rows, te.Max(kWhole),
                  [&](const Indices&, const Indices& r) { return te.At(count, r); });
    ir::BufferRef most_parts = te.Allocate("most_parts", {m.Int(1)}, kWhole);
    te.Run("check", {m.Int(1)}, [&](ops::Statements& s, const Indices& at) {
      s.Store(most_parts, at, te.At(longest, at));
      s.Need(m.Eq(m.Max(te.At(most_parts, at), m.Int(0)), room),
             "StringSplit needs as many parts as the model declares");
    });
    ir::BufferRef parts = te.Compute("parts", dims, kByte, [&](const Indices& at) {
      const Indices row(at.begin(), at.end() - 2), part(at.begin(), at.end() - 1);
      const PrimRef place = m.Add(te.At(begins, part), at.back());
      return m.Select(m.Lt(place, te.At(ends, part)), StringByte(te, text, row, place),
                      m.Const(0, kByte));
    });
    ir::BufferRef counts =
        te.Compute("counts", rows, kWhole, [&](const Indices& at) { return te.At(count, at); });
    return std::vector{parts, counts};
  });
  return std::vector<Term>{AsStrings(made[0]), Term(made[1])};
}

}  // namespace lathe::onnx

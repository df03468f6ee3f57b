// Imports com.microsoft's operators that are operators of ai.onnx in another form: without an
// argument, with channels last, or of quantized operands.
#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/small_formats.h"
#include "generator/support/status.h"

namespace lathe::onnx {

absl::StatusOr<Results> ImportGatherND(NodeCall& n);
absl::StatusOr<Results> ImportMicrosoftAttention(NodeCall& n);
absl::StatusOr<Results> ImportPad(NodeCall& n);
absl::StatusOr<Results> ImportPool(NodeCall& n);
absl::StatusOr<Results> ImportQLinearAveragePool(NodeCall& n);
absl::StatusOr<Results> ImportQLinearConv(NodeCall& n);
absl::StatusOr<Results> ImportRange(NodeCall& n);
absl::StatusOr<Results> ImportTrilu(NodeCall& n);
absl::StatusOr<Results> ImportUnique(NodeCall& n);

namespace {

using Importer = absl::StatusOr<Results> (*)(NodeCall&);

// A version of ai.onnx that has the forms with inputs in place of attributes.
constexpr int64_t kStandardVersion = 19;

// Imports the node as `op` of ai.onnx, with the inputs `terms`, which need not have names.
absl::StatusOr<Results> ImportAs(NodeCall& n, Importer importer, const std::string& op,
                                 const std::vector<Term>& terms) {
  Node node = n.node();
  node.op = op;
  node.domain.clear();
  node.inputs.clear();
  for (const Term& t : terms) node.inputs.push_back(t.operand || t.elements ? "x" : "");
  NodeCall real(n.import(), n.scope(), node, terms, kStandardVersion);
  LATHE_ASSIGN_OR_RETURN(Results results, importer(real));
  LATHE_RETURN_IF_ERROR(real.status());
  return results;
}

std::vector<Term> TermsOf(NodeCall& n) {
  std::vector<Term> terms;
  for (int i = 0; i < n.inputs(); ++i) terms.push_back(n.Has(i) ? n.term(i) : Term());
  return terms;
}

// Imports a node whose first input and result have the channels last.
absl::StatusOr<Results> ImportChannelsLast(NodeCall& n, Importer importer, const std::string& op) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 3));
  std::vector<int> first(static_cast<size_t>(n.Rank(x)));
  std::iota(first.begin(), first.end(), 0);
  std::vector<int> last = first;
  std::rotate(first.begin() + 1, first.end() - 1, first.end());
  std::rotate(last.begin() + 1, last.begin() + 2, last.end());
  std::vector<Term> terms = TermsOf(n);
  terms[0] = Term(n.Transposed(x, first));
  LATHE_ASSIGN_OR_RETURN(Results results, ImportAs(n, importer, op, terms));
  return n.Transposed(*results.terms[0].operand, last);
}

}  // namespace

absl::StatusOr<Results> ImportMicrosoftGatherND(NodeCall& n) {
  return ImportAs(n, ImportGatherND, "GatherND", TermsOf(n));
}

absl::StatusOr<Results> ImportMicrosoftPad(NodeCall& n) {
  return ImportAs(n, ImportPad, "Pad", TermsOf(n));
}

absl::StatusOr<Results> ImportMicrosoftTrilu(NodeCall& n) {
  return ImportAs(n, ImportTrilu, "Trilu", TermsOf(n));
}

// The step is 1 by default.
absl::StatusOr<Results> ImportMicrosoftRange(NodeCall& n) {
  std::vector<Term> terms = TermsOf(n);
  if (!n.Has(2)) {
    const DType dtype = n.TypeOf(n.In(0));
    terms.resize(2);
    terms.emplace_back(n.Number(1, dtype));
  }
  return ImportAs(n, ImportRange, "Range", terms);
}

absl::StatusOr<Results> ImportNhwcMaxPool(NodeCall& n) {
  return ImportChannelsLast(n, ImportPool, "MaxPool");
}

absl::StatusOr<Results> ImportMicrosoftQLinearConv(NodeCall& n) {
  if (n.Int("channels_last", 0) != 0)
    return ImportChannelsLast(n, ImportQLinearConv, "QLinearConv");
  return ImportAs(n, ImportQLinearConv, "QLinearConv", TermsOf(n));
}

absl::StatusOr<Results> ImportQLinearPool(NodeCall& n) {
  if (n.Int("channels_last", 0) == 0) return ImportQLinearAveragePool(n);
  return ImportChannelsLast(n, ImportQLinearAveragePool, "AveragePool");
}

// The axis is a scalar, and may be that of a new last dimension.
absl::StatusOr<Results> ImportExpandDims(NodeCall& n) {
  const Operand x = n.In(0);
  const auto given = n.ConstantInts(1);
  if (!given || given->size() != 1) {
    return n.Unsupported() << "an axis that is not constant is not supported";
  }
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis((*given)[0], n.Rank(x) + 1));
  Dims dims = n.DimsOf(x);
  dims.insert(dims.begin() + axis, n.ir().Int(1));
  return n.Reshape(x, dims);
}

// Results: the distinct elements as they come, the place of each element among them, the counts.
absl::StatusOr<Results> ImportMicrosoftUnique(NodeCall& n) {
  Node node = n.node();
  node.op = "Unique";
  node.domain.clear();
  Attribute unsorted;
  unsorted.name = "sorted";
  unsorted.type = AttributeType::kInt;
  unsorted.i = 0;
  node.attributes.push_back(unsorted);
  node.outputs.resize(3);
  node.outputs.insert(node.outputs.begin() + 1, "");
  NodeCall real(n.import(), n.scope(), node, TermsOf(n), kStandardVersion);
  LATHE_ASSIGN_OR_RETURN(Results results, ImportUnique(real));
  LATHE_RETURN_IF_ERROR(real.status());
  results.terms.erase(results.terms.begin() + 1);
  return results;
}

// Inputs: input, weight, bias, their scales, mask_index, their zero points, past.
absl::StatusOr<Results> ImportQAttention(NodeCall& n) {
  const auto real = [&](int data, int scale, int zero) {
    const Operand x = n.In(data);
    const auto parameter = [&](const Operand& v) {
      const bool single = n.Rank(v) == 1 && NodeCall::IntOf(n.DimsOf(v)[0]) == 1;
      return single ? n.Reshape(v, {}) : v;
    };
    const Operand offset = n.Has(zero) ? parameter(n.In(zero)) : n.Number(0, n.TypeOf(x));
    return n.Op("relax.dequantize", {x, parameter(n.In(scale)), offset}, {{"axis", int64_t{-1}}});
  };
  const Operand x = real(0, 3, 6), weight = real(1, 4, 7);
  LATHE_RETURN_IF_ERROR(n.status());
  const auto term = [&](int i) { return n.Has(i) ? n.term(i) : Term(); };
  return ImportAs(n, ImportMicrosoftAttention, "Attention",
                  {Term(x), Term(weight), term(2), term(5), term(8)});
}

// Returns the distance, or its square, of each row of the first input from each of the second.
absl::StatusOr<Results> ImportCDist(NodeCall& n) {
  const std::string metric = n.String("metric", "sqeuclidean");
  if (metric != "euclidean" && metric != "sqeuclidean") {
    return n.Unsupported() << "unsupported metric '" << metric
                           << "'; supported: euclidean and sqeuclidean";
  }
  const Operand a = n.In(0), b = n.In(1);
  LATHE_RETURN_IF_ERROR(n.status());
  if (n.Rank(a) != 2 || n.Rank(b) != 2) return n.Error() << "both inputs must have rank 2";
  const Dims rows = n.DimsOf(a), others = n.DimsOf(b);
  return n.Kernel("distances", {a, b}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, rows[1], others[1], "rows of one length");
    const Dims dims = {rows[0], others[0]};
    ir::BufferRef squares = te.Reduce(
        "squares", dims, {rows[1]}, te.Sum(n.TypeOf(a)), [&](const Indices& at, const Indices& k) {
          const PrimRef off =
              m.Sub(te.At(te.Input(0), {at[0], k[0]}), te.At(te.Input(1), {at[1], k[0]}));
          return m.Mul(off, off);
        });
    if (metric == "sqeuclidean") return squares;
    return te.Compute("out", dims, n.TypeOf(a),
                      [&](const Indices& at) { return m.Call("sqrt", {te.At(squares, at)}); });
  });
}

// Gathers rows of a table that is quantized in blocks of its last axis, with `bits` per element,
// lowest bits first. Inputs: data, indices, scales, zero points.
absl::StatusOr<Results> ImportGatherBlockQuantized(NodeCall& n) {
  const Operand data = n.In(0), indices = n.In(1), scales = n.In(2);
  LATHE_RETURN_IF_ERROR(n.status());
  // int4 and uint4 are stored as bytes.
  const int own_bits = SmallFormatBits(n.term(0).format);
  const bool packed = own_bits == 0;
  const int64_t bits = packed ? n.Int("bits", 4) : 8, block = n.Int("block_size", 128);
  if (bits != 4 && bits != 8) {
    return n.Unsupported() << bits << " bits are not supported; supported: 4 and 8";
  }
  const Dims from = n.DimsOf(data), by = n.DimsOf(scales), where = n.DimsOf(indices);
  const int rank = n.Rank(data);
  if (rank < 2 || by.size() != from.size()) {
    return n.Error() << "the data must have rank 2 at least, and the scales its rank";
  }
  if (block < 1) return n.Error() << "'block_size' is out of range: " << block;
  LATHE_ASSIGN_OR_RETURN(const int gathered, n.Axis(n.Int("gather_axis", 0), rank));
  LATHE_ASSIGN_OR_RETURN(const int blocked, n.Axis(n.Int("quantize_axis", 1), rank));
  if (gathered != 0 || blocked != rank - 1) {
    return n.Unsupported() << "only rows of data in blocks along the last axis are supported";
  }
  const int64_t each = 8 / bits;
  Dims dims = where;
  dims.insert(dims.end(), from.begin() + 1, from.end());
  dims.back() = n.Simplify(n.math().Mul(dims.back(), n.ir().Int(each)));
  Operands args = {data, indices, scales};
  if (n.Has(3)) args.push_back(n.In(3));
  const DType dtype = n.TypeOf(scales);
  return n.Kernel("rows_of_blocks", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType wide = DType::Int(32);
    const PrimRef width = dims.back();
    Dims blocks(from.begin(), from.end() - 1);
    blocks.push_back(m.FloorDiv(m.Add(width, m.Int(block - 1)), m.Int(block)));
    NeedSameDims(n, te, by, blocks, "a scale for each block");
    if (n.Has(3)) {
      blocks.back() = m.FloorDiv(m.Add(blocks.back(), m.Int(each - 1)), m.Int(each));
      NeedSameDims(n, te, te.Input(3)->shape, blocks, "a zero point for each block");
    }
    // Returns element `at` of bytes that hold several each.
    const auto piece = [&](int input, Indices at) {
      const PrimRef within = m.FloorMod(at.back(), m.Int(each));
      at.back() = m.FloorDiv(at.back(), m.Int(each));
      const PrimRef byte = m.Cast(te.At(te.Input(input), at), wide);
      if (each == 1) return byte;
      const PrimRef by_bits = m.Mul(m.Cast(within, wide), m.ir().Int(bits, wide));
      return m.Binary(ir::BinaryOp::kBitAnd, m.Binary(ir::BinaryOp::kShr, byte, by_bits),
                      m.ir().Int((1 << bits) - 1, wide));
    };
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const auto split = at.begin() + std::ssize(where);
      const PrimRef row = te.At(te.Input(1), Indices(at.begin(), split));
      const PrimRef index = m.Cast(row, DType::Int(64));
      Indices place = {m.Select(m.Lt(index, m.Int(0)), m.Add(index, from[0]), index)};
      place.insert(place.end(), split, at.end());
      Indices group = place;
      group.back() = m.FloorDiv(place.back(), m.Int(block));
      const PrimRef zero =
          n.Has(3) ? piece(3, group) : m.ir().Int(packed ? int64_t{1} << (bits - 1) : 0, wide);
      return m.Mul(m.Cast(m.Sub(piece(0, place), zero), dtype), te.At(te.Input(2), group));
    });
  });
}

}  // namespace lathe::onnx

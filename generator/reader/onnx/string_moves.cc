#include "generator/reader/onnx/string_moves.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generator/reader/onnx/fold_shape_ops.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr const char* kMovers[] = {"ArrayFeatureExtractor",
                                   "Compress",
                                   "Concat",
                                   "DepthToSpace",
                                   "Expand",
                                   "Flatten",
                                   "Gather",
                                   "GatherElements",
                                   "GatherND",
                                   "OneHot",
                                   "Pad",
                                   "Reshape",
                                   "ReverseSequence",
                                   "Scatter",
                                   "ScatterElements",
                                   "ScatterND",
                                   "Shape",
                                   "Size",
                                   "Slice",
                                   "SpaceToDepth",
                                   "Split",
                                   "Squeeze",
                                   "Tile",
                                   "Transpose",
                                   "Unsqueeze",
                                   "Where"};

bool IsStrings(const Term& term) { return term.format == kStringType || term.strings != nullptr; }

// The strings of all inputs as one list of rows of bytes.
struct JoinedStrings {
  Operands tables;              // one per input of strings: its dimensions and the width
  std::vector<PrimRef> starts;  // index of the first string of each
  PrimRef width = nullptr;
};

// The indices of the strings of `table` in the list.
Operand IndicesOf(NodeCall& n, const Operand& table, PrimRef start) {
  Dims dims = n.DimsOf(table);
  dims.pop_back();
  return n.Kernel("string_indices", {table}, [&](Te& te) {
    return te.Compute("out", dims, kWhole, [&](const Indices& at) {
      ScalarMath& m = te.math();
      return m.Add(m.Cast(m.Flatten(at, dims), kWhole), start);
    });
  });
}

Term Gathered(NodeCall& n, const JoinedStrings& joined, const Operand& indices) {
  Dims dims = n.DimsOf(indices);
  dims.push_back(joined.width);
  Operands args = joined.tables;
  args.push_back(indices);
  const int last = static_cast<int>(joined.tables.size());
  return AsStrings(n.Kernel("gather_strings", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, kByte, [&](const Indices& at) {
      const Indices row(at.begin(), at.end() - 1);
      const PrimRef index = te.At(te.Input(last), row);
      PrimRef byte = m.Const(0, kByte);
      for (int k = 0; k < last; ++k) {
        const ir::BufferRef table = te.Input(k);
        const Dims from(table->shape.begin(), table->shape.end() - 1);
        const PrimRef start = joined.starts[static_cast<size_t>(k)];
        const PrimRef place = m.Sub(index, start), count = n.Product(from, 0, from.size());
        Indices source = m.Unflatten(place, from);
        source.push_back(at.back());
        const PrimRef inside =
            m.And(m.InRange(place, m.Int(0), count), m.Lt(at.back(), table->shape.back()));
        byte = m.IfThenElse(inside, te.At(table, source), byte);
      }
      return byte;
    });
  }));
}

}  // namespace

bool MovesElements(const std::string& op) { return absl::c_linear_search(kMovers, op); }

bool MovesStrings(NodeCall& n) {
  if (!MovesElements(n.op())) return false;
  for (int i = 0; i < n.inputs(); ++i) {
    if (n.Has(i) && IsStrings(n.term(i))) return true;
  }
  return false;
}

absl::StatusOr<Results> ImportStringMove(NodeCall& n, const OpRow& row) {
  const std::string reduction = n.String("reduction", "none");
  if (reduction != "none") {
    return n.Unsupported() << "reduction '" << reduction << "' of strings is not supported";
  }
  ScalarMath& m = n.math();
  JoinedStrings joined;
  std::vector<Term> inputs;
  PrimRef next = m.Int(0);
  for (int i = 0; i < n.inputs(); ++i) {
    inputs.push_back(n.Has(i) ? n.term(i) : Term());
    if (!n.Has(i) || !IsStrings(n.term(i))) continue;
    LATHE_ASSIGN_OR_RETURN(const Operand table, StringsIn(n, i));
    const Dims dims = n.DimsOf(table);
    joined.tables.push_back(table);
    joined.starts.push_back(next);
    joined.width =
        joined.width == nullptr ? dims.back() : n.Simplify(m.Max(joined.width, dims.back()));
    inputs.back() = Term(IndicesOf(n, table, next));
    next = n.Simplify(m.Add(next, n.Product(dims, 0, dims.size() - 1)));
  }
  Node node = n.node();
  if (n.op() == "Pad" && !n.Has(2)) {
    // The padding is empty strings, which have no index.
    node.inputs.resize(std::max<size_t>(node.inputs.size(), 3));
    node.inputs[2] = "no string";
    inputs.resize(node.inputs.size());
    inputs[2] = Term(n.Number(-1, kWhole));
  }
  NodeCall moved(n.import(), n.scope(), node, inputs, n.opset());
  const std::optional<Results> folded = FoldShapeOps(moved);
  absl::StatusOr<Results> results = folded ? absl::StatusOr<Results>(*folded) : row.import(moved);
  LATHE_RETURN_IF_ERROR(moved.status());
  if (!results.ok() || n.op() == "Shape" || n.op() == "Size") return results;
  for (Term& term : results->terms) {
    if (term.sequence != nullptr)
      return n.Unsupported() << "sequences of strings are not supported";
    if (term.operand || term.elements) {
      term = Gathered(n, joined, Materialize(n.import(), term));
    }
  }
  return results;
}

}  // namespace lathe::onnx

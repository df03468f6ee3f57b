#include "generator/reader/tflite/ops/block_weights.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/interp/data/constant_elements.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/hybrid.h"
#include "generator/reader/tflite/ops/sums.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr int kFullyConnected = 9, kEmbeddingLookup = 7;
constexpr int kWeights = 1;

// Weights of `rows` rows with `blocks` blocks of `size` integers each.
struct BlockWeights {
  int64_t rows = 0, blocks = 0, size = 0;
  std::vector<double> scales;
};

absl::StatusOr<BlockWeights> BlockWeightsOf(OpCall& c) {
  const Tensor& weight = c.In(kWeights);
  const Quantization& q = weight.quantization;
  if (weight.type != kInt8 && weight.type != kInt4 && weight.type != kInt2) {
    return c.Unsupported() << "blocks of " << TypeName(weight.type)
                           << "; int8, int4 and int2 are supported";
  }
  BlockWeights w;
  w.size = q.block_size;
  if (weight.shape.size() != 2 || w.size < 1 || weight.shape[1] % w.size != 0) {
    return c.Error() << "blocks of " << w.size << " elements do not fill the rows of '"
                     << weight.name << "'";
  }
  w.rows = weight.shape[0];
  w.blocks = weight.shape[1] / w.size;
  const Subgraph& graph = c.graph().subgraph();
  if (q.block_scales < 0 || q.block_scales >= std::ssize(graph.tensors)) {
    return c.Error() << "the scales of '" << weight.name << "' are tensor " << q.block_scales
                     << " of " << graph.tensors.size();
  }
  const Tensor& scales = graph.tensors[static_cast<size_t>(q.block_scales)];
  if (scales.type != kFloat16) {
    return c.Unsupported() << "scales of blocks in " << TypeName(scales.type)
                           << "; float16 is supported";
  }
  LATHE_ASSIGN_OR_RETURN(const Operand held, c.graph().ValueOf(q.block_scales, c.loc()));
  const auto* constant = held.As<ir::ConstantId>();
  if (constant == nullptr) {
    return c.Unsupported() << "scales of blocks that are not known at compile time";
  }
  w.scales = interp::NumbersOfConstant(c.builder().ConstantAt(*constant));
  if (std::ssize(w.scales) != w.rows * w.blocks) {
    return c.Error() << "'" << weight.name << "' has " << w.scales.size() << " scales for "
                     << w.rows * w.blocks << " blocks";
  }
  return w;
}

// For each row, the sum of its weights as real numbers, in the order and the precision of LiteRT.
std::vector<double> RowSums(const BlockWeights& w, const std::vector<double>& integers_of_all) {
  std::vector<double> sums;
  size_t at = 0, block = 0;
  for (int64_t row = 0; row < w.rows; ++row) {
    float sum = 0;
    for (int64_t b = 0; b < w.blocks; ++b, ++block) {
      float integers = 0;
      for (int64_t k = 0; k < w.size; ++k, ++at)
        integers += static_cast<float>(integers_of_all[at]);
      const float real = static_cast<float>(w.scales[block]) * integers;
      sum += real;
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

bool HasBlockWeights(const Operator& op, int32_t index, const Tensor& tensor) {
  return tensor.quantization.details == Quantization::kBlocks &&
         (op.code == kFullyConnected || op.code == kEmbeddingLookup) &&
         op.inputs.size() > kWeights && op.inputs[kWeights] == index &&
         std::count(op.inputs.begin(), op.inputs.end(), index) == 1;
}

absl::StatusOr<Results> BlockProduct(OpCall& c, const Operand& data) {
  if (c.In(0).type != kFloat32 || c.Out().type != kFloat32) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type)
                           << " data with weights in blocks; float32 is supported";
  }
  LATHE_ASSIGN_OR_RETURN(const BlockWeights w, BlockWeightsOf(c));
  const std::optional<std::vector<double>> integers = c.ConstantNumbers(kWeights);
  if (!integers) {
    return c.Unsupported() << "weights in blocks that are not known at compile time";
  }
  constexpr int kBias = 2;
  if (c.Has(kBias) &&
      (c.In(kBias).type != kFloat32 || c.In(kBias).shape != std::vector<int64_t>{w.rows})) {
    return c.Error() << "the bias must have " << w.rows << " numbers of float32";
  }
  const HybridRows rows = AsymmetricRows(c, data);
  const Operand scales = c.builder().Constant(kReal, {w.rows, w.blocks}, w.scales);
  const Operand sums = c.builder().Constant(kReal, {w.rows}, RowSums(w, *integers));
  const Dims dims = {c.DimsOf(data)[0], c.ir().Int(w.rows)};
  LATHE_RETURN_IF_ERROR(c.status());
  enum Input { kRows, kRowScale, kRowZero, kInteger, kBlockScale, kSum };
  const Operands args = {rows.integers, rows.scale, *rows.zero, c.Arg(kWeights), scales, sums};
  const Operand made = c.Kernel("block_products", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef sum = te.Allocate("sum", {}, kWhole);
    const BufferRef total = te.Allocate("total", {}, kReal);
    const BufferRef out = te.Allocate("out", dims, kReal);
    te.Run("each", dims, [&](ops::Statements& s, const Indices& at) {
      const auto integer = [&](Input input, const Indices& place) {
        return m.Cast(te.At(te.Input(input), place), kWhole);
      };
      s.Store(total, {}, m.Const(0, kReal));
      s.For("block", m.Int(w.blocks), [&](PrimRef block) {
        s.Store(sum, {}, m.Const(0, kWhole));
        s.For("k", m.Int(w.size), [&](PrimRef k) {
          const PrimRef place = m.Add(m.Mul(block, m.Int(w.size)), k);
          const PrimRef product =
              m.Mul(integer(kRows, {at[0], place}), integer(kInteger, {at[1], place}));
          s.Store(sum, {}, m.Add(te.At(sum, {}), product));
        });
        const PrimRef scaled =
            m.Mul(m.Cast(te.At(sum, {}), kReal), te.At(te.Input(kBlockScale), {at[1], block}));
        s.Store(total, {}, m.Add(te.At(total, {}), scaled));
      });
      const PrimRef zero = m.Cast(te.At(te.Input(kRowZero), {at[0]}), kReal);
      const PrimRef moved = m.Sub(te.At(total, {}), m.Mul(zero, te.At(te.Input(kSum), {at[1]})));
      s.Store(out, at, m.Mul(moved, te.At(te.Input(kRowScale), {at[0]})));
    });
    return out;
  });
  return WithBias(c, made, kBias);
}

absl::StatusOr<Results> BlockRows(OpCall& c) {
  const DType to = c.OutType();
  if (!to.is_floating()) {
    return c.Unsupported() << "a table in blocks with a result of " << TypeName(c.Out().type);
  }
  LATHE_ASSIGN_OR_RETURN(const BlockWeights w, BlockWeightsOf(c));
  const Operand scales = c.builder().Constant(kReal, {w.rows, w.blocks}, w.scales);
  const auto chosen = [&](const Operand& rows) {
    return c.Op("relax.take", {rows, c.Arg(0)}, {{"axis", 0}});
  };
  const Operand rows = chosen(c.Arg(kWeights)), by = chosen(scales);
  return c.Kernel("block_rows", {rows, by}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(rows), to, [&](const Indices& at) {
      const PrimRef integer = m.Cast(te.At(te.Input(0), at), kReal);
      const PrimRef scale = te.At(te.Input(1), {at[0], m.FloorDiv(at[1], m.Int(w.size))});
      return m.Cast(m.Mul(integer, scale), to);
    });
  });
}

}  // namespace lathe::tflite

// Imports RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL and STABLEHLO_RNG_BIT_GENERATOR. The
// first three count the blocks of numbers that they have drawn, as a state.
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/counter_generators.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/operator_states.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ir::BinaryOp;
using ops::Statements;

constexpr int64_t kPerBlock = 4;
const DType kCounter = DType::UInt(64);
const DType kPrecise = DType::Float(64);

// LiteRT keeps 32 bits of a seed, with its sign.
int64_t SeedOf(const OpCall& c, const char* name) { return static_cast<int32_t>(c.Int(name)); }

// The state of an operator without a result is missing too.
absl::Status RequireSeeds(OpCall& c) {
  c.Out();
  LATHE_RETURN_IF_ERROR(c.status());
  if (SeedOf(c, "seed") != 0 || SeedOf(c, "seed2") != 0) return absl::OkStatus();
  return c.Unsupported() << c.op()
                         << " without seeds, whose numbers differ from run to run; give it a seed "
                            "whose low 32 bits are not 0";
}

Operand& DrawnBlocks(OpCall& c) {
  return c.graph().model().variables[c.graph().OperatorKey(c.node(), kCountPart)];
}

// The words of block `block` after `drawn` blocks.
std::array<PrimRef, 4> WordsOf(OpCall& c, Statements& s, ScalarMath& m, PrimRef drawn,
                               PrimRef block) {
  const auto halves = [&](const char* seed) {
    const auto bits = static_cast<uint64_t>(SeedOf(c, seed));
    return std::array<PrimRef, 2>{RandomWord(m, static_cast<uint32_t>(bits)),
                                  RandomWord(m, static_cast<uint32_t>(bits >> 32))};
  };
  const PrimRef place = s.Let("place", m.Add(drawn, m.Cast(block, kCounter)));
  const std::array<PrimRef, 2> key = halves("seed"), stream = halves("seed2");
  return Philox(s, m, key, {LowWord(m, place), HighWord(m, place), stream[0], stream[1]});
}

// [0, 1) by the low 23 bits.
PrimRef UnitReal(ScalarMath& m, PrimRef word) {
  constexpr int kBits = 23;
  const PrimRef low = m.Binary(BinaryOp::kBitAnd, word, RandomWord(m, (1U << kBits) - 1));
  return m.Mul(m.Cast(low, kReal), m.Const(std::ldexp(1.0, -kBits), kReal));
}

// [0, 1) by 20 bits of one word and all of the next.
PrimRef UnitDouble(ScalarMath& m, PrimRef high, PrimRef low) {
  const PrimRef top = m.Cast(m.Binary(BinaryOp::kBitAnd, high, RandomWord(m, 0xFFFFF)), kCounter);
  const PrimRef bits =
      m.Binary(BinaryOp::kBitOr, m.Binary(BinaryOp::kShl, top, m.ir().Int(32, kCounter)),
               m.Cast(low, kCounter));
  return m.Mul(m.Cast(bits, kPrecise), m.Const(std::ldexp(1.0, -52), kPrecise));
}

// Two normal numbers by the transform of Box and Muller: sine and cosine of one angle.
std::array<PrimRef, 2> NormalPair(Statements& s, ScalarMath& m, PrimRef first, PrimRef second) {
  const PrimRef unit = m.Max(UnitReal(m, first), m.Const(1e-7, kReal));
  const PrimRef log = m.Mul(m.Const(-2, kReal), m.Call("log", {unit}));
  const PrimRef radius = s.Let("radius", m.Call("sqrt", {log}));
  const PrimRef turn = m.Mul(m.Const(2 * M_PI, kPrecise), m.Cast(UnitReal(m, second), kPrecise));
  const PrimRef angle = s.Let("angle", m.Cast(turn, kReal));
  return {m.Mul(m.Call("sin", {angle}), radius), m.Mul(m.Call("cos", {angle}), radius)};
}

// Float numbers in the shape of the result, four from each block.
absl::StatusOr<Results> RandomReals(OpCall& c, bool normal) {
  LATHE_RETURN_IF_ERROR(RequireSeeds(c));
  if (c.Out().type != kFloat32) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.Out().type)
                           << "; float32 is supported";
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> shape, c.NeedInts(0, "the shape"));
  if (shape != c.Out().shape)
    return c.Error() << "its result does not have the shape that input 0 declares";
  const int64_t count = ElementCount(shape), blocks = (count + kPerBlock - 1) / kPerBlock;
  Operand& drawn = DrawnBlocks(c);
  const Operands made =
      c.Kernels(normal ? "random_normal" : "random_uniform", {drawn}, [&](Te& te) {
        ScalarMath& m = te.math();
        const BufferRef out = te.Allocate("out", {m.Int(count)}, kReal);
        te.Run("blocks", {m.Int(blocks)}, [&](Statements& s, const Indices& at) {
          const std::array<PrimRef, 4> words = WordsOf(c, s, m, te.At(te.Input(0), {}), at[0]);
          std::vector<PrimRef> values;
          for (size_t k = 0; k < words.size(); k += 2) {
            if (normal) {
              for (PrimRef v : NormalPair(s, m, words[k], words[k + 1])) values.push_back(v);
            } else {
              values.push_back(UnitReal(m, words[k]));
              values.push_back(UnitReal(m, words[k + 1]));
            }
          }
          for (size_t k = 0; k < values.size(); ++k) {
            const PrimRef place =
                m.Add(m.Mul(at[0], m.Int(kPerBlock)), m.Int(static_cast<int64_t>(k)));
            const auto store = [&] { s.Store(out, {place}, values[k]); };
            if (count % kPerBlock == 0) {
              store();
            } else {
              s.If(m.Lt(place, m.Int(count)), store);
            }
          }
        });
        const BufferRef next = te.Compute("count", {}, kCounter, [&](const Indices&) {
          return m.Add(te.At(te.Input(0), {}), m.ir().Int(blocks, kCounter));
        });
        return std::vector<BufferRef>{out, next};
      });
  drawn = made[1];
  return c.Reshape(made[0], c.DimsFrom(shape));
}

}  // namespace

absl::StatusOr<Results> ImportRandomUniform(OpCall& c) { return RandomReals(c, false); }
absl::StatusOr<Results> ImportRandomStandardNormal(OpCall& c) { return RandomReals(c, true); }

// Classes, drawn with the probabilities exp(logit) / sum.
absl::StatusOr<Results> ImportMultinomial(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSeeds(c));
  const std::vector<int64_t>& shape = c.In(0).shape;
  const DType to = c.OutType();
  if (c.In(0).type != kFloat32 || (to != kWhole && to != kWide)) {
    return c.Unsupported() << "MULTINOMIAL of " << TypeName(c.In(0).type) << " to "
                           << TypeName(c.Out().type) << "; float32 to int32 and int64 is supported";
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> samples,
                         c.NeedInts(1, "the number of samples"));
  constexpr int64_t kMostSamples = 1 << 24;
  if (shape.size() != 2 || shape[1] < 1 || samples.size() != 1 || samples[0] < 0 ||
      samples[0] > kMostSamples || c.Out().shape != std::vector<int64_t>{shape[0], samples[0]}) {
    return c.Error() << "it needs rows of logits, a number of samples of up to " << kMostSamples
                     << ", and a result of that size";
  }
  const int64_t rows = shape[0], classes = shape[1], draws = samples[0];
  Operand& drawn = DrawnBlocks(c);
  const Operands made = c.Kernels("multinomial", {c.Arg(0), drawn}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef running = te.Allocate("running", {m.Int(classes)}, kPrecise);
    const BufferRef most = te.Allocate("most", {}, kReal);
    const BufferRef total = te.Allocate("total", {}, kPrecise);
    const BufferRef chosen = te.Allocate("chosen", {}, to);
    const BufferRef out = te.Allocate("out", {m.Int(rows), m.Int(draws)}, to);
    te.Run("rows", {m.Int(rows)}, [&](Statements& s, const Indices& row) {
      const auto logit = [&](PrimRef k) { return te.At(te.Input(0), {row[0], k}); };
      const auto is_finite = [&](PrimRef x) {
        return m.Lt(m.Call("abs", {x}), m.Const(INFINITY, kReal));
      };
      s.Store(most, {}, m.ir().Float(-3.4028234663852886e38, kReal));
      s.For("k", m.Int(classes), [&](PrimRef k) {
        const PrimRef larger = m.Max(te.At(most, {}), logit(k));
        s.Store(most, {}, m.Select(is_finite(logit(k)), larger, te.At(most, {})));
      });
      s.Store(total, {}, m.Const(0, kPrecise));
      s.For("k", m.Int(classes), [&](PrimRef k) {
        const PrimRef apart = m.Sub(m.Cast(logit(k), kPrecise), m.Cast(te.At(most, {}), kPrecise));
        const PrimRef weight = m.Call("exp", {apart});
        s.Store(
            total, {},
            m.Add(te.At(total, {}), m.Select(is_finite(logit(k)), weight, m.Const(0, kPrecise))));
        s.Store(running, {k}, te.At(total, {}));
      });
      s.For("draw", m.Int(draws), [&](PrimRef draw) {
        const PrimRef pair = s.Let("pair", m.Add(m.Mul(row[0], m.Int(draws)), draw));
        const PrimRef block = m.FloorDiv(pair, m.Int(2));
        const std::array<PrimRef, 4> words = WordsOf(c, s, m, te.At(te.Input(1), {}), block);
        const PrimRef later = m.Eq(m.FloorMod(pair, m.Int(2)), m.Int(1));
        const PrimRef unit =
            UnitDouble(m, m.Select(later, words[2], words[0]), m.Select(later, words[3], words[1]));
        const PrimRef wanted = s.Let("wanted", m.Mul(unit, te.At(total, {})));
        // The first class whose running sum is larger.
        s.Store(chosen, {}, m.Const(0, to));
        s.For("k", m.Int(classes), [&](PrimRef k) {
          const PrimRef below = m.Le(te.At(running, {k}), wanted);
          s.Store(chosen, {}, m.Add(te.At(chosen, {}), m.Cast(below, to)));
        });
        s.Store(out, {row[0], draw}, te.At(chosen, {}));
      });
    });
    const BufferRef next = te.Compute("count", {}, kCounter, [&](const Indices&) {
      // LiteRT skips far more than were drawn.
      const int64_t skipped = rows * ((draws + 3) / 4 * 4) * 2 * 256;
      return m.Add(te.At(te.Input(1), {}), m.ir().Int(skipped, kCounter));
    });
    return std::vector<BufferRef>{out, next};
  });
  drawn = made[1];
  return made[0];
}

// (the next state, random bits in the shape of result 1)
absl::StatusOr<Results> ImportRngBitGenerator(OpCall& c) {
  enum Algorithm { kDefault, kPhilox, kThreefry };
  const int64_t algorithm = c.Int("algorithm");
  const std::vector<int64_t>& state = c.In(0).shape;
  const bool threefry = algorithm == kThreefry;
  if (algorithm < kDefault || algorithm > kThreefry) {
    return c.Error() << "its algorithm has the number " << algorithm;
  }
  if (state.size() != 1 || c.TypeOf(c.Arg(0)) != kCounter ||
      (state[0] != 2 && (threefry || state[0] != 3))) {
    return c.Error() << "its state must be " << (threefry ? "2" : "2 or 3") << " uint64 numbers";
  }
  const DType to = c.OutType(1);
  LATHE_RETURN_IF_ERROR(c.status());
  if ((to.bits != 32 && to.bits != 64) || !(to.is_int() || to.is_uint())) {
    return c.Unsupported() << "random bits of " << TypeName(c.Out(1).type)
                           << "; int32, uint32, int64 and uint64 are supported";
  }
  const int64_t count = ElementCount(c.Out(1).shape), per_number = to.bits / 32;
  const int64_t per_block = threefry ? 2 : 4;
  const int64_t blocks = (count * per_number + per_block - 1) / per_block;
  const Operands made = c.Kernels("random_bits", {c.Arg(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](int64_t k) { return te.At(te.Input(0), {m.Int(k)}); };
    const BufferRef out = te.Allocate("out", {m.Int(count)}, to);
    te.Run("blocks", {m.Int(blocks)}, [&](Statements& s, const Indices& at) {
      const std::array<PrimRef, 2> key = {LowWord(m, number(0)), HighWord(m, number(0))};
      const PrimRef place = s.Let("place", m.Add(number(1), m.Cast(at[0], kCounter)));
      std::vector<PrimRef> words;
      if (threefry) {
        for (PrimRef w : Threefry(s, m, key, {LowWord(m, place), HighWord(m, place)})) {
          words.push_back(w);
        }
      } else {
        const PrimRef stream = number(state[0] == 3 ? 2 : 0);
        for (PrimRef w : Philox(s, m, key,
                                {LowWord(m, place), HighWord(m, place), LowWord(m, stream),
                                 HighWord(m, stream)})) {
          words.push_back(w);
        }
      }
      const int64_t numbers = per_block / per_number;
      for (int64_t k = 0; k < numbers; ++k) {
        const auto first = static_cast<size_t>(k * per_number);
        PrimRef value = words[first];
        if (per_number == 2) {
          const PrimRef high = m.Binary(BinaryOp::kShl, m.Cast(words[first + 1], kCounter),
                                        m.ir().Int(32, kCounter));
          value = m.Binary(BinaryOp::kBitOr, high, m.Cast(value, kCounter));
        }
        const PrimRef index = m.Add(m.Mul(at[0], m.Int(numbers)), m.Int(k));
        s.If(m.Lt(index, m.Int(count)), [&] { s.Store(out, {index}, m.Cast(value, to)); });
      }
    });
    const BufferRef next = te.Compute("next", c.DimsFrom(state), kCounter, [&](const Indices& i) {
      const PrimRef old = te.At(te.Input(0), i);
      return m.Select(m.Eq(i[0], m.Int(1)), m.Add(old, m.ir().Int(blocks, kCounter)), old);
    });
    return std::vector<BufferRef>{next, out};
  });
  return Operands{made[0], c.Reshape(made[1], c.OutDims(1))};
}

}  // namespace lathe::tflite

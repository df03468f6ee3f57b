// Imports random numbers. The generator is Threefry-4x64 with 20 rounds, on a state of ten words: 4
// of the key, 2 of the path, 2 of the counter, and 2 that mark the next bit of the path.
#include <array>
#include <cmath>
#include <limits>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

using ops::Statements;
using Words = std::array<PrimRef, 4>;
using State = std::array<PrimRef, 10>;

const DType kWord = DType::UInt(64);

PrimRef Word(ScalarMath& m, uint64_t value) {
  return m.ir().Int(static_cast<int64_t>(value), kWord);
}

PrimRef Xor(ScalarMath& m, PrimRef a, PrimRef b) { return m.Binary(ir::BinaryOp::kBitXor, a, b); }

// One word after a rotation to the left.
PrimRef Rotated(ScalarMath& m, PrimRef x, int by) {
  const PrimRef up = m.Binary(ir::BinaryOp::kShl, x, Word(m, static_cast<uint64_t>(by)));
  const PrimRef down = m.Binary(ir::BinaryOp::kShr, x, Word(m, static_cast<uint64_t>(64 - by)));
  return m.Binary(ir::BinaryOp::kBitOr, up, down);
}

// Encrypts four words. It is TVM's variant of Threefry: each step adds the second word of a pair
// twice to the one that it mixes, and no key is added after the last round.
Words Threefry(Statements& s, ScalarMath& m, const Words& key, Words x) {
  constexpr int kRotations[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37},
                                    {25, 33}, {46, 12}, {58, 22}, {32, 32}};
  constexpr uint64_t kParity = 0x1BD11BDAA9FC1A22;
  PrimRef parity = Word(m, kParity);
  for (PrimRef word : key) parity = Xor(m, parity, word);
  const std::array<PrimRef, 5> schedule = {key[0], key[1], key[2], key[3], s.Let("parity", parity)};
  for (int round = 0; round < 20; ++round) {
    if (round % 4 == 0) {
      const int turn = round / 4;
      for (int j = 0; j < 4; ++j) {
        const auto at = static_cast<size_t>(j);
        PrimRef add = schedule[static_cast<size_t>((turn + j) % 5)];
        if (j == 3) add = m.Add(add, Word(m, static_cast<uint64_t>(turn)));
        x[at] = s.Let("word", m.Add(x[at], add));
      }
    }
    for (size_t j = 0; j < 2; ++j) {
      const PrimRef sum = s.Let("word", m.Add(x[2 * j], x[2 * j + 1]));
      const PrimRef turned = Rotated(m, x[2 * j + 1], kRotations[round % 8][j]);
      x[2 * j + 1] = s.Let("word", Xor(m, m.Add(sum, x[2 * j + 1]), turned));
      x[2 * j] = sum;
    }
    std::swap(x[1], x[3]);
  }
  return x;
}

State LoadState(Te& te, Statements& s) {
  State state;
  for (size_t i = 0; i < state.size(); ++i) {
    const PrimRef at = te.math().Int(static_cast<int64_t>(i));
    state[i] = s.Let("state", te.At(te.Input(0), {at}));
  }
  return state;
}

Words KeyOf(const State& state) { return {state[0], state[1], state[2], state[3]}; }
Words CounterOf(const State& state) { return {state[4], state[5], state[6], state[7]}; }

// The mark in the two words `high` and `low`, moved by one bit.
std::array<PrimRef, 2> NextMark(ScalarMath& m, PrimRef high, PrimRef low) {
  const PrimRef zero = Word(m, 0), one = Word(m, 1), top = Word(m, uint64_t{1} << 63);
  const auto half = [&](PrimRef x) { return m.Binary(ir::BinaryOp::kShr, x, one); };
  const PrimRef last = m.Eq(high, one), none = m.Eq(high, zero);
  return {m.Select(m.Or(last, none), zero, half(high)),
          m.Select(last, top, m.Select(none, half(low), zero))};
}

PrimRef PathIsFull(ScalarMath& m, const State& state) {
  return m.And(m.Eq(state[8], Word(m, 0)), m.Eq(state[9], Word(m, 0)));
}

// The state with room for `count` numbers behind its counter: the same, or one with a longer path,
// or with a new key when the path is full.
State WithRoom(Statements& s, ScalarMath& m, const State& old, int64_t count) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  const PrimRef roomy = s.Let("roomy", m.Lt(old[7], Word(m, kMost - static_cast<uint64_t>(count))));
  const PrimRef full = s.Let("full", PathIsFull(m, old));
  const PrimRef most = Word(m, kMost), zero = Word(m, 0);
  const Words fresh = Threefry(s, m, KeyOf(old), {most, most, most, most});
  const std::array<PrimRef, 2> mark = NextMark(m, old[8], old[9]);
  const auto either = [&](PrimRef a, PrimRef b) { return m.Binary(ir::BinaryOp::kBitOr, a, b); };
  const State longer = {
      old[0], old[1], old[2],  old[3], either(old[4], old[8]), either(old[5], old[9]),
      zero,   zero,   mark[0], mark[1]};
  const State renewed = {
      fresh[0], fresh[1], fresh[2], fresh[3], zero, zero, zero, zero, Word(m, uint64_t{1} << 63),
      zero};
  State state;
  for (size_t i = 0; i < state.size(); ++i) {
    const PrimRef other = m.Select(full, renewed[i], longer[i]);
    state[i] = s.Let("state", m.Select(roomy, old[i], other));
  }
  return state;
}

absl::Status RequireKey(OpCall& c) {
  const Operand key = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireRank(c, key, 1, "the key"));
  if (c.TypeOf(key) != kWord) return c.Error() << "the key has to be of dtype uint64";
  return RequireSize(c, c.DimsOf(key)[0], c.ir().Int(10), "the key");
}

// (the next state, the numbers in one row)
absl::StatusOr<Operands> Generated(OpCall& c, int64_t count) {
  LATHE_RETURN_IF_ERROR(RequireKey(c));
  constexpr int64_t kMost = int64_t{1} << 40;
  if (count < 0 || count > kMost) return c.Error() << count << " numbers";
  return c.Kernels("threefry_generate", {c.Arg(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef next = te.Allocate("next", {m.Int(10)}, kWord);
    ir::BufferRef out = te.Allocate("out", {m.Int(count)}, kWord);
    te.Run("generate", {m.Int(1)}, [&](Statements& s, const Indices&) {
      State state = WithRoom(s, m, LoadState(te, s), count);
      const int64_t whole = count / 4, rest = count % 4;
      if (whole > 0) {
        s.For("block", m.Int(whole), [&](PrimRef block) {
          Words counter = CounterOf(state);
          for (PrimRef& word : counter) word = m.Add(word, m.Cast(block, kWord));
          const Words words = Threefry(s, m, KeyOf(state), counter);
          for (size_t j = 0; j < words.size(); ++j) {
            const PrimRef place = m.Add(m.Mul(block, m.Int(4)), m.Int(static_cast<int64_t>(j)));
            s.Store(out, {place}, words[j]);
          }
        });
      }
      PrimRef used = Word(m, static_cast<uint64_t>(count));
      if (rest > 0) {
        state[7] = s.Let("counter", m.Add(state[7], Word(m, static_cast<uint64_t>(4 * whole))));
        const Words words = Threefry(s, m, KeyOf(state), CounterOf(state));
        for (int64_t j = 0; j < rest; ++j) {
          s.Store(out, {m.Int(4 * whole + j)}, words[static_cast<size_t>(j)]);
        }
        used = Word(m, 4);
      }
      state[6] = Word(m, 0);
      state[7] = m.Add(state[7], used);
      for (size_t i = 0; i < state.size(); ++i) {
        s.Store(next, {m.Int(static_cast<int64_t>(i))}, state[i]);
      }
    });
    return std::vector<ir::BufferRef>{next, out};
  });
}

absl::StatusOr<int64_t> CountOfShape(OpCall& c, const std::vector<int64_t>& shape) {
  int64_t count = 1;
  constexpr int64_t kMost = int64_t{1} << 40;
  for (const int64_t size : shape) {
    if (size < 0 || size > kMost || (size > 0 && count > kMost / size)) {
      return c.Error() << "an invalid shape";
    }
    count *= size;
  }
  return count;
}

// Numbers from [0, 1): as many of the low bits as the fraction of a float has, highest first.
Operand UnitReals(OpCall& c, const Operand& bits, DType dtype) {
  return c.Elementwise(
      "unit_reals", {bits},
      [&](ScalarMath& m, const Scalars& v) {
        const bool wide = dtype.bits == 64;
        const DType word = DType::UInt(dtype.bits);
        const PrimRef low = m.Cast(v[0], word);
        const PrimRef fraction = m.Binary(ir::BinaryOp::kShr, low, m.ir().Int(wide ? 12 : 9, word));
        return m.Mul(m.Cast(fraction, dtype), m.Const(std::ldexp(1.0, wide ? -52 : -23), dtype));
      },
      dtype);
}

absl::StatusOr<DType> RealDType(OpCall& c) {
  const DType dtype = c.DTypeAttr("out_dtype").value_or(DType::Float(32));
  if (dtype == DType::Float(32) || dtype == DType::Float(64)) return dtype;
  return c.Error() << "out_dtype is '" << c.Str("out_dtype") << "'; supported: float32, float64";
}

absl::Status RequireBounds(OpCall& c, DType dtype) {
  for (int i = 1; i < 3; ++i) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(i), 0, "each parameter"));
    if (c.TypeOf(c.Arg(i)) != dtype) return c.Error() << "its parameters are not of out_dtype";
  }
  return absl::OkStatus();
}

}  // namespace

// (state, uint64 numbers)
absl::StatusOr<Operand> ImportThreefryGenerate(OpCall& c) {
  const std::vector<int64_t> shape = c.Ints("out_shape");
  LATHE_ASSIGN_OR_RETURN(const int64_t count, CountOfShape(c, shape));
  LATHE_ASSIGN_OR_RETURN(const Operands made, Generated(c, count));
  return TupleOf({made[0], c.Reshape(made[1], c.DimsFrom(shape))});
}

// Two states that never give the same numbers.
absl::StatusOr<Operand> ImportThreefrySplit(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireKey(c));
  return TupleOf(c.Kernels("threefry_split", {c.Arg(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef left = te.Allocate("left", {m.Int(10)}, kWord);
    ir::BufferRef right = te.Allocate("right", {m.Int(10)}, kWord);
    te.Run("split", {m.Int(1)}, [&](Statements& s, const Indices&) {
      const State old = LoadState(te, s);
      const PrimRef full = s.Let("full", PathIsFull(m, old)), zero = Word(m, 0);
      const Words fresh = Threefry(s, m, KeyOf(old), CounterOf(old));
      const std::array<PrimRef, 2> mark = NextMark(m, old[8], old[9]);
      for (const bool to_right : {false, true}) {
        const PrimRef second = Word(m, uint64_t{1} << 62);
        const PrimRef first = to_right ? Word(m, uint64_t{1} << 63) : zero;
        const State renewed = {fresh[0], fresh[1], fresh[2], fresh[3], first,
                               zero,     zero,     zero,     second,   zero};
        State longer = old;
        if (to_right) {
          longer[4] = m.Binary(ir::BinaryOp::kBitOr, old[4], old[8]);
          longer[5] = m.Binary(ir::BinaryOp::kBitOr, old[5], old[9]);
        }
        longer[8] = mark[0];
        longer[9] = mark[1];
        for (size_t i = 0; i < old.size(); ++i) {
          s.Store(to_right ? right : left, {m.Int(static_cast<int64_t>(i))},
                  m.Select(full, renewed[i], longer[i]));
        }
      }
    });
    return std::vector<ir::BufferRef>{left, right};
  }));
}

// (state, numbers from [low, high))
absl::StatusOr<Operand> ImportRandomUniform(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const DType dtype, RealDType(c));
  LATHE_RETURN_IF_ERROR(RequireBounds(c, dtype));
  const std::vector<int64_t> shape = c.Ints("out_shape");
  LATHE_ASSIGN_OR_RETURN(const int64_t count, CountOfShape(c, shape));
  LATHE_ASSIGN_OR_RETURN(const Operands made, Generated(c, count));
  const Operand unit = UnitReals(c, c.Reshape(made[1], c.DimsFrom(shape)), dtype);
  const Operand values = c.Elementwise(
      "uniform", {unit, c.Arg(1), c.Arg(2)},
      [](ScalarMath& m, const Scalars& v) { return m.Add(m.Mul(v[0], m.Sub(v[2], v[1])), v[1]); });
  return TupleOf({made[0], values});
}

// (state, normal numbers), by the transform of Box and Muller.
absl::StatusOr<Operand> ImportRandomNormal(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const DType dtype, RealDType(c));
  LATHE_RETURN_IF_ERROR(RequireBounds(c, dtype));
  const std::vector<int64_t> shape = c.Ints("out_shape");
  LATHE_ASSIGN_OR_RETURN(const int64_t count, CountOfShape(c, shape));
  LATHE_ASSIGN_OR_RETURN(const Operands made, Generated(c, 2 * count));
  const Operand unit = UnitReals(c, made[1], dtype);
  const Operand values = c.Kernel("normal", {unit, c.Arg(1), c.Arg(2)}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", {m.Int(count)}, dtype, [&](const Indices& at) {
      const PrimRef first = te.At(te.Input(0), at);
      const PrimRef second = te.At(te.Input(0), {m.Add(at[0], m.Int(count))});
      const PrimRef log = m.Call("log", {m.Sub(m.Const(1, dtype), first)});
      const PrimRef radius = m.Call("sqrt", {m.Mul(m.Const(-2, dtype), log)});
      const PrimRef sine = m.Call("sin", {m.Mul(m.Const(2 * M_PI, dtype), second)});
      const PrimRef scaled = m.Mul(m.Mul(radius, sine), te.At(te.Input(2), {}));
      return m.Add(scaled, te.At(te.Input(1), {}));
    });
  });
  return TupleOf({made[0], c.Reshape(values, c.DimsFrom(shape))});
}

// (state, indices drawn by the probabilities in the last axis)
absl::StatusOr<Operand> ImportRandomMultinomial(OpCall& c) {
  const Operand probabilities = c.Cast(c.Arg(1), DType::Float(32));
  const auto known = c.Sizes(probabilities);
  const int64_t samples = c.Int("num_samples");
  if (!known) return c.Unsupported() << "sizes that are not constants";
  if (known->empty() || known->back() < 1) return c.Error() << "no probabilities";
  if (samples < 1) return c.Error() << samples << " samples";
  std::vector<int64_t> shape(known->begin(), known->end() - 1);
  shape.push_back(samples);
  LATHE_ASSIGN_OR_RETURN(const int64_t count, CountOfShape(c, shape));
  LATHE_ASSIGN_OR_RETURN(const Operands made, Generated(c, count));
  const Dims dims = c.DimsFrom(shape), from = c.DimsOf(probabilities);
  const DType real = DType::Float(32);
  const Operand unit = UnitReals(c, c.Reshape(made[1], dims), real);
  const Operand positive = c.Op("relax.maximum", {probabilities, c.Number(0, real)});
  const Operand sum =
      c.Op("relax.sum", {positive}, {{"axis", ListOf(std::vector{-1})}, {"keepdims", true}});
  const Operand running = c.Op("relax.cumsum", {c.Op("relax.divide", {positive, sum})}, Axis(-1));
  // The first index whose running sum is above the number; among equals the least distance.
  const Operand indices = c.Kernel("multinomial", {running, unit}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType index = DType::Int(32);
    const ops::Reducer nearest = {{m.Highest(real), m.Const(0, index)},
                                  [&](const Indices& acc, const Indices& v) {
                                    const PrimRef closer = m.Lt(v[0], acc[0]);
                                    return std::vector<PrimRef>{m.Select(closer, v[0], acc[0]),
                                                                m.Select(closer, v[1], acc[1])};
                                  }};
    const std::vector<ir::BufferRef> found = te.ReduceSeveral(
        {"distance", "out"}, dims, {from.back()}, nearest,
        [&](const Indices& at, const Indices& r) {
          Indices place = at;
          place.back() = r[0];
          const PrimRef apart = m.Sub(te.At(te.Input(0), place), te.At(te.Input(1), at));
          const PrimRef above = m.Lt(m.Const(0, real), apart);
          return std::vector<PrimRef>{m.Select(above, apart, m.Const(1, real)),
                                      m.Cast(r[0], index)};
        });
    return found[1];
  });
  return TupleOf({made[0], indices});
}

}  // namespace lathe::relay

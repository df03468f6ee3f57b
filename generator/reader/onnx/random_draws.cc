#include "generator/reader/onnx/random_draws.h"

namespace lathe::onnx {
namespace {

using ir::BinaryOp;

constexpr int64_t kWords = 624, kAhead = 397;

class Twister {
 public:
  Twister(Te& te, ops::Statements& s, ir::BufferRef state, ir::BufferRef place)
      : m_(te.math()), te_(te), s_(s), state_(state), place_(place) {}

  void Seed(uint32_t seed) {
    const PrimRef zero = m_.Int(0);
    s_.Store(place_, {zero}, zero);
    s_.Store(state_, {zero}, Word(seed));
    s_.For("word", m_.Int(kWords - 1), [&](PrimRef i) {
      const PrimRef last = s_.Let("last", te_.At(state_, {i}));
      const PrimRef mixed = m_.Mul(Xor(last, Shr(last, 30)), Word(1812433253u));
      const PrimRef next = m_.Add(i, m_.Int(1));
      s_.Store(state_, {next}, m_.Add(mixed, m_.Cast(next, kWord)));
    });
  }

  // Combines 27 bits of one word with 26 bits of the next.
  PrimRef Draw() {
    const PrimRef high = s_.Let("high", m_.Cast(Shr(Next(), 5), DType::Int(64)));
    const PrimRef low = s_.Let("low", m_.Cast(Shr(Next(), 6), DType::Int(64)));
    return s_.Let("draw", m_.Add(m_.Mul(high, m_.Int(int64_t{1} << 26)), low));
  }

 private:
  static constexpr DType kWord = DType::UInt(32);
  PrimRef Word(uint32_t value) { return m_.Const(value, kWord); }
  PrimRef Xor(PrimRef a, PrimRef b) { return m_.Binary(BinaryOp::kBitXor, a, b); }
  PrimRef And(PrimRef a, uint32_t bits) { return m_.Binary(BinaryOp::kBitAnd, a, Word(bits)); }
  PrimRef Shr(PrimRef a, uint32_t by) { return m_.Binary(BinaryOp::kShr, a, Word(by)); }
  PrimRef Shl(PrimRef a, uint32_t by) { return m_.Binary(BinaryOp::kShl, a, Word(by)); }

  // Updates one word of the state on use, which is equivalent to the reference's update of all
  // words at once.
  PrimRef Next() {
    const PrimRef i = s_.Let("i", te_.At(place_, {m_.Int(0)}));
    const auto after = [&](int64_t by) {
      return m_.FloorMod(m_.Add(i, m_.Int(by)), m_.Int(kWords));
    };
    const PrimRef both = m_.Binary(BinaryOp::kBitOr, And(te_.At(state_, {i}), 0x80000000u),
                                   And(te_.At(state_, {after(1)}), 0x7fffffffu));
    const PrimRef joined = s_.Let("joined", both);
    const PrimRef odd = m_.Select(m_.Eq(And(joined, 1), Word(0)), Word(0), Word(0x9908b0dfu));
    const PrimRef far = te_.At(state_, {after(kAhead)});
    PrimRef y = s_.Let("y", Xor(Xor(far, Shr(joined, 1)), odd));
    s_.Store(state_, {i}, y);
    s_.Store(place_, {m_.Int(0)}, after(1));
    y = s_.Let("y", Xor(y, Shr(y, 11)));
    y = s_.Let("y", Xor(y, And(Shl(y, 7), 0x9d2c5680u)));
    y = s_.Let("y", Xor(y, And(Shl(y, 15), 0xefc60000u)));
    return s_.Let("y", Xor(y, Shr(y, 18)));
  }

  ScalarMath& m_;
  Te& te_;
  ops::Statements& s_;
  const ir::BufferRef state_, place_;
};

}  // namespace

uint32_t SeedOf(NodeCall& n) {
  if (!n.HasAttribute("seed")) return static_cast<uint32_t>(n.node().index) + 1;
  const bool whole = n.op() == "Dropout";
  const double value = whole ? static_cast<double>(n.Int("seed", 0)) : n.Float("seed", 0);
  // Larger seeds are inexact as floats, so there is no reference output to match.
  return value >= 0 && value < 4294967296.0 ? static_cast<uint32_t>(value) : 0;
}

void DrawEach(Te& te, const Dims& shape, uint32_t seed, int each,
              const std::function<void(ops::Statements&, const Indices&, const Scalars&)>& use) {
  ScalarMath& m = te.math();
  ir::BufferRef state = te.Allocate("random_state", {m.Int(kWords)}, DType::UInt(32));
  ir::BufferRef place = te.Allocate("random_place", {m.Int(1)}, DType::Int(64));
  PrimRef count = m.Int(1);
  for (PrimRef dim : shape) count = m.Mul(count, dim);
  te.Run("draw", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
    Twister twister(te, s, state, place);
    twister.Seed(seed);
    s.For("k", count, [&](PrimRef k) {
      Scalars draws;
      for (int i = 0; i < each; ++i) draws.push_back(twister.Draw());
      use(s, m.Unflatten(k, shape), draws);
    });
  });
}

}  // namespace lathe::onnx

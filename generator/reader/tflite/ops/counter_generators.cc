#include "generator/reader/tflite/ops/counter_generators.h"

namespace lathe::tflite {
namespace {

using ir::BinaryOp;

const DType kProduct = DType::UInt(64);

PrimRef XorOf(ScalarMath& m, PrimRef a, PrimRef b) { return m.Binary(BinaryOp::kBitXor, a, b); }

// The word after a rotation to the left.
PrimRef RotatedLeft(ScalarMath& m, PrimRef x, uint32_t by) {
  const PrimRef up = m.Binary(BinaryOp::kShl, x, RandomWord(m, by));
  const PrimRef down = m.Binary(BinaryOp::kShr, x, RandomWord(m, 32 - by));
  return m.Binary(BinaryOp::kBitOr, up, down);
}

}  // namespace

PrimRef RandomWord(ScalarMath& m, uint32_t value) { return m.ir().Int(value, kRandomWord); }

PrimRef LowWord(ScalarMath& m, PrimRef wide) { return m.Cast(wide, kRandomWord); }

PrimRef HighWord(ScalarMath& m, PrimRef wide) {
  return m.Cast(m.Binary(BinaryOp::kShr, wide, m.ir().Int(32, kProduct)), kRandomWord);
}

std::array<PrimRef, 4> Philox(ops::Statements& s, ScalarMath& m, std::array<PrimRef, 2> key,
                              std::array<PrimRef, 4> counter) {
  constexpr uint32_t kMultipliers[] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t kWeyl[] = {0x9E3779B9, 0xBB67AE85};
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const auto product = [&](size_t k) {
      const PrimRef by = m.ir().Int(kMultipliers[k], kProduct);
      return s.Let("product", m.Mul(m.Cast(counter[2 * k], kProduct), by));
    };
    const PrimRef first = product(0), second = product(1);
    counter = {s.Let("word", XorOf(m, XorOf(m, HighWord(m, second), counter[1]), key[0])),
               s.Let("word", LowWord(m, second)),
               s.Let("word", XorOf(m, XorOf(m, HighWord(m, first), counter[3]), key[1])),
               s.Let("word", LowWord(m, first))};
    if (round + 1 == kRounds) break;
    for (size_t k = 0; k < key.size(); ++k) {
      key[k] = s.Let("key", m.Add(key[k], RandomWord(m, kWeyl[k])));
    }
  }
  return counter;
}

std::array<PrimRef, 2> Threefry(ops::Statements& s, ScalarMath& m, std::array<PrimRef, 2> key,
                                std::array<PrimRef, 2> counter) {
  constexpr uint32_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  constexpr uint32_t kParity = 0x1BD11BDA;
  constexpr size_t kGroups = 5;  // of four rounds, after each of which the key is added
  const PrimRef parity =
      s.Let("parity", XorOf(m, XorOf(m, key[0], key[1]), RandomWord(m, kParity)));
  const std::array<PrimRef, 3> schedule = {key[0], key[1], parity};
  for (size_t k = 0; k < 2; ++k) counter[k] = s.Let("word", m.Add(counter[k], key[k]));
  for (size_t group = 0; group < kGroups; ++group) {
    for (const uint32_t by : kRotations[group % 2]) {
      counter[0] = s.Let("word", m.Add(counter[0], counter[1]));
      counter[1] = s.Let("word", XorOf(m, RotatedLeft(m, counter[1], by), counter[0]));
    }
    const auto number = static_cast<uint32_t>(group + 1);
    counter[0] = s.Let("word", m.Add(counter[0], schedule[number % 3]));
    const PrimRef add = m.Add(schedule[(number + 1) % 3], RandomWord(m, number));
    counter[1] = s.Let("word", m.Add(counter[1], add));
  }
  return counter;
}

}  // namespace lathe::tflite

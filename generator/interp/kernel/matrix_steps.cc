#include "generator/interp/kernel/matrix_steps.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "generator/interp/kernel/matrix_fragments.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/thread_group.h"

namespace lathe::interp {
namespace {

// The bytes at a pointer of `owner`. Null, after reporting an error, when there are fewer than
// `bytes`.
uint8_t* BytesAt(Thread& t, const Instr* i, const Thread& owner, Bits pointer, uint64_t bytes) {
  const Pointer p = PointerIn(owner, pointer);
  if (p.memory != nullptr && p.memory->size() - p.offset >= bytes) {
    return p.memory->data() + p.offset;
  }
  t.Stop(t.Error(i, "run-out-of-bounds")
         << "a pointer does not point to " << bytes << " bytes of memory");
  return nullptr;
}

// The pointers into a thread's part of a matrix, from the operands at `at`.
struct Registers {
  const uint32_t* regs = nullptr;
  size_t count = 0;

  explicit Registers(const uint32_t*& at) : regs(at + 1), count(*at) { at += 1 + count; }
};

// The location of element `index` of this thread's `elements` elements of dtype `type`.
struct ElementPlace {
  uint8_t* from = nullptr;  // null: none
  size_t index = 0;
};
ElementPlace ElementAt(Thread& t, const Instr* i, const Registers& of, size_t elements,
                       size_t index, ir::DType type) {
  const size_t each = elements / std::max<size_t>(of.count, 1);
  const size_t which =
      of.count == 1 ? 0 : std::min(index / std::max<size_t>(each, 1), of.count - 1);
  const size_t index_in = index - which * each;
  const uint64_t bytes = ir::StorageBytes(type, index_in + 1);
  return {BytesAt(t, i, t, t.regs[of.regs[which]], bytes), index_in};
}

using Warp = std::array<const Thread*, kWarp>;

// By lane; null where a lane does not exist or has not published.
Warp WarpOf(const Thread& t) {
  Warp warp = {};
  if (t.group == nullptr) {
    warp[0] = &t;
    return warp;
  }
  const uint32_t own = RankOf(*t.group, t) / kWarp;
  for (const Thread& other : t.group->threads) {
    if (!IsThread(other) || other.snapshot.empty()) continue;
    const uint32_t rank = RankOf(*t.group, other);
    if (rank / kWarp == own) warp[rank % kWarp] = &other;
  }
  return warp;
}

uint32_t LaneOf(const Thread& t) { return t.group == nullptr ? 0 : RankOf(*t.group, t) % kWarp; }

const Instr* FailMissingLanes(Thread& t, const Instr* i) {
  return t.Stop(t.Error(i, "run-malformed-program")
                << "a matrix operation needs all 32 threads of a warp, but some are inactive");
}

// tf32 has a 10-bit mantissa; the lower bits are ignored.
double FactorOf(absl::string_view ptx, ir::DType type, Bits bits) {
  return ToDouble(type, ptx == "tf32" ? bits & ~Bits{0x1fff} : bits);
}

}  // namespace

const Instr* PublishFactorsStep(Thread& t, const Instr* i) {
  const uint32_t* at = t.operands + i->a;
  const ir::MmaForm& form = ir::MmaForms()[*at++];
  const FragmentSizes sizes = SizesOf(form);
  t.published.clear();
  for (const bool left : {true, false}) {
    const Registers of(at);
    const ir::DType type = ir::ElementOf(left ? form.a : form.b);
    const size_t elements = left ? sizes.a : sizes.b;
    for (size_t n = 0; n < elements; ++n) {
      const ElementPlace element = ElementAt(t, i, of, elements, n, type);
      if (element.from == nullptr) return nullptr;
      t.published.push_back(ReadElement(element.from, type, element.index));
    }
  }
  if (t.group == nullptr) return FailMissingLanes(t, i);
  t.state = Thread::State::kExchanging;
  t.awaited = ~uint32_t{0};
  t.resume = i + 1;
  return nullptr;
}

const Instr* MultiplyStep(Thread& t, const Instr* i) {
  const uint32_t* at = t.operands + i->a;
  const ir::MmaForm& form = ir::MmaForms()[*at++];
  const FragmentSizes sizes = SizesOf(form);
  for (int skipped = 0; skipped < 2; ++skipped) (void)Registers(at);
  const Registers to(at), from(at);
  const Warp warp = WarpOf(t);
  for (const Thread* lane : warp) {
    if (lane == nullptr || lane->snapshot.size() != sizes.a + sizes.b)
      return FailMissingLanes(t, i);
  }
  const ir::DType left = ir::ElementOf(form.a), right = ir::ElementOf(form.b);
  const ir::DType type = ir::ElementOf(form.c);
  const int per_left = std::max(1, 32 / left.bits), per_right = std::max(1, 32 / right.bits);
  for (size_t n = 0; n < sizes.c; ++n) {
    const MatrixElement sum = SumAt(LaneOf(t), n);
    double real = 0;
    int64_t whole = 0;
    for (int k = 0; k < form.k; ++k) {
      const FragmentPlace a = PlaceOfFactor(form.m, per_left, sum.row, k);
      const FragmentPlace b = PlaceOfFactor(form.n, per_right, sum.column, k);
      const Bits x = warp[a.lane]->snapshot[a.index];
      const Bits y = warp[b.lane]->snapshot[sizes.a + b.index];
      if (!form.op.empty()) {
        whole += static_cast<int64_t>(form.op == "xor" ? x ^ y : x & y);
      } else if (type.is_int()) {
        whole += ToInt64(left, x) * ToInt64(right, y);
      } else {
        real += FactorOf(form.a, left, x) * FactorOf(form.b, right, y);
      }
    }
    const ElementPlace before = ElementAt(t, i, from, sizes.c, n, type);
    const ElementPlace after = ElementAt(t, i, to, sizes.c, n, type);
    if (before.from == nullptr || after.from == nullptr) return nullptr;
    const Bits c = ReadElement(before.from, type, before.index);
    WriteElement(after.from, type, after.index,
                 type.is_int() ? FromInt64(type, ToInt64(type, c) + whole)
                               : FromDouble(type, ToDouble(type, c) + real));
  }
  return i + 1;
}

namespace {

constexpr uint64_t kRow = 16;  // bytes

// Row `row` of matrix `matrix`, whose addresses the lanes published. Null, after reporting an
// error, when the address is invalid.
uint8_t* RowAt(Thread& t, const Instr* i, const Warp& warp, uint32_t matrix, uint32_t row) {
  const Thread& publisher = *warp[matrix * 8 + row];
  const Bits pointer = publisher.snapshot[0];
  if (OffsetOf(pointer) % kRow != 0) {
    t.Stop(t.Error(i, "run-out-of-bounds")
           << "a row of a matrix must start at a multiple of " << kRow << " bytes, got byte "
           << OffsetOf(pointer) << " of its memory");
    return nullptr;
  }
  return BytesAt(t, i, publisher, pointer, kRow);
}

// A lane holds four bytes of a matrix: from one row, or two bytes from each of two.
bool MoveMatrices(Thread& t, const Instr* i, bool loads) {
  const Warp warp = WarpOf(t);
  for (const Thread* publisher : warp) {
    if (publisher == nullptr) return FailMissingLanes(t, i) != nullptr;
  }
  const uint32_t lane = LaneOf(t);
  const uint32_t* registers = t.operands + i->b;
  const uint32_t count = *registers++;
  for (uint32_t matrix = 0; matrix < i->c; ++matrix) {
    const uint32_t which = count == 1 ? 0 : matrix;
    const Bits pointer = t.regs[registers[which]] + (matrix - which) * 4;
    uint8_t* own = BytesAt(t, i, t, pointer, 4);
    if (own == nullptr) return false;
    for (uint32_t part = 0; part < (i->d != 0 ? 2u : 1u); ++part) {
      uint8_t* row = RowAt(t, i, warp, matrix, i->d != 0 ? lane % 4 * 2 + part : lane / 4);
      if (row == nullptr) return false;
      uint8_t* there = row + (i->d != 0 ? lane / 4 * 2 : lane % 4 * 4);
      uint8_t* here = own + 2 * part;
      std::memcpy(loads ? here : there, loads ? there : here, i->d != 0 ? 2 : 4);
    }
  }
  return true;
}

}  // namespace

const Instr* LoadMatricesStep(Thread& t, const Instr* i) {
  return MoveMatrices(t, i, true) ? i + 1 : nullptr;
}

const Instr* StoreMatricesStep(Thread& t, const Instr* i) {
  return MoveMatrices(t, i, false) ? i + 1 : nullptr;
}

const Instr* FillFragmentStep(Thread& t, const Instr* i) {
  const uint64_t bytes = ir::StorageBytes(i->type, i->c);
  uint8_t* to = BytesAt(t, i, t, t.regs[i->a], bytes);
  if (to == nullptr) return nullptr;
  std::fill_n(to, bytes, uint8_t{0});
  return i + 1;
}

const Instr* StoreFragmentStep(Thread& t, const Instr* i) {
  constexpr size_t kElements = 8;
  const uint64_t bytes = ir::StorageBytes(i->type, 1);
  const uint8_t* from = BytesAt(t, i, t, t.regs[i->a], kElements * bytes);
  if (from == nullptr) return nullptr;
  for (size_t n = 0; n < kElements; ++n) {
    const MatrixElement sum = WideSumAt(LaneOf(t), n);
    const Bits index_in = static_cast<Bits>(sum.row) * t.regs[i->c] + static_cast<Bits>(sum.column);
    uint8_t* to = BytesAt(t, i, t, t.regs[i->b] + index_in * bytes, bytes);
    if (to == nullptr) return nullptr;
    std::memcpy(to, from + n * bytes, bytes);
  }
  return i + 1;
}

const Instr* CopyBytesStep(Thread& t, const Instr* i) {
  uint8_t* to = BytesAt(t, i, t, t.regs[i->a], i->c);
  if (to == nullptr) return nullptr;
  if (i->d != kNone && t.regs[i->d] == 0) {
    std::fill_n(to, i->c, uint8_t{0});
    return i + 1;
  }
  const uint8_t* from = BytesAt(t, i, t, t.regs[i->b], i->c);
  if (from == nullptr) return nullptr;
  std::memmove(to, from, i->c);
  return i + 1;
}

}  // namespace lathe::interp

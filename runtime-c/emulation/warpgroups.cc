// Asynchronous products of warpgroups, and the registers that warps exchange.
#include <stddef.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "emulation.h"
#include "hopper.h"
#include "knowledge.h"

namespace lathe_emulation {
namespace {

constexpr unsigned kGroup = 128;
constexpr int kRegisters = 65536;  // of a block

struct Products {
  Cores cores = Cores::kF16;
  void* sums = nullptr;
  int columns = 0;
  uint64_t a = 0, b = 0;
  bool a_by_depth = false, b_by_depth = false;
};

// Of one thread: the actual accumulators, while the visible ones are invalid.
struct Thread {
  bool begun = false;
  std::vector<Products> added;
  std::deque<std::vector<Products>> groups;
  uint32_t committed = 0;
  std::map<void*, std::vector<uint32_t>> sums;
};

// The copies that a warp's products read, found by the first arriving lane.
struct Reading {
  uint32_t block = 0, meetings = 0;
  std::vector<uint64_t> copies;
};

struct Groups {
  std::vector<Thread> threads;
  std::vector<int> registers;  // per thread of each warp
};

Groups& Here() {
  static Groups groups;
  return groups;
}

Thread& OfThisThread() { return Here().threads[ThreadNumber()]; }

// The address of 16 bytes of line `line` and of the depth from byte `byte` on, by a matrix
// descriptor (PTX ISA, "Matrix Descriptor Format" and "Strides"), whose fields count 16 bytes.
uintptr_t ChunkOf(uint64_t matrix, bool by_depth, unsigned line, unsigned k, unsigned bytes) {
  const uint32_t start = (uint32_t)(matrix & 0x3fffu) << 4;
  const uint32_t leading = (uint32_t)(matrix >> 16 & 0x3fffu) << 4;
  const uint32_t stride = (uint32_t)(matrix >> 32 & 0x3fffu) << 4;
  if (matrix >> 62 != 1u) Fail("a matrix descriptor without the 128-byte swizzle");
  if ((matrix >> 49 & 7u) != 0u)
    Fail("a matrix descriptor whose start is not a multiple of eight rows");
  const uint32_t linear =
      by_depth ? start + line / 64 * leading + line % 64 * bytes + k / 8 * stride + k % 8 * 128
               : start + line / 8 * stride + line % 8 * 128 + k * bytes;
  const uint32_t swizzled = linear ^ ((linear >> 7 & 7u) << 4);
  return SharedWindow() + swizzled;
}

// A factor of products: rows or columns.
struct Factor {
  uint64_t matrix;
  bool by_depth;
  unsigned lines;
};
Factor RowsOf(const Products& p) { return {p.a, p.a_by_depth, 64}; }
Factor ColumnsOf(const Products& p) { return {p.b, p.b_by_depth, (unsigned)p.columns}; }

unsigned BytesOf(Cores cores) { return cores == Cores::kS8 ? 1 : 2; }

// Calls f(line, k, address) for each 16 bytes of a factor; line and k are those of the first
// element.
template <typename F>
void EachChunk(const Factor& factor, unsigned bytes, F f) {
  const unsigned all = 32 / bytes, each = 16 / bytes;
  for (unsigned line = 0; line < factor.lines; line += factor.by_depth ? each : 1) {
    for (unsigned k = 0; k < all; k += factor.by_depth ? 1 : each) {
      f(line, k, ChunkOf(factor.matrix, factor.by_depth, line, k, bytes));
    }
  }
}

std::vector<float> AllOfF16() {
  std::vector<float> all;
  for (uint32_t i = 0; i < 65536; ++i) {
    const int exponent = (int)(i >> 10 & 31u);
    const float fraction = (float)(i & 1023u);
    const float value = exponent == 31  ? fraction == 0 ? INFINITY : NAN
                        : exponent == 0 ? ldexpf(fraction, -24)
                                        : ldexpf(1024 + fraction, exponent - 25);
    all.push_back(i >= 0x8000u ? -value : value);
  }
  return all;
}

float ValueAt(Cores cores, uintptr_t at) {
  static const std::vector<float> all_of_f16 = AllOfF16();
  if (cores == Cores::kS8) return *(const int8_t*)at;
  const uint32_t bits = *(const uint16_t*)at;
  if (cores == Cores::kF16) return all_of_f16[bits];
  const uint32_t wide = bits << 16;
  float value = 0;
  memcpy(&value, &wide, sizeof value);
  return value;
}

// Decodes a factor to numbers, one line after the other.
std::vector<float> NumbersOf(const Factor& factor, Cores cores) {
  const unsigned bytes = BytesOf(cores), depth = 32 / bytes;
  std::vector<float> numbers(factor.lines * depth);
  EachChunk(factor, bytes, [&](unsigned line, unsigned k, uintptr_t chunk) {
    for (unsigned i = 0; i < 16 / bytes; ++i) {
      const unsigned at = factor.by_depth ? (line + i) * depth + k : line * depth + k + i;
      numbers[at] = ValueAt(cores, chunk + i * bytes);
    }
  });
  return numbers;
}

// Both factors of a group of products as numbers. The four warps share them, and the sources stay
// valid until the last warp has read them.
struct Factors {
  uint64_t a = 0, b = 0;
  std::vector<float> rows, columns;
  std::array<bool, 64> zero = {};  // rows that change no sum for finite columns
};
struct GroupFactors {
  uint32_t block = 0, group = 0;
  std::vector<Factors> products;
};

const std::vector<Factors>& FactorsOf(const std::vector<Products>& group, uint32_t number) {
  // A thread may be one group ahead of the others.
  static std::vector<GroupFactors> all(kMaxWarps / 4 * 2);
  GroupFactors& own = all[ThreadNumber() / kGroup * 2 + number % 2];
  const uint32_t block = Now().block;
  if (own.block == block && own.group == number) return own.products;
  own = {block, number, {}};
  for (const Products& p : group) {
    Factors made = {p.a, p.b, NumbersOf(RowsOf(p), p.cores), NumbersOf(ColumnsOf(p), p.cores), {}};
    const auto finite = [](float value) { return std::isfinite(value); };
    if (std::all_of(made.columns.begin(), made.columns.end(), finite)) {
      const size_t depth = made.rows.size() / 64;
      for (size_t row = 0; row < 64; ++row) {
        const auto first = made.rows.begin() + (std::ptrdiff_t)(row * depth);
        made.zero[row] = std::all_of(first, first + (std::ptrdiff_t)depth,
                                     [](float value) { return value == 0; });
      }
    }
    own.products.push_back(std::move(made));
  }
  return own.products;
}

// This thread's part of the products.
void Add(const Products& p, const Factors& factors, std::vector<uint32_t>& sums) {
  const unsigned depth = 32 / BytesOf(p.cores);
  const unsigned in_group = ThreadNumber() % kGroup, lane = in_group % kLanes;
  for (unsigned i = 0; i < (unsigned)p.columns / 2; ++i) {
    const unsigned row = in_group / kLanes * 16 + lane / 4 + i % 4 / 2 * 8;
    const unsigned column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (factors.zero[row]) continue;
    const float* const a = &factors.rows[row * depth];
    const float* const b = &factors.columns[column * depth];
    double exact = 0;
    for (unsigned k = 0; k < depth; ++k) exact += (double)a[k] * b[k];
    if (p.cores == Cores::kS8) {
      sums[i] += (uint32_t)(int32_t)exact;
      continue;
    }
    float value = 0;
    memcpy(&value, &sums[i], sizeof value);
    value = (float)(value + exact);
    memcpy(&sums[i], &value, sizeof value);
  }
}

// All lanes of the warp are here with equal arguments; this does not synchronize them.
void SameInWarp(const char* what, uint64_t value) {
  const Known before = KnownBy(ThreadNumber());
  bool there = false;
  const uint64_t first = Exchange(0xffffffffu, value, 0, &there);
  KnownBy(ThreadNumber()) = before;
  if (first != value) Fail("thread %u specifies other %s than its warp", ThreadNumber(), what);
}

}  // namespace

void BeginGroups(unsigned threads) {
  Here() = {};
  Here().threads.resize(threads);
  const int each = kRegisters / (int)((threads + kLanes - 1) / kLanes * kLanes) / 8 * 8;
  Here().registers.assign((threads + kLanes - 1) / kLanes, each < 248 ? each : 248);
}

void EndGroups() {
  for (size_t i = 0; i < Here().threads.size(); ++i) {
    const Thread& thread = Here().threads[i];
    if (!thread.added.empty() || !thread.groups.empty()) {
      Fail("thread %zu ended before its products did", i);
    }
  }
  int all = 0;
  for (int each : Here().registers) all += each * (int)kLanes;
  if (all > kRegisters) Fail("warps request %d registers in total, of %d", all, kRegisters);
}

void ChangeRegisters(int registers, bool takes) {
  if (registers % 8 != 0 || registers < 24 || registers > 256) Fail("%d registers", registers);
  SameInWarp("numbers of registers", (uint64_t)registers);
  int& own = Here().registers[ThreadNumber() / kLanes];
  // All lanes of a warp call this; the first changes the state.
  if (own != registers && (takes ? own > registers : own < registers)) {
    Fail("thread %u %s %d registers, and has %d", ThreadNumber(), takes ? "takes" : "keeps",
         registers, own);
  }
  own = registers;
}

void BeginProducts() { OfThisThread().begun = true; }

void AddGroupProducts(Cores cores, void* sums, int columns, uint64_t a, uint64_t b, bool a_by_depth,
                      bool b_by_depth) {
  Thread& own = OfThisThread();
  if (!own.begun) Fail("thread %u adds products to sums that it may have changed", ThreadNumber());
  if (Here().threads.size() % kGroup != 0)
    Fail("products by a block whose threads are not whole warpgroups");
  SameInWarp("factors", a ^ b * 0x9e3779b97f4a7c15u);
  const Products p = {cores, sums, columns, a, b, a_by_depth, b_by_depth};
  const unsigned warp = ThreadNumber() / kLanes;
  static std::vector<Reading> readings(kMaxWarps);
  Reading& reading = readings[warp];
  if (reading.meetings != Now().meetings || reading.block != Now().block) {
    reading = {Now().block, Now().meetings, {}};
    for (const Factor& factor : {RowsOf(p), ColumnsOf(p)}) {
      EachChunk(factor, BytesOf(cores), [&](unsigned, unsigned, uintptr_t chunk) {
        const uint64_t copy = CopyOf(chunk);
        if (reading.copies.empty() || reading.copies.back() != copy) reading.copies.push_back(copy);
      });
    }
  }
  for (uint64_t copy : reading.copies) ReadByProducts(copy, warp, own.committed + 1);
  std::vector<uint32_t>& kept = own.sums[sums];
  if (kept.empty()) {
    kept.resize((size_t)columns / 2);
    memcpy(kept.data(), sums, kept.size() * 4);
    for (size_t i = 0; i < kept.size(); ++i)
      ((uint32_t*)sums)[i] = 0x7fc0dead;  // invalid until the wait
  }
  own.added.push_back(p);
}

void CommitProducts() {
  Thread& own = OfThisThread();
  own.groups.push_back(std::move(own.added));
  own.added.clear();
  ++own.committed;
}

void WaitForProducts(int left) {
  Thread& own = OfThisThread();
  while ((int)own.groups.size() > left) {
    const std::vector<Products>& group = own.groups.front();
    const uint32_t number = own.committed - (uint32_t)own.groups.size() + 1;
    const std::vector<Factors>& factors = FactorsOf(group, number);
    for (size_t i = 0; i < group.size(); ++i) {
      if (i >= factors.size() || factors[i].a != group[i].a || factors[i].b != group[i].b) {
        Fail("thread %u specifies other factors than its warpgroup", ThreadNumber());
      }
      Add(group[i], factors[i], own.sums[group[i].sums]);
    }
    own.groups.pop_front();
  }
  uint32_t& done = KnownBy(ThreadNumber()).products[ThreadNumber() / kLanes];
  done = own.committed - (uint32_t)own.groups.size();
  if (!own.groups.empty() || !own.added.empty()) return;
  for (const auto& [sums, kept] : own.sums) memcpy(sums, kept.data(), kept.size() * 4);
  own.sums.clear();
  own.begun = false;
}

}  // namespace lathe_emulation

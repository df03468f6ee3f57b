// Warp-level products of tensor cores, and asynchronous copies.
#include "tensor_cores.h"

#include <math.h>
#include <string.h>

#include <array>
#include <deque>
#include <vector>

#include "emulation.h"
#include "knowledge.h"

namespace lathe_emulation {
namespace {

constexpr size_t kChunk = 16;

struct BegunCopy {
  void* to = nullptr;
  size_t size = 0;
  std::array<uint8_t, kChunk> bytes = {};
};

// Of one thread, in the running block.
struct ThreadCopies {
  uint32_t block = 0;
  std::vector<BegunCopy> begun;
  std::deque<std::vector<BegunCopy>> groups;
};

ThreadCopies& CopiesOfThisThread() {
  static std::vector<ThreadCopies> all(1024);
  ThreadCopies& own = all[ThreadNumber()];
  const uint32_t block = Now().block;
  if (own.block != block) own = {block, {}, {}};
  return own;
}

}  // namespace

std::array<Held, kLanes> Together(const Held& own) {
  // A lane may arrive again before the others have read the results, but not twice.
  static std::array<Held, kLanes> given[2][kLanes];
  const unsigned lane = Lane(), warp = ThreadNumber() / kLanes;
  std::array<Held, kLanes>& here = given[Now().meetings % 2][warp];
  here[lane] = own;
  bool there = false;
  (void)Exchange(0xffffffffu, 0, (int)lane, &there, false);
  return here;
}

float FromF16(uint32_t bits) {
  const int exponent = (int)(bits >> 10 & 31u);
  const float fraction = (float)(bits & 1023u);
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = ldexpf(fraction, -24);
  } else {
    value = ldexpf(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000u) != 0u ? -value : value;
}

float FromBF16(uint32_t bits) {
  const uint32_t wide = bits << 16;
  float value = 0;
  memcpy(&value, &wide, sizeof value);
  return value;
}

uint16_t ToF16(float value) {
  const uint32_t sign = signbit(value) != 0 ? 0x8000u : 0u;
  if (isnan(value)) return 0x7fff;
  const float size = fabsf(value);
  if (size >= 65520) return (uint16_t)(sign | 0x7c00u);
  const int exponent = size < 0x1p-14f ? -14 : ilogbf(size);
  // Rounds to multiples of the last place; a carry increments the exponent.
  const uint32_t steps = (uint32_t)nearbyintf(ldexpf(size, 10 - exponent));
  return (uint16_t)(sign | ((uint32_t)(exponent + 14) * 1024u + steps));
}

namespace {

uint16_t ToBF16(float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  if (isnan(value)) return 0x7fff;
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

constexpr uint32_t kLeftOut = 0x1fffu;  // bits of float32 that TF32 products ignore

float FromTF32(uint32_t bits) {
  const uint32_t kept = bits & ~kLeftOut;
  float value = 0;
  memcpy(&value, &kept, sizeof value);
  return value;
}

// Element `k` of the 32 bytes of a line that lanes hold: the first 16 in `low`, the others in
// `high`.
uint32_t BitsOf(const std::array<Held, kLanes>& all, unsigned line, int k, int bytes, int low,
                int high) {
  const int at = k * bytes;
  const uint32_t word = all[line % 8 * 4 + (unsigned)(at % 16 / 4)].words[at < 16 ? low : high];
  const uint32_t shifted = word >> (8 * (at % 4));
  return bytes == 4 ? word : bytes == 1 ? shifted & 0xffu : shifted & 0xffffu;
}

}  // namespace

void CopyAsync(void* shared, const void* global, int size, int bytes) {
  const uintptr_t whole = (uintptr_t)size;
  if ((uintptr_t)shared % whole != 0 || (uintptr_t)global % whole != 0) {
    Fail("a copy of %d bytes from %p to %p, which are not both aligned to it", size, global,
         shared);
  }
  if (bytes < 0 || bytes > size) Fail("a copy of %d bytes of which %d are read", size, bytes);
  BegunCopy copy;
  copy.to = shared;
  copy.size = whole;
  if (bytes > 0) Access((uintptr_t)global, (size_t)bytes, false);
  memcpy(copy.bytes.data(), global, (size_t)bytes);
  Access((uintptr_t)shared, whole, true);
  MarkCopy((uintptr_t)shared, whole, true);
  CopiesOfThisThread().begun.push_back(copy);
}

void CommitCopies() {
  ThreadCopies& own = CopiesOfThisThread();
  own.groups.push_back(std::move(own.begun));
  own.begun.clear();
}

void ArriveAfterCopies(const void* barrier, bool counted) {
  ThreadCopies& own = CopiesOfThisThread();
  std::vector<BegunCopy> all;
  for (const std::vector<BegunCopy>& group : own.groups)
    all.insert(all.end(), group.begin(), group.end());
  all.insert(all.end(), own.begun.begin(), own.begun.end());
  own.groups.clear();
  own.begun.clear();
  std::vector<OwnCopy> copies;
  for (const BegunCopy& copy : all) copies.push_back({copy.to, copy.size, copy.bytes.data()});
  ArriveWithCopies(barrier, counted, copies.data(), copies.size());
}

void WaitForCopies(int left) {
  ThreadCopies& own = CopiesOfThisThread();
  while ((int)own.groups.size() > left) {
    for (const BegunCopy& copy : own.groups.front()) {
      MarkCopy((uintptr_t)copy.to, copy.size, false);
      Access((uintptr_t)copy.to, copy.size, true);
      memcpy(copy.to, copy.bytes.data(), copy.size);
    }
    own.groups.pop_front();
  }
}

uint16_t Narrowed(Cores cores, float value) {
  return cores == Cores::kF16 ? ToF16(value) : ToBF16(value);
}

uint32_t RoundedToTF32(uint32_t bits) {
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return finite ? (bits + (kLeftOut + 1) / 2) & ~kLeftOut : bits;
}

namespace {

// Collects the row addresses of the matrices, one from each lane.
std::array<Held, kLanes> RowsOfMatrices(const void* row, unsigned count) {
  if (Lane() < 8 * count && (uintptr_t)row % kChunk != 0)
    Fail("a row of a matrix at %p, which is not a multiple of 16", row);
  Held own;
  memcpy(own.words, &row, sizeof row);
  return Together(own);
}

}  // namespace

void LoadMatrices(uint32_t* to, const void* row, unsigned count, bool transposed) {
  const std::array<Held, kLanes> rows = RowsOfMatrices(row, count);
  const unsigned lane = Lane();
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    const auto part = [&](unsigned r, unsigned byte, size_t bytes, void* into) {
      const uint8_t* from = nullptr;
      memcpy(&from, rows[matrix * 8 + r].words, sizeof from);
      Access((uintptr_t)(from + byte), bytes, false);
      memcpy(into, from + byte, bytes);
    };
    if (!transposed) {
      part(lane / 4, lane % 4 * 4, 4, &to[matrix]);
      continue;
    }
    uint16_t halves[2] = {};
    for (unsigned i = 0; i < 2; ++i) part(lane % 4 * 2 + i, lane / 4 * 2, 2, &halves[i]);
    memcpy(&to[matrix], halves, sizeof halves);
  }
}

void StoreMatrices(void* row, const uint32_t* from, unsigned count, bool transposed) {
  const std::array<Held, kLanes> rows = RowsOfMatrices(row, count);
  const unsigned lane = Lane();
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    const auto put = [&](unsigned r, unsigned byte, size_t bytes, const void* value) {
      uint8_t* to = nullptr;
      memcpy(&to, rows[matrix * 8 + r].words, sizeof to);
      Access((uintptr_t)(to + byte), bytes, true);
      memcpy(to + byte, value, bytes);
    };
    if (!transposed) {
      put(lane / 4, lane % 4 * 4, 4, &from[matrix]);
      continue;
    }
    uint16_t halves[2];
    memcpy(halves, &from[matrix], sizeof halves);
    for (unsigned i = 0; i < 2; ++i) put(lane % 4 * 2 + i, lane / 4 * 2, 2, &halves[i]);
  }
}

void AddProducts(Cores cores, void* sums, const uint32_t* a, const uint32_t* b) {
  Held own;
  memcpy(own.words, a, 4 * sizeof *a);
  memcpy(own.words + 4, b, 2 * sizeof *b);
  const std::array<Held, kLanes> all = Together(own);
  const int bytes = cores == Cores::kS8 ? 1 : cores == Cores::kTF32 ? 4 : 2;
  const auto value = [&](uint32_t bits) {
    if (cores == Cores::kTF32) return FromTF32(bits);
    return cores == Cores::kF16 ? FromF16(bits) : FromBF16(bits);
  };
  for (int i = 0; i < 4; ++i) {
    const unsigned row = Lane() / 4 + (unsigned)(i / 2) * 8;
    const unsigned column = Lane() % 4 * 2 + (unsigned)(i % 2);
    const int first = row < 8 ? 0 : 1;  // of the lane's words
    double exact = 0;
    int32_t whole = 0;
    for (int k = 0; k < 32 / bytes; ++k) {
      const uint32_t x = BitsOf(all, row, k, bytes, first, first + 2);
      const uint32_t y = BitsOf(all, column, k, bytes, 4, 5);
      if (cores == Cores::kS8) {
        whole += (int8_t)x * (int8_t)y;
      } else {
        exact += (double)value(x) * value(y);
      }
    }
    if (cores == Cores::kS8) {
      int32_t* const sum = (int32_t*)sums + i;
      *sum = (int32_t)((uint32_t)*sum + (uint32_t)whole);
    } else {
      float* const sum = (float*)sums + i;
      *sum = (float)(*sum + exact);
    }
  }
}

}  // namespace lathe_emulation

// Tensor maps, and copies of boxes to shared memory. A copy completes as late as possible: when no
// thread can continue without it, the latest first.
#include <string.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "emulation.h"
#include "hopper.h"
#include "knowledge.h"

namespace lathe_emulation {
namespace {

constexpr uint64_t kIsMap = 0x6c61746865206d61u;
constexpr size_t kWindowBytes = 232448;  // maximum per block
constexpr size_t kPast = 144;            // offset from a multiple of 1024

// The contents of a CUtensorMap.
struct Map {
  uint64_t is_map = 0;
  uint32_t axes = 0, bytes = 0;  // of an element
  uintptr_t first = 0;
  uint64_t strides[4] = {};  // in bytes; from the second axis on
  uint32_t extents[5] = {};
  uint16_t part[5] = {};
  bool swizzles = false;
};
static_assert(sizeof(Map) <= sizeof(CUtensorMap), "it has to fit");

// Copies of one thread that arrive together when all are complete.
struct Arrival {
  size_t mbarrier = 0;
  unsigned thread = 0;
  size_t missing = 0;  // copies in flight
};

// The destination of a copy in shared memory, and its readers.
struct Part {
  uint64_t number = 0;
  uintptr_t begin = 0, end = 0;
  std::vector<uint8_t> bytes;
  MbarrierPhase phase;
  bool there = false;
  std::array<uint32_t, kMaxWarps> readers = {};  // the last reading group of products of each warp
  std::shared_ptr<Arrival> arrival;              // null: its bytes arrive
};

// A copy of a run of bytes from shared memory, in flight.
struct Store {
  void* to = nullptr;
  const void* from = nullptr;
  size_t bytes = 0;
};
struct Stores {
  std::vector<Store> begun;
  std::deque<std::vector<Store>> groups;
};

struct BoxCopies {
  std::vector<Part> parts;  // oldest first
  uint64_t begun = 0;
  std::map<unsigned, Stores> stores;  // by thread
};

BoxCopies& CopiesHere() {
  static BoxCopies copies;
  return copies;
}

alignas(1024) char window[1024 + kWindowBytes];

// Overwrites earlier data: checks that it is no longer needed, and that this thread knows it.
void Replace(const Part& made) {
  std::vector<Part>& parts = CopiesHere().parts;
  const Known& known = KnownBy(ThreadNumber());
  for (const Part& part : parts) {
    if (part.end <= made.begin || made.end <= part.begin) continue;
    if (!part.there) {
      Fail("a copy to shared memory at %p, which another copy is writing", (void*)made.begin);
    }
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
      if (part.readers[warp] > known.products[warp]) {
        Fail("a copy to shared memory at %p, which warp %u may still multiply", (void*)made.begin,
             warp);
      }
    }
    if (known.phases[part.phase.number] <= part.phase.phase) {
      Fail("a copy to shared memory at %p, which another copy may still be writing",
           (void*)made.begin);
    }
  }
  parts.erase(std::remove_if(
                  parts.begin(), parts.end(),
                  [&](const Part& part) { return part.begin < made.end && made.begin < part.end; }),
              parts.end());
}

// The swizzled position of byte `at` in a row of 128 bytes: chunks of 16 are permuted by the row's
// number.
uintptr_t Swizzled(uintptr_t at) { return at ^ ((at >> 7 & 7u) << 4); }

}  // namespace

uint32_t SharedAddress(const void* at) {
  const uintptr_t first = (uintptr_t)window, place = (uintptr_t)at;
  if (place < first + kPast || place >= first + kPast + SharedBytes()) {
    Fail("thread %u uses shared memory at %p, which the launch did not allocate", ThreadNumber(),
         at);
  }
  return (uint32_t)(place - first);
}

uintptr_t SharedWindow() { return (uintptr_t)window; }

char* BlockMemory() { return window + kPast; }

void BeginCopies() { CopiesHere() = {}; }

void EndCopies() {
  for (const auto& [thread, stores] : CopiesHere().stores) {
    if (!stores.begun.empty() || !stores.groups.empty()) {
      Fail("a block ended while thread %u copies from shared memory", thread);
    }
  }
  for (const Part& part : CopiesHere().parts) {
    if (!part.there) Fail("a block ended while a copy to %p was incomplete", (void*)part.begin);
  }
}

bool LandCopy() {
  std::vector<Part>& parts = CopiesHere().parts;
  for (size_t i = parts.size(); i-- > 0;) {
    Part& part = parts[i];
    if (part.there) continue;
    part.there = true;
    MarkCopy(part.begin, part.bytes.size(), false);
    memcpy((void*)part.begin, part.bytes.data(), part.bytes.size());
    if (part.arrival == nullptr) {
      BytesArrive(part.phase.number, (int64_t)part.bytes.size());
    } else if (--part.arrival->missing == 0) {
      ArriveAt(part.arrival->mbarrier, part.arrival->thread, 1);
    }
    return true;
  }
  return false;
}

void CopyPart(void* shared, const CUtensorMap* given, const int32_t* at, int axes,
              lathe_mbarrier* barrier) {
  Map map;
  memcpy((void*)&map, given, sizeof map);
  if (map.is_map != kIsMap) Fail("a copy by an invalid tensor map at %p", (const void*)given);
  if ((int)map.axes != axes) Fail("a copy of %d axes by a tensor map of %u", axes, map.axes);
  if (SharedAddress(shared) % 128u != 0u)
    Fail("a copy to %p, which is not a multiple of 128", shared);
  const size_t row = (size_t)map.part[0] * map.bytes;
  size_t rows = 1;
  for (int i = 1; i < axes; ++i) rows *= map.part[i];
  Part made;
  made.number = ++CopiesHere().begun;
  made.begin = (uintptr_t)shared;
  made.end = made.begin + row * rows;
  (void)SharedAddress((const char*)shared + row * rows - 1);
  made.phase = PhaseOf(barrier);
  made.bytes.resize(row * rows);
  Replace(made);
  for (size_t r = 0; r < rows; ++r) {
    uintptr_t from = map.first;
    size_t rest = r;
    bool there = true;
    for (int i = 1; i < axes; ++i) {
      const int64_t place = at[i] + (int64_t)(rest % map.part[i]);
      rest /= map.part[i];
      there = there && place >= 0 && place < (int64_t)map.extents[i];
      from += (uint64_t)place * map.strides[i - 1];
    }
    const int64_t first = std::max<int64_t>(0, -(int64_t)at[0]);
    const int64_t last = std::min<int64_t>(map.part[0], (int64_t)map.extents[0] - at[0]);
    if (!there || first >= last) continue;
    from += (uint64_t)((at[0] + first) * map.bytes);
    const size_t bytes = (size_t)(last - first) * map.bytes;
    Access(from, bytes, false);
    for (size_t i = 0; i < bytes; ++i) {
      const uintptr_t to = made.begin + r * row + (size_t)first * map.bytes + i;
      made.bytes[(map.swizzles ? Swizzled(to) : to) - made.begin] = ((const uint8_t*)from)[i];
    }
  }
  MarkCopy(made.begin, made.bytes.size(), true);
  CopiesHere().parts.push_back(std::move(made));
}

namespace {

void CheckRun(const void* to, const void* from, int bytes) {
  if ((uintptr_t)to % 16 != 0 || (uintptr_t)from % 16 != 0 || bytes < 0 || bytes % 16 != 0) {
    Fail("a copy of %d bytes from %p to %p, which are not all multiples of 16", bytes, from, to);
  }
}

}  // namespace

void CopyBytes(void* shared, const void* global, int bytes, const void* barrier) {
  CheckRun(shared, global, bytes);
  if (IsGlobal((uintptr_t)shared, 1) || !IsGlobal((uintptr_t)global, (size_t)bytes)) {
    Fail("a copy of %d bytes from %p to %p, which is not from memory of the GPU to shared memory",
         bytes, global, shared);
  }
  Part made;
  made.number = ++CopiesHere().begun;
  made.begin = (uintptr_t)shared;
  made.end = made.begin + (size_t)bytes;
  made.phase = PhaseOf(barrier);
  Access((uintptr_t)global, (size_t)bytes, false);
  made.bytes.assign((const uint8_t*)global, (const uint8_t*)global + bytes);
  Access(made.begin, (size_t)bytes, true, false);
  Replace(made);
  MarkCopy(made.begin, made.bytes.size(), true);
  CopiesHere().parts.push_back(std::move(made));
}

void ArriveWithCopies(const void* mbarrier, bool counted, const OwnCopy* copies, size_t count) {
  const MbarrierPhase phase = PhaseOf(mbarrier, false);
  if (!counted) ExpectOneMore(phase.number);
  if (count == 0) return ArriveAt(phase.number, ThreadNumber(), 1);
  const auto arrival = std::make_shared<Arrival>(Arrival{phase.number, ThreadNumber(), count});
  for (size_t i = 0; i < count; ++i) {
    Part made;
    made.number = ++CopiesHere().begun;
    made.begin = (uintptr_t)copies[i].to;
    made.end = made.begin + copies[i].bytes;
    made.phase = phase;
    made.bytes.assign((const uint8_t*)copies[i].from,
                      (const uint8_t*)copies[i].from + copies[i].bytes);
    made.arrival = arrival;
    Replace(made);
    CopiesHere().parts.push_back(std::move(made));
  }
}

void CheckCopied(uintptr_t at, size_t bytes, bool writes) {
  for (const Part& part : CopiesHere().parts) {
    if (part.end <= at || at + bytes <= part.begin || !part.there) continue;
    if (KnownBy(ThreadNumber()).phases[part.phase.number] > part.phase.phase) continue;
    Fail("thread %u %s shared memory at %p, where a copy may be incomplete: it was not waited for",
         ThreadNumber(), writes ? "writes" : "reads", (void*)at);
  }
}

void StoreBytes(void* global, const void* shared, int bytes) {
  CheckRun(global, shared, bytes);
  if (IsGlobal((uintptr_t)shared, 1) || !IsGlobal((uintptr_t)global, (size_t)bytes)) {
    Fail("a copy of %d bytes from %p to %p, which is not from shared memory to memory of the GPU",
         bytes, shared, global);
  }
  Access((uintptr_t)shared, (size_t)bytes, false);
  Access((uintptr_t)global, (size_t)bytes, true);
  CopiesHere().stores[ThreadNumber()].begun.push_back({global, shared, (size_t)bytes});
}

void CommitStores() {
  Stores& own = CopiesHere().stores[ThreadNumber()];
  own.groups.push_back(std::move(own.begun));
  own.begun.clear();
}

// Reads the source and completes as late as possible.
void WaitForStores(int left, bool) {
  Stores& own = CopiesHere().stores[ThreadNumber()];
  while ((int)own.groups.size() > left) {
    for (const Store& store : own.groups.front()) memcpy(store.to, store.from, store.bytes);
    own.groups.pop_front();
  }
}

uint64_t CopyOf(uintptr_t chunk) {
  for (const Part& part : CopiesHere().parts) {
    if (chunk >= part.begin && chunk + 16 <= part.end) return part.number;
  }
  Fail("thread %u multiplies shared memory at %p, to which nothing was copied", ThreadNumber(),
       (void*)chunk);
}

void ReadByProducts(uint64_t copy, unsigned warp, uint32_t group) {
  std::vector<Part>& parts = CopiesHere().parts;
  const auto part =
      std::find_if(parts.begin(), parts.end(), [&](const Part& one) { return one.number == copy; });
  if (part == parts.end()) Fail("warp %u multiplies memory that another copy overwrites", warp);
  if (!part->there || KnownBy(ThreadNumber()).phases[part->phase.number] <= part->phase.phase) {
    Fail(
        "thread %u multiplies shared memory at %p, where a copy is incomplete: it was not waited "
        "for",
        ThreadNumber(), (void*)part->begin);
  }
  part->readers[warp] = std::max(part->readers[warp], group);
}

}  // namespace lathe_emulation

using namespace lathe_emulation;

CUresult cuTensorMapEncodeTiled(CUtensorMap* given, CUtensorMapDataType type, cuuint32_t axes,
                                void* first, const cuuint64_t* extents, const cuuint64_t* strides,
                                const cuuint32_t* part, const cuuint32_t* steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  Map map;
  map.is_map = kIsMap;
  map.axes = axes;
  map.bytes = type == CU_TENSOR_MAP_DATA_TYPE_UINT8 ? 1 : 2;
  map.first = (uintptr_t)first;
  map.swizzles = swizzle == CU_TENSOR_MAP_SWIZZLE_128B;
  bool fine = axes >= 1 && axes <= 5 && map.first % 16 == 0 &&
              interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && part[0] * map.bytes % 16 == 0 &&
              (!map.swizzles || part[0] * map.bytes <= 128);
  for (cuuint32_t i = 0; fine && i < axes; ++i) {
    fine = extents[i] >= 1 && extents[i] <= (cuuint64_t)1 << 32 && part[i] >= 1 && part[i] <= 256 &&
           steps[i] == 1;
    map.extents[i] = (uint32_t)extents[i];
    map.part[i] = (uint16_t)part[i];
    if (i == 0) continue;
    fine = fine && strides[i - 1] % 16 == 0 && strides[i - 1] < (cuuint64_t)1 << 40;
    map.strides[i - 1] = strides[i - 1];
  }
  if (!fine) return CUDA_ERROR_INVALID_VALUE;
  memcpy(given, &map, sizeof map);
  return CUDA_SUCCESS;
}

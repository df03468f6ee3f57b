// Runs grids: blocks one after the other, the threads of a block as fibers. A thread runs until it
// has to wait for others; one that never waits costs no more than a call.
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "emulation.h"

namespace lathe_emulation {

Place here;

namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr unsigned kWarp = 32;

enum class State { kIdle, kRunning, kAtBarrier, kExchanging, kAwaiting, kLooking, kReady };

// Limit of rounds in which threads only poll, one address each, without any change: more are a
// deadlock. More addresses than these are data, not flags.
constexpr size_t kMaxLooks = 10000, kMaxPlaces = 1024;

struct Fiber {
  ucontext_t context = {};
  char* stack = nullptr;
  State state = State::kIdle;
  Place place;
  unsigned number = 0;  // index of its thread
  // Its value in an exchange.
  unsigned mask = 0;
  uint64_t value = 0;
  int from = 0;
  bool there = false;
  bool orders = true;
  // The phase that it waits for.
  size_t mbarrier = 0;
  uint32_t parity = 0;
  std::map<uintptr_t, uint64_t> found;  // polled addresses and values
};

class Block {
 public:
  void Run(const Work& work, Place first) {
    work_ = &work;
    first_ = first;
    count_ = first.threads.x * first.threads.y * first.threads.z;
    next_ = finished_ = 0;
    moment_.interval = 0;
    said_ = {};
    exchanges_.assign((count_ + kWarp - 1) / kWarp, 0);
    meetings_.assign(exchanges_.size(), 0);
    done_.assign(count_, false);
    BeginMbarriers(count_);
    BeginCopies();
    BeginGroups(count_);
    while (next_ < count_) Resume(Idle());
    for (size_t looks = 0; finished_ < count_;) {
      const uint64_t changes = changes_;
      if (!Release()) {
        FailIfAwaiting();
        Fail(
            "threads of block (%u, %u, %u) wait for each other: %u of %u have ended, the others "
            "are at a barrier or warp exchange that not all reach",
            first.block.x, first.block.y, first.block.z, finished_, count_);
      }
      for (size_t i = 0; i < fibers_.size(); ++i) {
        if (fibers_[i]->state == State::kReady) Resume(*fibers_[i]);
      }
      looks = only_looks_ && changes == changes_ ? looks + 1 : 0;
      if (looks > kMaxLooks && looks > kMaxLooks * Places()) FailLooking();
    }
    EndCopies();
    EndGroups();
  }

  void Wait(State state) {
    current_->state = state;
    (void)swapcontext(&current_->context, &scheduler_);
  }

  // Runs on a fiber: starts threads until there are none left.
  void Go() {
    for (;;) {
      while (next_ < count_) {
        Fiber& own = *current_;
        own.number = next_++;
        own.found.clear();
        own.place = first_;
        own.place.thread = {own.number % first_.threads.x,
                            own.number / first_.threads.x % first_.threads.y,
                            own.number / first_.threads.x / first_.threads.y};
        here = own.place;
        work_->call(work_->parameters);
        done_[current_->number] = true;
        ++finished_;
      }
      Wait(State::kIdle);
    }
  }

  unsigned LanesOfWarp() const {
    unsigned lanes = 0;
    const unsigned first = current_->number / kWarp * kWarp;
    for (unsigned lane = 0; lane < kWarp && first + lane < count_; ++lane) {
      lanes |= 1u << lane;
    }
    return lanes;
  }

  const Work* work_ = nullptr;
  size_t shared_bytes_ = 0;  // dynamic shared memory of the launch
  Moment moment_;
  Fiber* current_ = nullptr;
  std::vector<uint32_t> exchanges_, meetings_;  // of each warp
  std::array<bool, 2> said_ = {};               // at the next barrier, and at the last one
  uint64_t changes_ = 0;                        // of memory

 private:
  static void Enter();

  Fiber& Idle() {
    for (const auto& fiber : fibers_) {
      if (fiber->state == State::kIdle) return *fiber;
    }
    fibers_.push_back(std::make_unique<Fiber>());
    Fiber& made = *fibers_.back();
    void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) Fail("cannot allocate the stack of a thread");
    made.stack = (char*)stack;
    (void)getcontext(&made.context);
    made.context.uc_stack.ss_sp = stack;
    made.context.uc_stack.ss_size = kStackBytes;
    made.context.uc_link = nullptr;
    makecontext(&made.context, Enter, 0);
    return made;
  }

  void Resume(Fiber& fiber) {
    fiber.state = State::kRunning;
    current_ = &fiber;
    here = fiber.place;
    (void)swapcontext(&scheduler_, &fiber.context);
    current_ = nullptr;
  }

  // Resumes the fibers whose condition holds; false if there are none.
  bool Release() {
    bool any = false;
    unsigned at_barrier = 0;
    for (const auto& fiber : fibers_) at_barrier += fiber->state == State::kAtBarrier ? 1u : 0u;
    only_looks_ = false;
    if (at_barrier == count_ - finished_) {
      ++moment_.interval;
      said_[moment_.interval % 2] = false;
      std::vector<unsigned> all;
      for (const auto& fiber : fibers_) {
        if (fiber->state != State::kAtBarrier) continue;
        fiber->state = State::kReady;
        all.push_back(fiber->number);
      }
      Meet(all);
      return true;
    }
    for (const auto& fiber : fibers_) {
      if (fiber->state == State::kExchanging && Exchanged(*fiber)) any = true;
      if (fiber->state == State::kAwaiting && PhaseHasEnded(fiber->mbarrier, fiber->parity)) {
        fiber->state = State::kReady;
        any = true;
      }
    }
    any = any || LandCopy();
    only_looks_ = !any;
    for (const auto& fiber : fibers_) {
      if (fiber->state != State::kLooking) continue;
      fiber->state = State::kReady;
      any = true;
    }
    return any;
  }

  // If one thread polls, resumes the one that has polled least.
  size_t Places() const {
    size_t most = 0;
    for (const auto& fiber : fibers_) most = std::max(most, fiber->found.size());
    return most;
  }

  [[noreturn]] void FailLooking() const {
    unsigned looking = 0;
    for (const auto& fiber : fibers_) looking += fiber->state == State::kLooking ? 1u : 0u;
    Fail(
        "%u threads of block (%u, %u, %u) wait in a loop for a value that no thread of their block "
        "is left to store; the emulation runs blocks in order, so a block cannot wait for a later "
        "one",
        looking, first_.block.x, first_.block.y, first_.block.z);
  }

  // If one thread waits for bytes, completes a copy.
  void FailIfAwaiting() const {
    for (bool for_bytes : {true, false}) {
      for (const auto& fiber : fibers_) {
        if (fiber->state != State::kAwaiting || (for_bytes && !LacksBytes(fiber->mbarrier)))
          continue;
        FailAwaiting(fiber->number, fiber->mbarrier, fiber->parity);
      }
    }
  }

  Fiber* Exchanging(unsigned warp, unsigned lane, unsigned mask) {
    for (const auto& fiber : fibers_) {
      if (fiber->number == warp * kWarp + lane && fiber->state == State::kExchanging &&
          fiber->mask == mask) {
        return fiber.get();
      }
    }
    return nullptr;
  }

  // All lanes of the fiber's mask have arrived: delivers the values.
  bool Exchanged(Fiber& first) {
    const unsigned warp = first.number / kWarp, mask = first.mask;
    std::vector<Fiber*> lanes(kWarp, nullptr);
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      const unsigned number = warp * kWarp + lane;
      if ((mask >> lane & 1u) == 0u || number >= count_) continue;
      if (done_[number]) {
        Fail("thread %u waits for thread %u of its warp, which has ended", first.number, number);
      }
      lanes[lane] = Exchanging(warp, lane, mask);
      if (lanes[lane] == nullptr) return false;
    }
    std::vector<unsigned> all;
    std::vector<uint64_t> values(kWarp, 0);
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      if (lanes[lane] == nullptr) continue;
      values[lane] = lanes[lane]->value;
      all.push_back(lanes[lane]->number);
    }
    Meet(all);
    for (Fiber* lane : lanes) {
      if (lane == nullptr) continue;
      const int from = lane->from;
      lane->there = from >= 0 && from < (int)kWarp && lanes[(size_t)from] != nullptr;
      if (lane->there) lane->value = values[(size_t)from];
      lane->state = State::kReady;
    }
    exchanges_[warp] += first.orders ? 1u : 0u;
    ++meetings_[warp];
    return true;
  }

  Place first_;
  unsigned count_ = 0, next_ = 0, finished_ = 0;
  std::vector<bool> done_;
  bool only_looks_ = false;  // the resumed thread polls, without the value that it waits for
  std::vector<std::unique_ptr<Fiber>> fibers_;
  ucontext_t scheduler_ = {};
};

Block& TheBlock() {
  static Block block;
  return block;
}

void Block::Enter() { TheBlock().Go(); }

}  // namespace

void Barrier() { TheBlock().Wait(State::kAtBarrier); }

bool BarrierWith(bool said) {
  bool& any = TheBlock().said_[Now().interval % 2];
  any = any || said;
  Barrier();
  return any;
}

unsigned ThreadNumber() { return TheBlock().current_->number; }
unsigned Lane() { return ThreadNumber() % kWarp; }
unsigned LanesOfWarp() { return TheBlock().LanesOfWarp(); }

uint64_t Exchange(unsigned mask, uint64_t value, int from, bool* there, bool orders) {
  Fiber& own = *TheBlock().current_;
  if ((mask >> Lane() & 1u) == 0u)
    Fail("thread %u is not in the mask that it specifies", own.number);
  own.mask = mask;
  own.value = value;
  own.from = from;
  own.orders = orders;
  TheBlock().Wait(State::kExchanging);
  *there = own.there;
  return own.value;
}

void AwaitPhase(size_t mbarrier, uint32_t parity) {
  Fiber& own = *TheBlock().current_;
  own.mbarrier = mbarrier;
  own.parity = parity;
  TheBlock().Wait(State::kAwaiting);
}

void NoteChange() { ++TheBlock().changes_; }

bool Look(uintptr_t at, uint64_t found) {
  Fiber& own = *TheBlock().current_;
  if (own.found.size() > kMaxPlaces) own.found.clear();
  const auto [place, is_new] = own.found.try_emplace(at, found);
  const bool again = !is_new && place->second == found;
  place->second = found;
  if (again) TheBlock().Wait(State::kLooking);
  return again;
}

size_t SharedBytes() { return TheBlock().shared_bytes_; }

bool IsRunning() { return TheBlock().current_ != nullptr; }

bool IsOnStack(uintptr_t at) {
  const uintptr_t stack = (uintptr_t)TheBlock().current_->stack;
  return at >= stack && at < stack + kStackBytes;
}

bool IsParameter(uintptr_t at) {
  const Work& work = *TheBlock().work_;
  const uintptr_t first = (uintptr_t)work.parameters;
  return at >= first && at < first + work.bytes;
}

Moment Now() {
  Block& block = TheBlock();
  Moment moment = block.moment_;
  moment.thread = block.current_->number;
  moment.exchanges = block.exchanges_[moment.thread / kWarp];
  moment.meetings = block.meetings_[moment.thread / kWarp];
  return moment;
}

void RunGrid(const cudaLaunchConfig_t& config, const Work& work) {
  Block& block = TheBlock();
  block.moment_.launch = block.moment_.block + 1;
  block.shared_bytes_ = config.dynamicSmemBytes;
  Place place;
  place.threads = config.blockDim;
  place.blocks = config.gridDim;
  place.thread = {0, 0, 0};
  for (unsigned z = 0; z < config.gridDim.z; ++z) {
    for (unsigned y = 0; y < config.gridDim.y; ++y) {
      for (unsigned x = 0; x < config.gridDim.x; ++x) {
        place.block = {x, y, z};
        ++block.moment_.block;
        block.Run(work, place);
      }
    }
  }
}

}  // namespace lathe_emulation

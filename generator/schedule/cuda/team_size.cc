#include "generator/schedule/cuda/team_size.h"

#include "generator/target/gpu.h"

namespace lathe::schedule {
namespace {

constexpr int kMostTeamThreads = 1024;
constexpr int kSomeTeamThreads = 256;  // of a block for rows of any length
// What a thread keeps of a row in registers, at most.
constexpr int64_t kMostTurns = 16;
// A block of fewer threads than it may have has this many elements for each.
constexpr int64_t kTurns = 8;
// A thread of a warp has this many to begin with, so that its loads overlap.
constexpr int64_t kFewTurns = 4;
// Threads that a GPU wants to be busy.
constexpr int64_t kBusy = 32768;

}  // namespace

TeamSize ChooseTeam(std::optional<int64_t> rows, std::optional<int64_t> length) {
  if (!length) return {rows && *rows == 1 ? kMostTeamThreads : kSomeTeamThreads, 0};
  int threads = 2;
  while (threads<kWarp&& * length> threads * kFewTurns) threads *= 2;
  const bool few = rows && *rows * kWarp < kBusy;
  if (*length > kWarp * kMostTurns || (few && *length > kWarp * kFewTurns)) {
    const int64_t turns = few ? kFewTurns : kTurns;
    while (threads<kMostTeamThreads&& * length> threads * turns) threads *= 2;
  }
  return TeamOfColumns(threads, length);
}

TeamSize TeamOfColumns(int threads, std::optional<int64_t> length) {
  const int64_t turns = length ? (*length + threads - 1) / threads : 0;
  return {threads, turns > kMostTurns ? 0 : turns};
}

}  // namespace lathe::schedule

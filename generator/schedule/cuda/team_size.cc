#include "generator/schedule/cuda/team_size.h"

#include "generator/target/gpu.h"

namespace lathe::schedule {
namespace {

constexpr int kMostTeamThreads = 1024;
constexpr int kSomeTeamThreads = 256;  // of a block for rows of dynamic length
// The limit of elements of a row that a thread keeps in registers.
constexpr int64_t kMostTurns = 16;
// The elements for each thread in a block below the maximum size.
constexpr int64_t kTurns = 8;
// The minimum elements for each thread in a warp, so that its loads overlap.
constexpr int64_t kFewTurns = 4;
// The threads that occupy a GPU.
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

#include "generator/schedule/cuda/team_size.h"

#include "generator/target/gpu.h"

namespace lathe::schedule {
namespace {

constexpr int kMaxTeamThreads = 1024;
constexpr int kSomeTeamThreads = 256;  // of a block for rows of dynamic length
// The limit of elements of a row that a thread keeps in registers.
constexpr int64_t kMaxIterations = 16;
// The elements for each thread in a block below the maximum size.
constexpr int64_t kIterations = 8;
// The minimum elements for each thread in a warp, so that its loads overlap.
constexpr int64_t kFewIterations = 4;
// The threads that occupy a GPU.
constexpr int64_t kBusy = 32768;

}  // namespace

TeamSize ChooseTeam(std::optional<int64_t> rows, std::optional<int64_t> length) {
  if (!length) return {rows && *rows == 1 ? kMaxTeamThreads : kSomeTeamThreads, 0};
  int threads = 2;
  while (threads<kWarp&& * length> threads * kFewIterations) threads *= 2;
  const bool few = rows && *rows * kWarp < kBusy;
  if (*length > kWarp * kMaxIterations || (few && *length > kWarp * kFewIterations)) {
    const int64_t iterations = few ? kFewIterations : kIterations;
    while (threads<kMaxTeamThreads&& * length> threads * iterations) threads *= 2;
  }
  return TeamOfColumns(threads, length);
}

TeamSize TeamOfColumns(int threads, std::optional<int64_t> length) {
  const int64_t iterations = length ? (*length + threads - 1) / threads : 0;
  return {threads, iterations > kMaxIterations ? 0 : iterations};
}

}  // namespace lathe::schedule

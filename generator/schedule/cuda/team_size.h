// Chooses the number of threads that cooperate on a row.
#ifndef LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_
#define LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_

#include <cstdint>
#include <optional>

namespace lathe::schedule {

// The threads that cooperate on a row, and their work.
struct TeamSize {
  int threads = 0;         // a power of two
  int64_t iterations = 0;  // elements of a row for each thread; 0: more than 16, or unknown
};

// Returns the team for `rows` rows of `length` elements. nullopt: the number is unknown.
TeamSize ChooseTeam(std::optional<int64_t> rows, std::optional<int64_t> length);

// Returns the team of exactly `threads` threads for a column of `length` elements. nullopt: the
// number is unknown.
TeamSize TeamOfColumns(int threads, std::optional<int64_t> length);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_

// How many threads share a row.
#ifndef LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_
#define LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_

#include <cstdint>
#include <optional>

namespace lathe::schedule {

struct TeamSize {
  int threads = 0;    // a power of two
  int64_t turns = 0;  // elements that a thread takes of a row; 0: many, or nobody knows
};

// Of so many rows of so many elements, where that is known.
TeamSize ChooseTeam(std::optional<int64_t> rows, std::optional<int64_t> length);

// Of columns that so many threads share.
TeamSize TeamOfColumns(int threads, std::optional<int64_t> length);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_

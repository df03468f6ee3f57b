// Chooses the number of threads that share a row.
#ifndef LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_
#define LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_

#include <cstdint>
#include <optional>

namespace lathe::schedule {

struct TeamSize {
  int threads = 0;    // a power of two
  int64_t turns = 0;  // elements of a row for each thread; 0: many or unknown
};

// For this number of rows and elements, if known.
TeamSize ChooseTeam(std::optional<int64_t> rows, std::optional<int64_t> length);

// For columns that this number of threads shares.
TeamSize TeamOfColumns(int threads, std::optional<int64_t> length);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_TEAM_SIZE_H_

// Where lathe validate runs what it compiled, and what for.
#ifndef LATHE_DRIVER_VALIDATE_VALIDATE_PLACE_H_
#define LATHE_DRIVER_VALIDATE_VALIDATE_PLACE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/plan/plan.h"
#include "generator/target/board.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::driver {

struct ValidatePlace {
  bool interprets = false;       // nothing is compiled
  const Board* board = nullptr;  // null for this machine
  const Target* target = nullptr;
  std::optional<GpuChoice> gpus;  // for CUDA
  bool emulates = false;          // a GPU, on this machine
  std::string device;             // the number of a GPU, where one is named
  std::string cc;
  std::vector<std::string> cflags;
  std::vector<std::string> externs;  // files with functions of the user's
  std::vector<std::string> on_gpu;   // the same for GPUs: .cu and .cpp
  std::vector<plan::Pool> pools;     // none: one arena
  bool profile = false;
  int seconds = 300;
};

// Of the options of lathe validate. Fails with what is wrong with them.
absl::StatusOr<ValidatePlace> ReadValidatePlace(const Arguments& args);

// The same where it has to be a GPU: of --on, --target, --cc, --cflags and --time-limit.
absl::StatusOr<ValidatePlace> ReadGpuPlace(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_VALIDATE_PLACE_H_

// Reads the options that select where `lathe validate` and `lathe bench` run generated code.
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
  bool interprets = false;       // --on interp: no code is generated
  const Board* board = nullptr;  // null for this machine
  const Target* target = nullptr;
  std::optional<GpuChoice> gpus;  // for CUDA
  bool emulates = false;          // --on cuda-emulation
  std::string device;             // the number in --on cuda:N, or empty
  std::string cc;
  std::vector<std::string> cflags;
  std::vector<std::string> externs;  // files with external functions for the host
  std::vector<std::string> on_gpu;   // for GPUs: .cu and .cpp
  std::vector<plan::Pool> pools;     // empty: one arena
  bool profile = false;
  int seconds = 300;
};

// Reads the options of `lathe validate`. Fails with a message for the user.
absl::StatusOr<ValidatePlace> ReadValidatePlace(const Arguments& args);

// Reads the options of `lathe bench`, which requires a GPU or its emulation: --on, --target, --cc,
// --cflags, --extern and --time-limit.
absl::StatusOr<ValidatePlace> ReadGpuPlace(const Arguments& args);

// Reads the options of `lathe profile`: --on qemu:BOARD, --target, --cc, --cflags, --extern and
// --time-limit.
absl::StatusOr<ValidatePlace> ReadBoardPlace(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_VALIDATE_PLACE_H_

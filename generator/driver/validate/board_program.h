// Builds a generated model as a bare-metal program of a board, with startup code, a main() and
// inputs, and runs it in an emulator.
#ifndef LATHE_DRIVER_VALIDATE_BOARD_PROGRAM_H_
#define LATHE_DRIVER_VALIDATE_BOARD_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/target/board.h"
#include "generator/target/target.h"

namespace lathe::driver {

struct BoardTools {
  const Board* board;
  const Target* target;
  std::string cc;
  std::vector<std::string> cflags;   // in addition to the flags of the target
  std::vector<std::string> externs;  // C files with external functions
  int seconds;                       // time limit of a run
};

// The results of two runs, with memory filled with 0xAA and with 0x55.
struct BoardRun {
  std::vector<std::string> outputs;  // bytes of all outputs, for each run
  uint64_t stack = 0;                // bytes that the model used
  uint64_t stack_top = 0;            // end address of the stack
};

// Returns the files of `model`, called `name`, and of the program that calls `function`.
absl::StatusOr<std::vector<emit::OutputFile>> BoardFiles(const GeneratedModel& model,
                                                         const emit::ApiFunction& function,
                                                         const std::string& name,
                                                         const std::vector<PartBytes>& inputs,
                                                         const std::vector<PartBytes>& outputs,
                                                         const Board& board);

// Builds `files` in `folder` as `image`. Fails with the output of the compiler, and with
// ResourceExhausted if the memory of the board is too small.
absl::Status BuildBoardProgram(const std::vector<emit::OutputFile>& files, const BoardTools& tools,
                               const std::string& folder);

// Fails with ResourceExhausted if constants and arena alone exceed the memory of the board.
absl::Status CheckBoardMemory(const GeneratedModel& model, const Board& board);

// Runs the image in the emulator, with `further` arguments. Fails with FailedPrecondition or
// DeadlineExceeded if the program misbehaves, and with ResourceExhausted if the memory or the stack
// of the board is too small.
absl::StatusOr<BoardRun> RunBoardProgram(const BoardTools& tools, const std::string& folder,
                                         const std::vector<std::string>& further = {});

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_BOARD_PROGRAM_H_

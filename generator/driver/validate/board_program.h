// A generated model with what makes it the program of a board: the reset, a main(), the inputs.
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
  std::vector<std::string> cflags;   // besides the target's own
  std::vector<std::string> externs;  // C files with functions of the user's
  int seconds;                       // that the board may take
};

// What came out, with memory filled with 0xAA and then with 0x55.
struct BoardRun {
  std::vector<std::string> outputs;  // all of each run
  uint64_t stack = 0;                // bytes that the model wrote to
  uint64_t stack_top = 0;            // the address below which they are
};

// The files of `model`, called `name`, and of the board's program that calls `function`.
absl::StatusOr<std::vector<emit::OutputFile>> BoardFiles(const GeneratedModel& model,
                                                         const emit::ApiFunction& function,
                                                         const std::string& name,
                                                         const std::vector<PartBytes>& inputs,
                                                         const std::vector<PartBytes>& outputs,
                                                         const Board& board);

// Builds them in `folder` as `image`. Fails with what the compiler said; ResourceExhausted when the
// board's memory is too small for the program.
absl::Status BuildBoardProgram(const std::vector<emit::OutputFile>& files, const BoardTools& tools,
                               const std::string& folder);

// ResourceExhausted when its constants and its arena alone are more than the board has.
absl::Status CheckRoom(const GeneratedModel& model, const Board& board);

// Runs it in the emulator, with `further` arguments. FailedPrecondition or DeadlineExceeded say
// that it did not do what it should.
absl::StatusOr<BoardRun> RunBoardProgram(const BoardTools& tools, const std::string& folder,
                                         const std::vector<std::string>& further = {});

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_BOARD_PROGRAM_H_

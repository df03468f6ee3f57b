// Prints the calls with which a model for validation reports the memory that each step may write.
//
// A guarded plan (plan::PlanGuarded) reserves guard bytes around each tensor, which no step may
// write. The functions of templates/validate/guards.h.tmpl check them. For any other plan the
// functions in this file print nothing.
#ifndef LATHE_EMIT_C_PRINT_GUARDS_H_
#define LATHE_EMIT_C_PRINT_GUARDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_frame.h"
#include "generator/emit/c/print_moves.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Returns the name of the file that declares the functions.
std::string GuardHeader(const std::string& model);
// The names of the functions, without the prefix of the model.
inline constexpr const char* kGuardFunctions[] = {"guard", "wrote", "stepped", "freed"};

class GuardPrinter {
 public:
  GuardPrinter(Model& model, ir::RoutineId id, FrameText& frame, MovePrinter& moves)
      : model_(model), id_(id), frame_(frame), moves_(moves) {}

  // Returns the calls that register the guards of the routine's frame, for the start of each
  // iteration. Fails as After() does.
  absl::StatusOr<std::string> OfFrame();
  // Prints the call before the lines of `step`. Must be called for every step: it counts them.
  void Before(const ir::Step& step, LineWriter& out);
  // Prints the calls after the lines of `step`, one for each tensor that it wrote. Fails if a size
  // or a pointer cannot be printed as C.
  absl::Status After(const ir::Step& step, LineWriter& out);
  // Prints the call that releases the callee's frame after `step`, the call number `number` of the
  // routine. It is printed before the allocation of the tensors that the callee returned.
  void AfterCall(const ir::CallStep& step, size_t number, LineWriter& out);

 private:
  absl::Status Wrote(ir::TensorId id, LineWriter& out);
  // A tensor or callee's frame of fixed size, and its location in the routine's frame.
  struct Placed {
    int64_t offset;
    int64_t size;
    std::string name;
  };
  absl::StatusOr<std::vector<Placed>> InOrder();

  Model& model_;
  const ir::RoutineId id_;
  FrameText& frame_;
  MovePrinter& moves_;
  int steps_ = 0;  // the number of steps that have begun
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_GUARDS_H_

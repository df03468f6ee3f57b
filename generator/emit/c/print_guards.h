// Prints the calls by which a model for validation says what each of its steps may write.
//
// A guarded plan (plan::PlanGuarded) leaves bytes around each tensor that nothing writes. The
// functions that watch them are templates/validate/guards.h.tmpl; for any other plan nothing here
// prints anything.
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

// The file that declares the functions, and their names without that of the model.
std::string GuardHeader(const std::string& model);
inline constexpr const char* kGuardFunctions[] = {"guard", "wrote", "stepped", "freed"};

class GuardPrinter {
 public:
  GuardPrinter(Model& model, ir::RoutineId id, FrameText& frame, MovePrinter& moves)
      : model_(model), id_(id), frame_(frame), moves_(moves) {}

  // The guards of the routine's frame, where each iteration of it starts.
  absl::StatusOr<std::string> OfFrame();
  // Around what a step prints.
  void Before(const ir::Step& step, LineWriter& out);
  absl::Status After(const ir::Step& step, LineWriter& out);
  // After a call, before what it returned is given a name: the callee's frame is free again.
  void AfterCall(const ir::CallStep& step, size_t number, LineWriter& out);

 private:
  absl::Status Wrote(ir::TensorId id, LineWriter& out);
  // The tensors and callees' frames of fixed size, by where they are.
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
  int steps_ = 0;  // that have begun
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_GUARDS_H_

// Where the tensors of a routine are in the arena, as C.
#ifndef LATHE_EMIT_PRINT_FRAME_H_
#define LATHE_EMIT_PRINT_FRAME_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/emit/model_names.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

class FrameText {
 public:
  // From here on `scope` knows the sizes that the routine begins with.
  FrameText(Model& model, ir::RoutineId id, CScope& scope)
      : model_(model), id_(id), frame_(model.plan.frames[id]), scope_(scope) {
    scope.ranges = model.SizesOf(id);
  }

  // The pointer to a tensor of the arena: declared at the top, at its first use.
  absl::StatusOr<std::string> Pointer(ir::TensorId id);
  // The same for one that lies behind all there is: where `out` stands, unless it was before.
  absl::Status Reserve(ir::TensorId id, LineWriter& out);
  // The bytes of such a tensor, an expression of type size_t.
  absl::StatusOr<std::string> Bytes(ir::DType dtype, const std::vector<ir::PrimRef>& dims);

  // Where the routine's part of the arena ends, for now.
  std::string behind() const { return frame_.grows ? "top" : "frame_size"; }
  // The bytes from the start of the routine's part of the arena to its end.
  std::string room() const { return model_.room(id_, model_.arena()); }

  // Where the slots are, and where they end: frame_size.
  absl::StatusOr<std::string> Slots();
  // The same, and whether the arena has room for them; empty where there are none and `body`, which
  // comes behind them, does not ask for their end.
  absl::StatusOr<std::string> CheckedSlots(const std::string& body);
  const std::string& pointers() const { return pointers_.text(); }

 private:
  Model& model_;
  const ir::RoutineId id_;
  const plan::Frame& frame_;
  CScope& scope_;
  absl::flat_hash_map<ir::TensorId, std::string> spelled_;
  LineWriter pointers_{2};
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_PRINT_FRAME_H_

// The pointers of a routine as C, and the steps that are no computation: copies, views, outputs of
// any size.
#ifndef LATHE_EMIT_C_PRINT_MOVES_H_
#define LATHE_EMIT_C_PRINT_MOVES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/current_device.h"
#include "generator/emit/c/print_frame.h"

namespace lathe::emit {

class MovePrinter {
 public:
  MovePrinter(Model& model, CScope& scope, FrameText& frame, CurrentDevice& current)
      : model_(model), program_(model.program), scope_(scope), frame_(frame), current_(current) {}

  // A tensor that is given from outside.
  void Name(ir::TensorId id, std::string spelled) { spelled_[id] = std::move(spelled); }
  // The pointer to its first element.
  absl::StatusOr<std::string> Spell(ir::TensorId used);

  absl::Status DefinePointer(ir::TensorId pointer, LineWriter& out);
  absl::Status Point(ir::TensorId pointer, ir::TensorId to, LineWriter& out);
  absl::Status View(ir::TensorId view, LineWriter& out);
  absl::Status Copy(ir::TensorId from, ir::TensorId to, LineWriter& out);
  absl::Status Fill(ir::TensorId tensor, LineWriter& out);
  // Before elements that share bytes are written: the bits behind the last one.
  absl::Status ClearBehind(ir::TensorId tensor, LineWriter& out);
  // The bytes and the elements of what is in memory, so that the products do not overflow.
  absl::StatusOr<std::string> BytesOf(ir::TensorId id);
  absl::StatusOr<std::string> ElementsOf(ir::TensorId id);

  Model& model() { return model_; }
  FrameText& frame() { return frame_; }
  CurrentDevice& current() { return current_; }
  // The pointers that were defined.
  const std::vector<std::string>& pointers() const { return pointers_; }
  // To where the routine's part of the arena begins.
  absl::Status Return(const std::vector<ir::TensorId>& tensors, LineWriter& out);
  // The sizes of `from` go to the caller, who has to have room for the elements of `to`.
  absl::Status GiveSizes(ir::TensorId from, ir::TensorId to, const std::string& capacity,
                         LineWriter& out);

 private:
  bool IsWritable(ir::TensorId id) const;

  Model& model_;
  const ir::Program& program_;
  CScope& scope_;
  FrameText& frame_;
  CurrentDevice& current_;
  absl::flat_hash_map<ir::TensorId, std::string> spelled_;
  std::vector<std::string> pointers_;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_MOVES_H_

// Prints the tensor pointers of a routine as C, and the steps that move or alias data: copies,
// views, fills and returns.
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

  // Sets the C expression of the pointer to a tensor that the caller provides.
  void Name(ir::TensorId id, std::string spelled) { spelled_[id] = std::move(spelled); }
  // Returns the C expression of the pointer to the first element of the tensor.
  absl::StatusOr<std::string> Spell(ir::TensorId used);

  // Prints the declaration of a pointer that steps set, initialized with NULL.
  absl::Status DefinePointer(ir::TensorId pointer, LineWriter& out);
  // Prints the assignment that makes `pointer` point to the tensor `to`.
  absl::Status Point(ir::TensorId pointer, ir::TensorId to, LineWriter& out);
  // Prints the definition of the pointer to a view: the base plus a byte offset.
  absl::Status View(ir::TensorId view, LineWriter& out);
  // Prints the copy of the whole tensor `from` to `to`.
  absl::Status Copy(ir::TensorId from, ir::TensorId to, LineWriter& out);
  // Prints the lines that set all bits of `tensor`.
  absl::Status Fill(ir::TensorId tensor, LineWriter& out);
  // Prints a call that clears the unused bits after the last element of a packed tensor. Prints
  // nothing if there are no such bits.
  absl::Status ClearAfter(ir::TensorId tensor, LineWriter& out);
  // Print the number of bytes or elements of a tensor that is in memory. The products therefore
  // cannot overflow.
  absl::StatusOr<std::string> BytesOf(ir::TensorId id);
  absl::StatusOr<std::string> ElementsOf(ir::TensorId id);

  Model& model() { return model_; }
  FrameText& frame() { return frame_; }
  CurrentDevice& current() { return current_; }
  // Returns the names of the pointers that DefinePointer() declared.
  const std::vector<std::string>& pointers() const { return pointers_; }
  // Prints the move of `tensors` to the start of the routine's frame, where the caller finds them.
  absl::Status Return(const std::vector<ir::TensorId>& tensors, LineWriter& out);
  // Prints the stores of the sizes of `from` for the caller, and the check that the caller's memory
  // `to`, of `capacity` elements, has room for the elements.
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

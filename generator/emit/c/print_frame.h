// Prints the addresses of a routine's tensors in the arena as C.
#ifndef LATHE_EMIT_C_PRINT_FRAME_H_
#define LATHE_EMIT_C_PRINT_FRAME_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

class FrameText {
 public:
  // Adds the known ranges of the routine's sizes to `scope`.
  FrameText(Model& model, ir::RoutineId id, CScope& scope)
      : model_(model), id_(id), frame_(model.plan.frames[id]), scope_(scope) {
    scope.ranges = model.SizesOf(id);
  }

  // Returns the pointer variable of a tensor in the arena. The first call for a tensor adds its
  // declaration to pointers().
  absl::StatusOr<std::string> Pointer(ir::TensorId id);
  // Prints the allocation of a tensor after the end of the frame, and the declaration of its
  // pointer, to `out`. Prints nothing for a tensor in the frame, or if the tensor is allocated
  // already.
  absl::Status Reserve(ir::TensorId id, LineWriter& out);
  // Prints the size in bytes of a tensor with these `dims`, as an expression of type size_t.
  absl::StatusOr<std::string> Bytes(ir::DType dtype, const std::vector<ir::PrimRef>& dims);

  // Returns the C expression of the first free offset: the end of the memory that the routine uses
  // at this point.
  std::string free_offset() const { return free_offset(frame_.shares.size() - 1); }
  // Returns the C expression of the bytes from the start of the routine's frame to the end of the
  // arena.
  std::string room() const { return room(frame_.shares.size() - 1); }
  // The same functions for the pool number `pool`. The frame ends at end(); free_offset() also
  // counts the tensors that were allocated after it.
  std::string free_offset(size_t pool) const {
    return frame_.shares[pool].grows ? top(pool) : end(pool);
  }
  std::string end(size_t pool) const { return NamesOf(pool).end; }
  std::string room(size_t pool) const {
    const std::string& name = model_.plan.pools[pool].name;
    // Kept values are stored at the other end of the arena.
    return model_.keeps.contains(id_) ? "lathe_room(region, " + name + ")" : name + "_size";
  }

  // Prints the definitions of the offsets of the slots of `pool`, and of their end. A slot is
  // memory of dynamic size in the frame.
  absl::StatusOr<std::string> Slots(size_t pool);
  // Prints the slots of all pools of dynamic size, and the checks that they fit their pool. Omits a
  // pool whose frame is empty unless `body`, the text after them, uses its end.
  absl::StatusOr<std::string> CheckedSlots(const std::string& body);
  // Returns the declarations of the pointers that Pointer() returned.
  const std::string& pointers() const { return pointers_.text(); }

 private:
  PoolNames NamesOf(size_t pool) const { return model_.dialect.NamesOf(model_.plan.pools[pool]); }
  std::string top(size_t pool) const { return NamesOf(pool).top; }
  std::vector<size_t> SlotsIn(size_t pool) const;
  // Rounds `bytes` up to the alignment of the target and adds `guard` bytes.
  std::string Padded(const std::string& bytes, int64_t guard) const;

  Model& model_;
  const ir::RoutineId id_;
  const plan::Frame& frame_;
  CScope& scope_;
  absl::flat_hash_map<ir::TensorId, std::string> spelled_;
  LineWriter pointers_{2};
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_FRAME_H_

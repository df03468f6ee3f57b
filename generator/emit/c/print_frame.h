// Where the tensors of a routine are in the arena, as C.
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
  std::string behind() const { return behind(frame_.shares.size() - 1); }
  // The bytes from the start of the routine's part of the arena to its end.
  std::string room() const { return room(frame_.shares.size() - 1); }
  // The same of one of several memories.
  std::string behind(size_t pool) const {
    return frame_.shares[pool].grows ? top(pool) : end(pool);
  }
  std::string end(size_t pool) const { return NamesOf(pool).end; }
  std::string room(size_t pool) const {
    const std::string& name = model_.plan.pools[pool].name;
    // Values are kept at the far end.
    return model_.keeps.contains(id_) ? "lathe_room(region, " + name + ")" : name + "_size";
  }

  // Where the slots of a memory are, and where they end.
  absl::StatusOr<std::string> Slots(size_t pool);
  // The same of all that grow, and whether there is room for them; empty where there are none and
  // `body`, which comes behind them, does not ask for their end.
  absl::StatusOr<std::string> CheckedSlots(const std::string& body);
  const std::string& pointers() const { return pointers_.text(); }

 private:
  PoolNames NamesOf(size_t pool) const { return model_.dialect.NamesOf(model_.plan.pools[pool]); }
  std::string top(size_t pool) const { return NamesOf(pool).top; }
  std::vector<size_t> SlotsIn(size_t pool) const;
  // `bytes` up to the next aligned one, and a guard after them where the plan has guards.
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

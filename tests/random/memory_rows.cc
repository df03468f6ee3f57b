// Rows of operators that return their operand, a view of it, or memory; hints.
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

void Same(Sketch& s, const std::string& op) { s.Op(op, {s.Any(Kind::kAny).value}); }

void View(Sketch& s, const std::string& op) {
  Tensor x = s.Static(s.Any(Kind::kAny, 1));
  const auto count = static_cast<int64_t>(Count(s.SizesOf(x.dims)));
  s.Op(op, {x.value, s.builder.Shape({s.Int(count)})});
}

// A literal has no gradient to keep.
void Checkpoint(Sketch& s, const std::string& op) {
  const Operand x = s.Any(Kind::kAny).value;
  s.Op(op, {x.As<ir::ValueId>() != nullptr ? x : s.Emit(x)});
}

// Memory is read before it is written: it holds the same each time.
void AllocTensor(Sketch& s, const std::string& op) {
  const Operand dtype{ir::DTypeImm{s.SomeDType(Kind::kInt)}};
  const Operand shape = s.builder.Shape(s.SomeDims(2));
  if (op == "relax.builtin.alloc_tensor") {
    s.Op(op, {shape, dtype, s.builder.Number(0)});
    return;
  }
  const Operand bytes{ir::DTypeImm{DType::UInt(8)}};
  const Operand size = s.builder.Shape({s.Int(1024)});
  const Operand zero = s.builder.Number(0), scope{ir::StringImm{"global"}};
  const bool vm = op == "relax.vm.alloc_tensor";
  const Operand storage = vm ? s.Op("relax.vm.alloc_storage", {size, zero, bytes})
                             : s.Op("relax.memory.alloc_storage", {size, zero, scope, bytes});
  s.Op(op, {storage, zero, shape, dtype});
}

void AllocStorage(Sketch& s, const std::string& op) {
  AllocTensor(
      s, op == "relax.vm.alloc_storage" ? "relax.vm.alloc_tensor" : "relax.memory.alloc_tensor");
}

void Hint(Sketch& s, const std::string& op) {
  auto fields = std::make_shared<AttrMap>();
  (*fields)["device_type"] = AttrValue(1);
  (*fields)["index"] = AttrValue(0);
  s.Op(op, {s.Any(Kind::kAny).value},
       {{"dst_vdevice", AttrValue(ir::AttrObject{"device", std::move(fields)})}});
}

constexpr OpRow kMemoryRows[] = {
    {"relax.builtin.alloc_tensor", AllocTensor},
    {"relax.builtin.stop_lift_params", Same, true},
    {"relax.grad.end_checkpoint", Checkpoint, true},
    {"relax.grad.no_grad", Same, true},
    {"relax.grad.start_checkpoint", Checkpoint, true},
    {"relax.hint_on_device", Hint, true},
    {"relax.memory.alloc_storage", AllocStorage},
    {"relax.memory.alloc_tensor", AllocTensor},
    {"relax.memory.ensure_zero_offset", Same, true},
    {"relax.memory.view", View, true},
    {"relax.vm.alloc_storage", AllocStorage},
    {"relax.vm.alloc_tensor", AllocTensor},
};

}  // namespace

absl::Span<const OpRow> MemoryRows() { return kMemoryRows; }

}  // namespace lathe::random

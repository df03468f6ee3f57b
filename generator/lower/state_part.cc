#include "generator/lower/state_part.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/packed_elements.h"
#include "generator/ir/state.h"
#include "generator/lower/contiguous_part.h"
#include "generator/transform/result_fields.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

std::optional<int64_t> NumberOf(PrimRef e) {
  const auto* number = e->As<ir::IntImm>();
  return number == nullptr ? std::nullopt : std::optional<int64_t>(number->value);
}

// Returns the first element of the slice in the whole tensor, if the sizes are constant and the
// slice is inside.
std::optional<int64_t> FirstElement(ir::Context& context, const ContiguousPart& part) {
  int64_t first = 0;
  for (size_t k = 0; k < part.begin.size(); ++k) {
    const auto size = NumberOf(part.whole->shape[k]), count = NumberOf(part.extent[k]);
    const auto begin = NumberOf(analysis::Simplify(context, part.begin[k]));
    if (!size || !count || !begin || *begin < 0 || *begin + *count > *size) return std::nullopt;
    first = first * *size + *begin;
  }
  return first;
}

}  // namespace

absl::flat_hash_set<ir::ValueId> NextState(const ir::Function& f) {
  absl::flat_hash_set<ir::ValueId> values;
  const std::vector<ir::Operand> fields = transform::ResultFields(f.body);
  const size_t count = ir::FirstBytesOfState(f).size();
  for (size_t k = fields.size() - std::min(count, fields.size()); k < fields.size(); ++k) {
    if (const auto* id = fields[k].As<ir::ValueId>()) values.insert(*id);
  }
  return values;
}

std::optional<Form> AsStatePart(RoutineBuilder& b, const ir::Binding& binding,
                                const ir::PrimFunc& func, const std::vector<ir::Part>& args) {
  if (!b.next_state.contains(binding.var) || b.lowering.uses[binding.var] != 1) return std::nullopt;
  const auto* whole = args.size() == 1 ? std::get_if<TensorId>(&args[0]) : nullptr;
  if (whole == nullptr || !b.IsUnwritten(ir::Operand{binding.var})) return std::nullopt;
  const ir::Tensor base = b.lowering.program.tensors[*whole];
  // A part of the state itself, or of an input, may change before the end of the run.
  if (base.home != ir::Home::kArena || ir::IsPacked(base.dtype)) return std::nullopt;
  const auto part = ContiguousPartOf(b.lowering.ir, func);
  const bool is_read = part && !part->is_stored;
  const auto first = is_read ? FirstElement(b.lowering.ir, *part) : std::nullopt;
  if (!first) return std::nullopt;
  ir::Tensor view{b.lowering.module.values[binding.var].name,
                  base.dtype,
                  part->part->shape,
                  ir::Home::kView,
                  {},
                  *whole};
  view.byte_offset =
      b.lowering.ir.Int(*first * static_cast<int64_t>(ir::StorageBytes(base.dtype, 1)));
  view.vdevice = base.vdevice;
  const TensorId id = b.lowering.program.tensors.Add(std::move(view));
  b.Emit(ir::ViewStep{id}, binding.loc);
  return Form{id};
}

}  // namespace lathe::lower

#include "generator/lower/state_part.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/packed_elements.h"
#include "generator/ir/state.h"
#include "generator/transform/result_fields.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

std::optional<int64_t> NumberOf(PrimRef e) {
  const auto* number = e->As<ir::IntImm>();
  return number == nullptr ? std::nullopt : std::optional<int64_t>(number->value);
}

// The copy out[i, j] = x[i + 2, j], without the loops around it.
struct SliceCopy {
  const ir::BlockStmt* block = nullptr;
  const ir::StoreStmt* store = nullptr;
  const ir::Load* load = nullptr;
};

std::optional<SliceCopy> SliceCopyOf(const ir::PrimFunc& func) {
  if (func.params.size() != 2 || func.params[0].buffer == nullptr) return std::nullopt;
  ir::StmtRef stmt = func.body;
  while (const auto* loop = stmt->As<ir::ForStmt>()) stmt = loop->body;
  SliceCopy copy{stmt->As<ir::BlockStmt>()};
  if (copy.block == nullptr || copy.block->init != nullptr || copy.block->predicate != nullptr ||
      !copy.block->allocs.empty() || !copy.block->matches.empty()) {
    return std::nullopt;
  }
  copy.store = copy.block->body->As<ir::StoreStmt>();
  if (copy.store == nullptr || copy.store->buffer != func.params[1].buffer) return std::nullopt;
  copy.load = copy.store->value->As<ir::Load>();
  if (copy.load == nullptr || copy.load->buffer != func.params[0].buffer) return std::nullopt;
  const size_t ndim = copy.block->axes.size();
  if (copy.store->indices.size() != ndim || copy.load->indices.size() != ndim) return std::nullopt;
  return copy;
}

// Returns the first element of `copy` in the tensor that it reads; nothing if its elements are not
// consecutive.
std::optional<int64_t> FirstElement(ir::Context& context, const SliceCopy& copy) {
  const std::vector<PrimRef>& from = copy.load->buffer->shape;
  const std::vector<PrimRef>& to = copy.store->buffer->shape;
  int64_t first = 0;
  bool single = true;  // the outer dimensions of the result
  for (size_t k = 0; k < to.size(); ++k) {
    const ir::BlockAxis& axis = copy.block->axes[k];
    const auto size = NumberOf(from[k]), count = NumberOf(to[k]);
    if (!size || !count || axis.extent != to[k] || copy.store->indices[k] != axis.var) {
      return std::nullopt;
    }
    int64_t begin = 0;
    if (copy.load->indices[k] != axis.var) {
      const auto* sum = copy.load->indices[k]->As<ir::Binary>();
      const auto added = sum == nullptr || sum->op != ir::BinaryOp::kAdd || sum->lhs != axis.var
                             ? std::nullopt
                             : NumberOf(analysis::Simplify(context, sum->rhs));
      if (!added) return std::nullopt;
      begin = *added;
    }
    if (begin < 0 || begin + *count > *size) return std::nullopt;
    if (*count != *size && !single) return std::nullopt;
    single = single && *count == 1;
    first = first * *size + begin;
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
  const auto copy = SliceCopyOf(func);
  const auto first = copy ? FirstElement(b.lowering.ir, *copy) : std::nullopt;
  if (!first) return std::nullopt;
  ir::Tensor view{b.lowering.module.values[binding.var].name,
                  base.dtype,
                  copy->store->buffer->shape,
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

#include "generator/schedule/cuda/callee_uses.h"

#include <algorithm>

#include "generator/ir/buffer_extent.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

PointerUse UseOf(PrimRef data, const BufferUses& all) {
  PointerUse found{all.Stores(data), 0};
  if (all.opaque || all.read_anywhere.contains(data) || all.written_anywhere.contains(data)) {
    found.reach.reset();
  }
  for (const BufferUse& use : all.uses) {
    if (use.buffer->data != data || !found.reach) continue;
    // A pointer that is forwarded with an offset may reach beyond the declared buffer.
    const bool handed_on = std::any_of(all.spans.begin(), all.spans.end(), [&](const auto& span) {
      return std::any_of(use.indices.begin(), use.indices.end(),
                         [&](PrimRef index) { return nest::Mentions(index, span.first); });
    });
    const bool compact =
        use.buffer->strides.empty() && use.buffer->elem_offset == nullptr && !handed_on;
    const std::optional<int64_t> count = ir::ExtentOf(*use.buffer);
    found.reach = compact && count ? std::optional(std::max(*found.reach, *count)) : std::nullopt;
  }
  return found;
}

}  // namespace

CalleeUses UsesOfCallees(ir::Context& context, const std::map<std::string, ir::PrimFunc>& callees) {
  CalleeUses all;
  for (const auto& [name, func] : callees) all[name].resize(func.params.size());
  // Iterates until the writes of callees have reached their callers.
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, func] : callees) {
      const BufferUses uses = UsesOf(context, func.body, {}, all);
      for (size_t i = 0; i < func.params.size(); ++i) {
        const ir::PrimParam& param = func.params[i];
        PointerUse& known = all[name][i];
        const PointerUse found =
            UseOf(param.buffer != nullptr ? param.buffer->data : param.var, uses);
        more = more || found.writes != known.writes || found.reach != known.reach;
        known = found;
      }
    }
  }
  return all;
}

const std::vector<PointerUse>* UsesOf(const CalleeUses& callees, const ir::Intrinsic& call) {
  const auto* name = call.args.empty() ? nullptr : call.args[0]->As<ir::StringImm>();
  const auto it = name == nullptr ? callees.end() : callees.find(name->value);
  return it == callees.end() ? nullptr : &it->second;
}

std::vector<PrimRef> MemoryOf(PrimRef pointer) {
  if (pointer->As<ir::SymVar>() != nullptr) return {pointer};
  if (const auto* region = pointer->As<ir::RegionArg>()) return {region->buffer->data};
  const auto* call = pointer->As<ir::Intrinsic>();
  std::vector<PrimRef> memory;
  ir::ForEachOperand(pointer, [&](PrimRef part) {
    const auto* load = part->As<ir::Load>();
    if (load != nullptr && call != nullptr && call->name == "address_of") {
      memory.push_back(load->buffer->data);
    } else if (part->dtype().is_handle() && part->As<ir::StringImm>() == nullptr) {
      for (PrimRef data : MemoryOf(part)) memory.push_back(data);
    }
  });
  return memory;
}

}  // namespace lathe::schedule

#include "generator/transform/inline_private_functions.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/call_graph.h"
#include "generator/ir/each_body.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/effects.h"
#include "generator/transform/inline_call.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/remove_globals.h"
#include "generator/transform/same_info.h"

namespace lathe::transform {
namespace {

struct Size {
  int bindings = 0;
  int depth = 0;
};

Size SizeOf(const ir::Body& body) {
  Size size{0, 1};
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      ++size.bindings;
      ForEachBody(binding.rhs, [&](const ir::Body& inner) {
        const Size part = SizeOf(inner);
        size.bindings += part.bindings;
        size.depth = std::max(size.depth, part.depth + 1);
      });
    }
  }
  return size;
}

class Inliner {
 public:
  Inliner(ir::Context& context, ir::Module& module)
      : context_(context),
        module_(module),
        graph_(module),
        bound_(BoundShapeVars(module)),
        left_(kMaxInlinedBindings) {}

  void Run() {
    for (ir::GlobalId id : graph_.callees_first()) {
      ir::Function* f = module_.globals[id].function();
      if (f == nullptr) continue;
      caller_ = f;
      In(f->body, 1);
    }
  }

 private:
  void In(ir::Body& body, int depth) {
    std::vector<ir::Block> blocks;
    for (ir::Block& block : body.blocks) {
      ir::Block open{block.dataflow, {}, block.loc};
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner, depth + 1); });
        if (std::optional<InlinedCall> inlined = Inlined(binding, depth)) {
          Place(*std::move(inlined), block, open, blocks);
          binding.rhs = std::move(value_);
        }
        open.bindings.push_back(std::move(binding));
      }
      blocks.push_back(std::move(open));
    }
    body.blocks = std::move(blocks);
    ConsolidateBlocks(body);
  }

  std::optional<InlinedCall> Inlined(const ir::Binding& binding, int depth) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    const auto* id = call == nullptr ? nullptr : std::get_if<ir::GlobalId>(&call->callee);
    if (id == nullptr || !MayInline(*id)) return std::nullopt;
    const ir::Function& f = *module_.globals[*id].function();
    const Size size = SizeOf(f.body);
    if (size.bindings > left_ || depth + size.depth > kMaxInlinedDepth) return std::nullopt;
    std::optional<InlinedCall> inlined =
        InlineCall(context_, module_, bound_, *call, f, binding.loc);
    if (inlined) left_ -= size.bindings;
    return inlined;
  }

  bool MayInline(ir::GlobalId id) const {
    const ir::Function* f = module_.globals[id].function();
    if (f == nullptr || module_.loose || graph_.Recursive(id, id)) return false;
    if (f->attrs.empty()) return true;
    // A function with force_pure may only be inlined into another one with force_pure.
    return f->attrs.size() == 1 && ir::IsForcePure(*f) && ir::IsForcePure(*caller_);
  }

  // Inserts the blocks of the callee between the bindings before and after the call, or merges them
  // into the enclosing dataflow block where allowed.
  void Place(InlinedCall inlined, const ir::Block& around, ir::Block& open,
             std::vector<ir::Block>& blocks) {
    for (ir::Binding& cast : inlined.casts) open.bindings.push_back(std::move(cast));
    value_ = std::move(inlined.value);
    for (ir::Block& block : inlined.blocks) {
      block.dataflow |= around.dataflow && CanBeDataflow(block);
      if (block.dataflow == open.dataflow) {
        for (ir::Binding& binding : block.bindings) open.bindings.push_back(std::move(binding));
        continue;
      }
      blocks.push_back(std::exchange(open, ir::Block{around.dataflow, {}, around.loc}));
      blocks.push_back(std::move(block));
    }
  }

  bool CanBeDataflow(const ir::Block& block) const {
    return std::none_of(block.bindings.begin(), block.bindings.end(),
                        [&](const ir::Binding& binding) {
                          return std::holds_alternative<ir::If>(binding.rhs) ||
                                 HasEffect(context_, module_, binding.rhs);
                        });
  }

  ir::Context& context_;
  ir::Module& module_;
  const analysis::CallGraph graph_;
  const analysis::ShapeScope bound_;
  int left_;
  const ir::Function* caller_ = nullptr;
  ir::Rhs value_;
};

}  // namespace

void InlinePrivateFunctions(ir::Context& context, ir::Module& module) {
  Inliner(context, module).Run();
  MarkDataflowVars(module);
  RemoveUnreachableGlobals(module);
}

}  // namespace lathe::transform

#include "tests/random/shrink.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "generator/analysis/call_graph.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/verify_graph.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/remove_globals.h"
#include "generator/transform/replace_variables.h"

namespace lathe::random {
namespace {

bool IsProgram(ir::Context& context, ir::Module& module) {
  if (!module.Find("main") || ir::BrokenInvariant(module)) return false;
  Diagnostics diags;
  analysis::CheckWellFormed(context, module, diags);
  if (!diags.has_errors()) analysis::DeriveStructInfo(context, module, diags);
  if (!diags.has_errors()) analysis::CheckWellFormedWithInfos(context, module, diags);
  return !diags.has_errors();
}

// A way to make a program shorter, at the n-th place there is.
enum class Made { kChange, kNothing, kNoSuchPlace };
using Change = std::function<Made(ir::Module& module, int place)>;

// Calls `visit(body, block, index)` with each binding, until it says true.
bool EachBinding(ir::Body& body, const std::function<bool(ir::Body&, ir::Block&, size_t)>& visit) {
  for (size_t b = body.blocks.size(); b-- > 0;) {
    ir::Block& block = body.blocks[b];
    for (size_t i = block.bindings.size(); i-- > 0;) {
      if (visit(body, block, i)) return true;
      ir::Rhs& rhs = block.bindings[i].rhs;
      if (auto* branch = std::get_if<ir::If>(&rhs)) {
        if (EachBinding(branch->then_body, visit) || EachBinding(branch->else_body, visit)) {
          return true;
        }
      } else if (auto* function = std::get_if<ir::Function>(&rhs)) {
        if (EachBinding(function->body, visit)) return true;
      }
    }
  }
  return false;
}

Made AtBinding(ir::Module& module, int place,
               const std::function<bool(ir::Body&, ir::Block&, size_t)>& change) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    bool changed = false;
    const bool found = EachBinding(f->body, [&](ir::Body& body, ir::Block& block, size_t i) {
      if (place-- > 0) return false;
      changed = change(body, block, i);
      return true;
    });
    if (found) return changed ? Made::kChange : Made::kNothing;
  }
  return Made::kNoSuchPlace;
}

Made DropBinding(ir::Module& module, int place) {
  return AtBinding(module, place, [](ir::Body& body, ir::Block& block, size_t i) {
    block.bindings.erase(block.bindings.begin() + static_cast<std::ptrdiff_t>(i));
    transform::ConsolidateBlocks(body);
    return true;
  });
}

// An empty tensor literal of the value's info instead of what computes it.
Made PlainValue(ir::Module& module, int place) {
  return AtBinding(module, place, [&](ir::Body&, ir::Block& block, size_t i) {
    ir::Binding& binding = block.bindings[i];
    const auto* operand = std::get_if<ir::Operand>(&binding.rhs);
    ir::StructInfoRef info = module.values[binding.var].info;
    const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
    if (operand != nullptr || tensor == nullptr || tensor->dims() == nullptr) return false;
    std::vector<int64_t> shape;
    for (ir::PrimRef dim : *tensor->dims()) {
      const auto* imm = dim->As<ir::IntImm>();
      if (imm == nullptr) return false;
      shape.push_back(imm->value);
    }
    const auto count = interp::CountElements(shape);
    if (!count) return false;
    auto bytes =
        std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(tensor->dtype, *count), uint8_t{0});
    binding.rhs = ir::Operand{module.constants.Add({tensor->dtype, shape, std::move(bytes)})};
    return true;
  });
}

// The variable's uses become those of an operand of its right-hand side.
Made UseOperand(ir::Module& module, int place) {
  return AtBinding(module, place / 3, [&](ir::Body&, ir::Block& block, size_t i) {
    int left = place % 3;
    ir::Binding& binding = block.bindings[i];
    std::optional<ir::Operand> used;
    ForEachOperand(binding.rhs, [&](const ir::Operand& operand) {
      if (left-- == 0) used = operand;
    });
    if (!used || std::get_if<ir::Operand>(&binding.rhs) != nullptr) return false;
    binding.rhs = *used;
    return true;
  });
}

// A branch instead of both: its bindings come before what the whole is.
template <bool then>
Made OneBranch(ir::Module& module, int place) {
  return AtBinding(module, place, [](ir::Body& body, ir::Block& block, size_t i) {
    auto* branch = std::get_if<ir::If>(&block.bindings[i].rhs);
    if (branch == nullptr) return false;
    ir::Body taken = then ? branch->then_body : branch->else_body;
    const auto at = std::find_if(body.blocks.begin(), body.blocks.end(),
                                 [&](const ir::Block& b) { return &b == &block; });
    const auto index = at - body.blocks.begin();
    ir::Block rest = block;
    rest.bindings.erase(rest.bindings.begin(),
                        rest.bindings.begin() + static_cast<std::ptrdiff_t>(i));
    rest.bindings[0].rhs = taken.result;
    block.bindings.resize(i);
    taken.blocks.push_back(std::move(rest));
    body.blocks.insert(body.blocks.begin() + index + 1, taken.blocks.begin(), taken.blocks.end());
    transform::ConsolidateBlocks(body);
    return true;
  });
}

// One field of the result instead of all.
Made OneField(ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    const auto* tuple = f->body.result.As<ir::TupleExpr>();
    if (tuple == nullptr) continue;
    for (const ir::Operand& field : tuple->fields) {
      if (place-- > 0) continue;
      const ir::Operand kept = field;
      f->body.result = kept;
      return Made::kChange;
    }
  }
  return Made::kNoSuchPlace;
}

Made DropFunction(ir::Module& module, int place) {
  if (place >= std::ssize(module.globals)) return Made::kNoSuchPlace;
  const analysis::CallGraph graph(module);
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    for (ir::GlobalId callee : graph.uses(ir::GlobalId{g})) {
      if (callee.index == place && g != place) return Made::kNothing;
    }
  }
  IdVector<ir::GlobalId, char> keep(module.globals.size(), 1);
  keep[ir::GlobalId{place}] = 0;
  transform::KeepGlobals(module, keep);
  return Made::kChange;
}

Made DropParameter(ir::Module& module, int place) {
  ir::Function* f = module.globals[*module.Find("main")].function();
  if (place >= std::ssize(f->params)) return Made::kNoSuchPlace;
  f->params.erase(f->params.begin() + place);
  return Made::kChange;
}

}  // namespace

ir::Module Shrink(ir::Context& context, const ir::Module& module,
                  const std::function<bool(const ir::Module&)>& fails) {
  const Change changes[] = {OneField,   OneBranch<true>, OneBranch<false>, DropBinding,
                            PlainValue, UseOperand,      DropFunction,     DropParameter};
  ir::Module best = module;
  for (bool again = true; again;) {
    again = false;
    for (const Change& change : changes) {
      for (int place = 0;;) {
        ir::Module next = best;
        const Made made = change(next, place);
        if (made == Made::kNoSuchPlace) break;
        if (made == Made::kChange && IsProgram(context, next) && fails(next)) {
          best = std::move(next);
          again = true;
        } else {
          ++place;
        }
      }
    }
  }
  return best;
}

}  // namespace lathe::random

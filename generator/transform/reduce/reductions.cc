#include "generator/transform/reduce/reductions.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generator/analysis/call_graph.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/each_body.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/reduce/extract_bindings.h"
#include "generator/transform/reduce/reduce_constants.h"
#include "generator/transform/reduce/reduce_sizes.h"
#include "generator/transform/remove_globals.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {
namespace {

// A binding with its surroundings. `function` is the global that contains it.
struct BindingPlace {
  ir::Function& function;
  ir::Body& body;
  ir::Block& block;
  size_t index = 0;

  ir::Binding& binding() const { return block.bindings[index]; }
  void Erase() const {
    block.bindings.erase(block.bindings.begin() + static_cast<std::ptrdiff_t>(index));
    ConsolidateBlocks(body);
  }
};
using BindingVisit = std::function<bool(const BindingPlace&)>;

// Calls `visit` with each binding in `body`, the last first, until it returns true.
bool EachBindingBackward(ir::Function& function, ir::Body& body, const BindingVisit& visit) {
  for (size_t b = body.blocks.size(); b-- > 0;) {
    ir::Block& block = body.blocks[b];
    for (size_t i = block.bindings.size(); i-- > 0;) {
      if (visit({function, body, block, i})) return true;
      bool found = false;
      ForEachBody(block.bindings[i].rhs, [&](ir::Body& inner) {
        found = found || EachBindingBackward(function, inner, visit);
      });
      if (found) return true;
    }
  }
  return false;
}

// Calls `change` with the binding at `place`. It returns false if it changes nothing.
Reduced AtBinding(ir::Module& module, int place, const BindingVisit& change) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    bool changed = false;
    const bool found = EachBindingBackward(*f, f->body, [&](const BindingPlace& at) {
      if (place-- > 0) return false;
      changed = change(at);
      return true;
    });
    if (found) return changed ? Reduced::kChanged : Reduced::kUnchanged;
  }
  return Reduced::kNoSuchPlace;
}

// Puts the bindings of `taken` before the binding, whose value becomes the result of `taken`.
void Splice(const BindingPlace& at, ir::Body taken) {
  const auto index = &at.block - at.body.blocks.data();
  ir::Block rest = at.block;
  rest.bindings.erase(rest.bindings.begin(),
                      rest.bindings.begin() + static_cast<std::ptrdiff_t>(at.index));
  rest.bindings[0].rhs = taken.result;
  at.block.bindings.resize(at.index);
  taken.blocks.push_back(std::move(rest));
  ir::Body& body = at.body;
  body.blocks.insert(body.blocks.begin() + index + 1, taken.blocks.begin(), taken.blocks.end());
  ConsolidateBlocks(body);
}

Reduced DropFunction(ir::Context&, ir::Module& module, int place) {
  if (place >= std::ssize(module.globals)) return Reduced::kNoSuchPlace;
  const analysis::CallGraph graph(module);
  const ir::GlobalId dropped{place};
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    if (g != place && absl::c_linear_search(graph.uses(ir::GlobalId{g}), dropped)) {
      return Reduced::kUnchanged;
    }
  }
  IdVector<ir::GlobalId, char> keep(module.globals.size(), 1);
  keep[dropped] = 0;
  KeepGlobals(module, keep);
  return Reduced::kChanged;
}

// Returns one field of the result in place of all. The last one depends on most bindings.
Reduced OneField(ir::Context&, ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    auto* tuple = f == nullptr ? nullptr : f->body.result.As<ir::TupleExpr>();
    if (tuple == nullptr) continue;
    if (place >= std::ssize(tuple->fields)) {
      place -= static_cast<int>(tuple->fields.size());
      continue;
    }
    const ir::Operand kept = tuple->fields.rbegin()[place];
    f->body.result = kept;
    f->ret = nullptr;
    return Reduced::kChanged;
  }
  return Reduced::kNoSuchPlace;
}

// Leaves out one field of a result with several.
Reduced DropField(ir::Context&, ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    auto* tuple = f == nullptr ? nullptr : f->body.result.As<ir::TupleExpr>();
    if (tuple == nullptr || tuple->fields.size() < 3) continue;
    if (place >= std::ssize(tuple->fields)) {
      place -= static_cast<int>(tuple->fields.size());
      continue;
    }
    tuple->fields.erase(tuple->fields.begin() + place);
    f->ret = nullptr;
    return Reduced::kChanged;
  }
  return Reduced::kNoSuchPlace;
}

// Puts the bindings of one branch in place of the conditional.
template <bool then>
Reduced OneBranch(ir::Context&, ir::Module& module, int place) {
  return AtBinding(module, place, [](const BindingPlace& at) {
    auto* branch = std::get_if<ir::If>(&at.binding().rhs);
    if (branch == nullptr) return false;
    Splice(at, then ? branch->then_body : branch->else_body);
    return true;
  });
}

// Puts the bindings of an inner function in its place, and its parameters to those of the global.
Reduced OpenFunction(ir::Context&, ir::Module& module, int place) {
  return AtBinding(module, place, [](const BindingPlace& at) {
    const auto* inner = std::get_if<ir::Function>(&at.binding().rhs);
    if (inner == nullptr) return false;
    std::vector<ir::ValueId>& params = at.function.params;
    params.insert(params.end(), inner->params.begin(), inner->params.end());
    at.function.ret = nullptr;
    Splice(at, ir::Body(inner->body));
    return true;
  });
}

Reduced DropBinding(ir::Context&, ir::Module& module, int place) {
  return AtBinding(module, place, [](const BindingPlace& at) {
    at.Erase();
    return true;
  });
}

// Makes a value a parameter of the global that contains its binding.
Reduced ValueToParameter(ir::Context&, ir::Module& module, int place) {
  return AtBinding(module, place, [&](const BindingPlace& at) {
    const ir::ValueId var = at.binding().var;
    ir::Value& value = module.values[var];
    const bool is_alias = std::holds_alternative<ir::Operand>(at.binding().rhs);
    if (is_alias || !CanBeParameter(value.info)) return false;
    value.annotation = value.info;
    value.dataflow = false;
    at.Erase();
    at.function.params.push_back(var);
    return true;
  });
}

// Replaces a computed tensor by zeros.
Reduced ZeroValue(ir::Context&, ir::Module& module, int place) {
  return AtBinding(module, place, [&](const BindingPlace& at) {
    const ir::StructInfoRef info = module.values[at.binding().var].info;
    const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
    if (std::holds_alternative<ir::Operand>(at.binding().rhs) || tensor == nullptr ||
        tensor->dims() == nullptr || tensor->dtype.is_void()) {
      return false;
    }
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
    at.binding().rhs = ir::Operand{module.constants.Add({tensor->dtype, shape, std::move(bytes)})};
    return true;
  });
}

// The operands of a binding that UseOperand tries. Later ones are rarely the main operand.
constexpr int kTriedOperands = 3;

// Uses an operand of a call, or a field of a tuple, in place of the value.
Reduced UseOperand(ir::Context&, ir::Module& module, int place) {
  return AtBinding(module, place / kTriedOperands, [&](const BindingPlace& at) {
    int left = place % kTriedOperands;
    std::optional<ir::Operand> used;
    const auto take = [&](const ir::Operand& operand) {
      if (left-- == 0) used = operand;
    };
    if (const auto* value = std::get_if<ir::Operand>(&at.binding().rhs)) {
      const auto* tuple = value->As<ir::TupleExpr>();
      if (tuple == nullptr) return false;
      for (const ir::Operand& field : tuple->fields) take(field);
    } else {
      ForEachOperand(at.binding().rhs, take);
    }
    if (!used) return false;
    at.binding().rhs = ir::Operand(*used);
    return true;
  });
}

bool IsCalled(const ir::Module& module, ir::ValueId var) {
  bool called = false;
  ForEachFunction(module, [&](const ir::Function& f) {
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
      const auto* call = std::get_if<ir::Call>(&binding.rhs);
      const auto* callee = call == nullptr ? nullptr : std::get_if<ir::ValueId>(&call->callee);
      called |= callee != nullptr && *callee == var;
    });
  });
  return called;
}

// The operands that replacing a variable by a tuple may add. Tuples of tuples that share fields
// would double with each step.
constexpr int kAddedOperands = 32;

bool IsInlined(const ir::Module& module, ir::ValueId var, const ir::Operand& operand) {
  if (operand.As<ir::TupleExpr>() == nullptr) return true;
  int count = 0;
  ForEachLeaf(operand, [&](const ir::Operand&) { ++count; });
  return count <= kAddedOperands && count * CountUses(module)[var] <= kAddedOperands;
}

// Removes a binding that renames a value.
Reduced InlineAlias(ir::Context& context, ir::Module& module, int place) {
  std::optional<ir::ValueId> alias;
  ir::Operand value;
  const Reduced found = AtBinding(module, place, [&](const BindingPlace& at) {
    const auto* operand = std::get_if<ir::Operand>(&at.binding().rhs);
    const ir::ValueId var = at.binding().var;
    if (operand == nullptr || !IsInlined(module, var, *operand) || IsCalled(module, var)) {
      return false;
    }
    alias = var;
    value = *operand;
    at.Erase();
    return true;
  });
  if (!alias) return found;
  Replacement replacement(context, module);
  replacement.Set(*alias, value);
  ForEachFunction(module, [&](ir::Function& f) { replacement.In(f); });
  return found;
}

// Drops a parameter without uses.
Reduced DropParameter(ir::Context&, ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    if (place >= std::ssize(f->params)) {
      place -= static_cast<int>(f->params.size());
      continue;
    }
    const ir::ValueId param = f->params[static_cast<size_t>(place)];
    if (CountUses(module)[param] > 0) return Reduced::kUnchanged;
    f->params.erase(f->params.begin() + place);
    return Reduced::kChanged;
  }
  return Reduced::kNoSuchPlace;
}

// Uses an earlier parameter of the same structure in place of one.
Reduced MergeParameters(ir::Context& context, ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    if (place >= std::ssize(f->params)) {
      place -= static_cast<int>(f->params.size());
      continue;
    }
    const auto merged = f->params.begin() + place;
    const ir::StructInfoRef info = module.values[*merged].annotation;
    const auto kept = std::find_if(f->params.begin(), merged, [&](ir::ValueId id) {
      return info != nullptr && module.values[id].annotation == info;
    });
    if (kept == merged) return Reduced::kUnchanged;
    Replacement replacement(context, module);
    replacement.Set(*merged, {*kept});
    f->params.erase(merged);
    replacement.In(*f);
    return Reduced::kChanged;
  }
  return Reduced::kNoSuchPlace;
}

// Drops an attribute of a function, but not its exported name.
Reduced DropAttribute(ir::Context&, ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    for (auto it = f->attrs.begin(); it != f->attrs.end(); ++it) {
      if (it->first == ir::kGlobalSymbol || place-- > 0) continue;
      f->attrs.erase(it);
      return Reduced::kChanged;
    }
  }
  return Reduced::kNoSuchPlace;
}

constexpr Reduction kReductions[] = {
    {"drop-function", DropFunction},
    {"one-field", OneField},
    {"drop-field", DropField},
    {"then-branch", OneBranch<true>},
    {"else-branch", OneBranch<false>},
    {"open-function", OpenFunction},
    {"drop-binding", DropBinding},
    {"value-to-parameter", ValueToParameter},
    {"zero-value", ZeroValue},
    {"use-operand", UseOperand},
    {"inline-alias", InlineAlias},
    {"drop-parameter", DropParameter},
    {"merge-parameters", MergeParameters},
    {"drop-attribute", DropAttribute},
    {"uniform-constant", UniformConstant},
    {"reduce-size", ReduceSize},
    {"reduce-axis", ReduceAxis},
};

}  // namespace

absl::Span<const Reduction> Reductions() { return kReductions; }

}  // namespace lathe::transform

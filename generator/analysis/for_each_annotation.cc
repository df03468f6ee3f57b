#include "generator/analysis/for_each_annotation.h"

#include "absl/container/flat_hash_set.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;

struct AnnotationWalk {
  const ir::Module& module;
  absl::FunctionRef<void(const Annotation&)> visit;

  void Visit(StructInfoRef info, const Location& loc, const char* what, absl::string_view name) {
    if (info != nullptr) visit({info, loc, what, name});
  }

  void In(const ir::Function& f, absl::string_view name) {
    for (ir::ValueId id : f.params) Of(module.values[id]);
    Visit(f.ret, f.ret_loc, "result of", name);
    In(f.body);
  }

  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding);
    }
  }

  void Of(const ir::Value& value) {
    Visit(value.annotation, value.annotation_loc, "annotation of", value.name);
  }

  void Of(const ir::ExternFunc& f, const Location& loc) { Visit(f.info, loc, "info of", f.name); }

  void In(const ir::Binding& binding) {
    const ir::Value& value = module.values[binding.var];
    Of(value);
    ir::ForEachOperand(binding.rhs, [&](const ir::Operand& operand) {
      ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
        if (const auto* f = leaf.As<ir::ExternFunc>()) Of(*f, binding.loc);
      });
    });
    Match(
        binding.rhs, [](const ir::Operand&) {},
        [&](const ir::Call& call) {
          if (const auto* f = std::get_if<ir::ExternFunc>(&call.callee)) Of(*f, binding.loc);
          for (StructInfoRef info : call.sinfo_args) {
            Visit(info, call.sinfo_loc, "type argument for", value.name);
          }
        },
        [](const ir::GetField&) {},
        [&](const ir::MatchCast& cast) { Visit(cast.info, cast.info_loc, "cast for", value.name); },
        [&](const ir::If& branch) {
          In(branch.then_body);
          In(branch.else_body);
        },
        [&](const ir::Function& f) { In(f, value.name); });
  }
};

struct PartWalk {
  absl::FunctionRef<void(StructInfoRef)> visit;
  absl::flat_hash_set<StructInfoRef> seen;

  void In(StructInfoRef info) {
    if (!seen.insert(info).second) return;
    visit(info);
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      for (StructInfoRef field : tuple->fields) In(field);
    } else if (const auto* func = info->As<ir::FuncInfo>()) {
      if (func->params) {
        for (StructInfoRef param : *func->params) In(param);
      }
      if (func->ret != nullptr) In(func->ret);
    }
  }
};

}  // namespace

void ForEachAnnotation(const ir::Module& module, absl::FunctionRef<void(const Annotation&)> visit) {
  AnnotationWalk walk{module, visit};
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    Match(
        global.def, [&](const ir::Function& f) { walk.In(f, global.name); },
        [](const ir::PrimFunc&) {}, [&](const ir::ExternFunc& f) { walk.Of(f, global.loc); });
  }
}

void ForEachPart(StructInfoRef info, absl::FunctionRef<void(StructInfoRef)> visit) {
  PartWalk{visit, {}}.In(info);
}

}  // namespace lathe::analysis

#include "generator/ir/print/print_tvmscript.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/ir/print/graph_text.h"
#include "generator/ir/print/print_attr.h"
#include "generator/ir/print/print_function.h"
#include "generator/ir/print/print_operand.h"
#include "generator/ir/print/print_prim_func.h"
#include "generator/support/line_writer.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// TVM's order: PrimFuncs, external functions, Relax functions, main last.
int RankOf(const Global& g) {
  if (g.name == "main") return 3;
  return Match(
      g.def, [](const Function&) { return 2; }, [](const PrimFunc&) { return 0; },
      [](const ExternFunc&) { return 1; });
}

std::vector<const Global*> Ordered(const Module& module) {
  std::vector<const Global*> order;
  for (size_t i = 0; i < module.globals.size(); ++i) {
    order.push_back(&module.globals[GlobalId{static_cast<int32_t>(i)}]);
  }
  std::stable_sort(order.begin(), order.end(), [](const Global* a, const Global* b) {
    return std::make_tuple(RankOf(*a), absl::string_view(a->name)) <
           std::make_tuple(RankOf(*b), absl::string_view(b->name));
  });
  return order;
}

AttrMap AsAttrs(const std::map<std::string, std::vector<GlobalInfo>>& infos) {
  AttrMap out;
  for (const auto& [kind, list] : infos) {
    AttrList items;
    for (const GlobalInfo& info : list) {
      items.push_back(Match(
          info, [](VDeviceRef device) { return AttrValue(device); },
          [](const AttrObject& object) { return AttrValue(object); }));
    }
    out[kind] = std::move(items);
  }
  return out;
}

class ModulePrinter {
 public:
  ModulePrinter(const Module& module, const PrintOptions& options,
                std::set<std::string> type_vars = {})
      : module_(module),
        options_(options),
        metadata_(module, options.dialect),
        type_vars_(std::move(type_vars)) {}

  const std::set<std::string>& type_vars() const { return type_vars_.declared(); }

  std::string Print() {
    out_.Line("@I.ir_module");
    out_.Line("class ", ModuleName(module_), ":");
    {
      const LineWriter::Indent in(out_);
      PrintMembers();
    }
    return absl::StrCat(Head(), out_.Take());
  }

 private:
  // Imports are comments, since readers of programs know I, R and T; the metadata is known only
  // after printing.
  std::string Head() const {
    LineWriter head;
    if (!type_vars().empty()) head.Line("# from typing import TypeVar");
    head.Line("# from tvm.script import ir as I");
    const bool classic = options_.dialect == Dialect::kClassic;
    head.Line("# from tvm.script import ", classic ? "tir" : "tirx", " as T");
    head.Line("# from tvm.script import relax as R");
    head.Line();
    const std::string metadata = metadata_.Text();
    if (!metadata.empty()) head.Line(metadata);
    for (const std::string& name : type_vars()) head.Line(name, " = TypeVar(\"", name, "\")");
    return head.Take();
  }

  void PrintMembers() {
    PrintNames names;
    GraphText text{module_, options_, names, metadata_, type_vars_, {}};
    const ScalarStyle style = text.scalar_style();
    bool empty = true;
    // One empty line between members.
    const auto next = [&] {
      if (!std::exchange(empty, false)) out_.Line();
    };
    if (!module_.attrs.empty()) {
      empty = false;
      out_.Line("I.module_attrs(", PrintAttrs(module_.attrs, names, style), ")");
    }
    if (!module_.global_infos.empty()) {
      empty = false;
      out_.Line("I.module_global_infos(", PrintAttrs(AsAttrs(module_.global_infos), names, style),
                ")");
    }
    for (const Global* global : Ordered(module_)) {
      next();
      Match(
          global->def,
          [&](const Function&) {
            PrintFunction(module_, *global, options_, metadata_, type_vars_, out_);
          },
          [&](const PrimFunc&) { PrintPrimFunc(module_, *global, options_, type_vars_, out_); },
          [&](const ExternFunc& f) { out_.Line(global->name, " = ", PrintExtern(f, text)); });
    }
    if (empty) out_.Line("pass");
  }

  const Module& module_;
  const PrintOptions& options_;
  Metadata metadata_;
  TypeVars type_vars_;
  LineWriter out_;
};

}  // namespace

std::string PrintTvmScript(const Module& module, const PrintOptions& options) {
  ModulePrinter printer(module, options);
  std::string text = printer.Print();
  if (printer.type_vars().empty()) return text;
  return ModulePrinter(module, options, printer.type_vars()).Print();
}

}  // namespace lathe::ir

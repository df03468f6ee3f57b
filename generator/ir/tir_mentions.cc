#include "generator/ir/tir_mentions.h"

#include <utility>

#include "generator/ir/function_calls.h"
#include "generator/ir/scope_id.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

class Walker {
 public:
  explicit Walker(TirMentions& out) : out_(out) {}

  void Walk(const PrimFunc& f) {
    for (const PrimParam& param : f.params) {
      Define(param.var);
      // Its shape may define variables, which the printer declares.
      if (param.buffer != nullptr) Introduce(param.buffer);
    }
    Attrs(f.attrs);
    Walk(f.body);
    for (PrimRef var : order_) {
      if (!defined_.contains(var->As<SymVar>()->id)) out_.undefined.push_back(var);
    }
    for (const auto& [var, thread] : launches_) {
      if (launch_count_[var->As<SymVar>()->id] > 1) out_.shared_threads.emplace_back(var, thread);
    }
  }

 private:
  void Define(PrimRef var) {
    if (var != nullptr && var->As<SymVar>() != nullptr) defined_.insert(var->As<SymVar>()->id);
  }

  void Define(const ScopeId& id) {
    for (PrimRef var : id.vars) Define(var);
    if (id.extents) Attr(AttrValue(*id.extents));
    if (id.preferred) Attr(AttrValue(*id.preferred));
  }

  // Visits a buffer at its allocation.
  void Introduce(BufferRef buffer) {
    Define(buffer->data);
    Describe(buffer);
  }

  void Describe(BufferRef buffer) {
    if (!described_.insert(buffer).second) return;
    for (PrimRef e : buffer->shape) Expr(e);
    for (PrimRef e : buffer->strides) Expr(e);
    Expr(buffer->elem_offset);
    Expr(buffer->layout);
    Exprs(buffer->allocated_addr);
  }

  void Access(BufferRef buffer) {
    if (buffer == nullptr) return;
    out_.accessed.insert(buffer);
    Describe(buffer);
  }

  void Expr(PrimRef e) {
    if (e == nullptr || !seen_.insert(e).second) return;
    if (const auto* var = e->As<SymVar>()) {
      out_.symbols.insert(var->id);
      order_.push_back(e);
      return;
    }
    if (const auto* load = e->As<Load>()) Access(load->buffer);
    if (const auto* region = e->As<RegionArg>()) Access(region->buffer);
    // Declared before the expression: T.Let(x + 1, where={x: 1}) uses an existing variable.
    if (const auto* let = e->As<Let>()) {
      out_.let_vars.insert(let->var);
      Expr(let->var);
    }
    if (const auto* call = e->As<Intrinsic>()) Called(*call);
    if (const auto* reducer = e->As<CommReducer>()) {
      for (PrimRef var : reducer->lhs) Define(var);
      for (PrimRef var : reducer->rhs) Define(var);
    }
    ForEachOperand(e, [&](PrimRef operand) { Expr(operand); });
  }

  void Called(const Intrinsic& call) {
    if (!IsCall(call.name) || call.args.empty()) return;
    const bool global = call.name == "call_global";
    const auto* name = call.args[0]->As<StringImm>();
    if (name != nullptr) (global ? out_.globals : out_.externs).push_back(name->value);
  }

  void Exprs(const std::vector<PrimRef>& list) {
    for (PrimRef e : list) Expr(e);
  }

  void Attrs(const AttrMap& attrs) {
    for (const auto& [key, value] : attrs) Attr(value);
  }

  void Attr(const AttrValue& value) {
    Match(
        value.node, [](std::monostate) {}, [](bool) {}, [](int64_t) {}, [](double) {},
        [](const std::string&) {}, [](DType) {}, [&](PrimRef e) { Expr(e); }, [](StructInfoRef) {},
        [](VDeviceRef) {},
        [&](const AttrList& list) {
          for (const AttrValue& item : list) Attr(item);
        },
        [&](const AttrMap& map) { Attrs(map); },
        [&](const AttrObject& object) {
          if (object.fields != nullptr) Attrs(*object.fields);
        },
        [&](const std::shared_ptr<const IndexMap>& map) {
          for (PrimRef input : map->inputs) Define(input);
          Exprs(map->outputs);
        });
  }

  void Regions(const std::optional<std::vector<BufferRegion>>& regions) {
    if (!regions) return;
    for (const BufferRegion& region : *regions) Region(region);
  }
  void Region(const BufferRegion& region) {
    Access(region.buffer);
    Exprs(region.mins);
    Exprs(region.extents);
  }

  void Walk(StmtRef stmt) {
    if (stmt == nullptr) return;
    Match(
        stmt->node(),
        [&](const SeqStmt& s) {
          for (StmtRef inner : s.stmts) Walk(inner);
        },
        [&](const ForStmt& s) {
          Define(s.var);
          Exprs({s.min, s.extent, s.step});
          Attrs(s.annotations);
          Walk(s.body);
        },
        [&](const BlockStmt& s) { Walk(s); },
        [&](const StoreStmt& s) {
          Access(s.buffer);
          Exprs(s.indices);
          Expr(s.value);
          Expr(s.predicate);
        },
        [&](const LetStmt& s) {
          Define(s.var);
          Expr(s.value);
          Walk(s.body);
        },
        [&](const IfStmt& s) {
          Expr(s.cond);
          Walk(s.then_case);
          Walk(s.else_case);
        },
        [&](const WhileStmt& s) {
          Expr(s.cond);
          Walk(s.body);
        },
        [&](const AllocStmt& s) {
          Introduce(s.buffer);
          Attrs(s.annotations);
          Expr(s.condition);
          Walk(s.body);
        },
        [&](const DeclBufferStmt& s) {
          // If nothing else defines its memory, the declaration does.
          Introduce(s.buffer);
          Walk(s.body);
        },
        [&](const AttrStmt& s) {
          Access(s.buffer);
          if (const std::optional<ScopeId> id = ScopeIdOf(s)) return Define(*id);
          const Launch launch = LaunchOf(s);
          if (launch.var == nullptr) {
            Attr(s.node);
          } else {
            Define(launch.var);
            if (launch_count_[launch.var->As<SymVar>()->id]++ == 0) {
              launches_.emplace_back(launch.var, launch.thread);
            }
          }
          Expr(s.value);
          Walk(s.body);
        },
        [&](const AssertStmt& s) {
          Expr(s.cond);
          Walk(s.body);
        },
        [&](const EvaluateStmt& s) { Expr(s.value); }, [&](const ReturnStmt& s) { Expr(s.value); },
        [](const BreakStmt&) {}, [](const ContinueStmt&) {});
  }

  void Walk(const BlockStmt& block) {
    for (const BlockAxis& axis : block.axes) {
      Define(axis.var);
      Exprs({axis.min, axis.extent, axis.binding});
    }
    Expr(block.predicate);
    for (BufferRef buffer : block.allocs) Introduce(buffer);
    for (const BlockMatch& match : block.matches) {
      Region(match.source);
      Introduce(match.buffer);
    }
    Regions(block.reads);
    Regions(block.writes);
    Attrs(block.annotations);
    Walk(block.init);
    Walk(block.body);
  }

  TirMentions& out_;
  absl::flat_hash_set<int> defined_;
  absl::flat_hash_set<PrimRef> seen_;
  absl::flat_hash_set<BufferRef> described_;
  std::vector<PrimRef> order_;
  std::vector<std::pair<PrimRef, std::string>> launches_;
  absl::flat_hash_map<int, int> launch_count_;
};

}  // namespace

TirMentions MentionsOf(const PrimFunc& f) {
  TirMentions out;
  Walker(out).Walk(f);
  return out;
}

Launch LaunchOf(const AttrStmt& attr) {
  const auto* object = attr.node.As<AttrObject>();
  if (attr.buffer != nullptr || object == nullptr || object->kind != "iter_var" ||
      object->fields == nullptr || object->fields->count("dom") > 0) {
    return {};
  }
  const auto* kind = FindAttr<std::string>(*object->fields, "kind");
  if (kind == nullptr || *kind != "ThreadIndex") return {};
  const Launch launch = ThreadsOf(attr);
  if (launch.var == nullptr || launch.var->As<SymVar>() == nullptr) return {};
  if (attr.key != (launch.thread == "vthread" ? "virtual_thread" : "thread_extent")) return {};
  return launch;
}

Launch ThreadsOf(const AttrStmt& attr) {
  const auto* object = attr.node.As<AttrObject>();
  if (attr.key != "thread_extent" && attr.key != "virtual_thread") return {};
  if (object == nullptr || object->fields == nullptr || attr.value == nullptr) return {};
  const auto* var = FindAttr<PrimRef>(*object->fields, "var");
  const auto* thread = FindAttr<std::string>(*object->fields, "thread");
  if (var == nullptr || thread == nullptr) return {};
  return {*var, *thread};
}

}  // namespace lathe::ir

#include "generator/ir/mentions.h"

#include <memory>
#include <utility>

#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// A function literal and what it mentions, in the order of the text.
struct NestedMentions {
  const Function* function = nullptr;
  std::vector<PrimRef> signature;
  std::vector<PrimRef> body;            // its own, without nested functions
  absl::flat_hash_set<int> own;         // the ids of both
  absl::flat_hash_set<int> everywhere;  // including nested functions
  std::vector<std::unique_ptr<NestedMentions>> inner;
};

class Collector {
 public:
  Collector(const Module& module, bool with_info, Mentions& out)
      : module_(module), with_info_(with_info), out_(out) {}

  std::unique_ptr<NestedMentions> Collect(const Function& f) {
    auto nest = std::make_unique<NestedMentions>();
    nest->function = &f;
    Seen seen;
    NestedMentions* const outer_nest = std::exchange(nest_, nest.get());
    Seen* const outer_seen = std::exchange(seen_, &seen);
    list_ = &nest->signature;
    for (const ValueId param : f.params) Parameter(param);
    Info(f.ret);
    if (with_info_) Info(f.ret_info);
    list_ = &nest->body;
    Attrs(f.attrs);
    Walk(f.body);
    nest->everywhere = nest->own;
    for (const auto& inner : nest->inner) {
      nest->everywhere.insert(inner->everywhere.begin(), inner->everywhere.end());
    }
    nest_ = outer_nest;
    seen_ = outer_seen;
    if (nest_ != nullptr) list_ = &nest_->body;
    return nest;
  }

 private:
  // Nodes visited for the current function: shared parts are visited once.
  struct Seen {
    absl::flat_hash_set<PrimRef> exprs;
    absl::flat_hash_set<StructInfoRef> infos;
  };

  void Expr(PrimRef e) {
    if (e == nullptr || !seen_->exprs.insert(e).second) return;
    if (const auto* var = e->As<SymVar>()) {
      out_.symbols.insert(var->id);
      if (nest_->own.insert(var->id).second) list_->push_back(e);
      return;
    }
    if (const auto* let = e->As<Let>()) Expr(let->var);
    ForEachOperand(e, [&](PrimRef operand) { Expr(operand); });
  }

  void Info(StructInfoRef info) {
    if (info == nullptr || !seen_->infos.insert(info).second) return;
    Match(
        info->node(), [](const ObjectInfo&) {}, [&](const PrimInfo& p) { Expr(p.value); },
        [&](const ShapeInfo& s) {
          if (!s.values) return;
          for (PrimRef e : *s.values) Expr(e);
        },
        [&](const TensorInfo& t) {
          if (t.shape_var() != nullptr) out_.values.insert(t.shape_var()->index);
          if (t.dims() == nullptr) return;
          for (PrimRef e : *t.dims()) Expr(e);
        },
        [&](const TupleInfo& t) {
          for (StructInfoRef field : t.fields) Info(field);
        },
        [&](const FuncInfo& f) {
          if (f.params) {
            for (StructInfoRef param : *f.params) Info(param);
          }
          Info(f.ret);
        });
  }

  void Attrs(const AttrMap& attrs) {
    for (const auto& [key, value] : attrs) Attr(value);
  }

  void Attr(const AttrValue& value) {
    Match(
        value.node, [](std::monostate) {}, [](bool) {}, [](int64_t) {}, [](double) {},
        [](const std::string&) {}, [](DType) {}, [&](PrimRef e) { Expr(e); },
        [&](StructInfoRef info) { Info(info); }, [](VDeviceRef) {},
        [&](const AttrList& list) {
          for (const AttrValue& item : list) Attr(item);
        },
        [&](const AttrMap& map) { Attrs(map); },
        [&](const AttrObject& object) {
          if (object.fields != nullptr) Attrs(*object.fields);
        },
        [&](const std::shared_ptr<const IndexMap>& map) {
          // The parameters of a lambda are local.
          for (PrimRef input : map->inputs) seen_->exprs.insert(input);
          for (PrimRef output : map->outputs) Expr(output);
        });
  }

  void Variable(ValueId id) {
    Info(module_.values[id].annotation);
    if (with_info_) Info(module_.values[id].info);
  }

  // R.Prim(value="n") alone does not count as a mention of n.
  void Parameter(ValueId id) {
    const StructInfoRef info = module_.values[id].annotation;
    const auto* prim = info == nullptr ? nullptr : info->As<PrimInfo>();
    const auto* var =
        prim == nullptr || prim->value == nullptr ? nullptr : prim->value->As<SymVar>();
    if (var != nullptr && nest_->own.insert(var->id).second) {
      list_->push_back(prim->value);
    } else {
      Variable(id);
    }
  }

  void Leaf(const Operand& operand) {
    ForEachLeaf(operand, [&](const Operand& leaf) {
      if (const auto* shape = leaf.As<ShapeExpr>()) {
        for (PrimRef e : shape->values) Expr(e);
      } else if (const auto* prim = leaf.As<PrimValue>()) {
        Expr(prim->value);
      } else if (const auto* f = leaf.As<ExternFunc>()) {
        Info(f->info);
      } else if (const auto* value = leaf.As<ValueId>()) {
        out_.values.insert(value->index);
      } else if (leaf.As<GlobalId>() != nullptr) {
        out_.globals = true;
      }
    });
  }

  void Walk(const Body& body) {
    for (const Block& block : body.blocks) {
      for (const Binding& binding : block.bindings) Walk(binding);
    }
    Leaf(body.result);
  }

  void Walk(const Binding& binding) {
    Variable(binding.var);
    ForEachOperand(binding.rhs, [&](const Operand& operand) { Leaf(operand); });
    Match(
        binding.rhs, [](const Operand&) {},
        [&](const Call& call) {
          Match(
              call.callee, [](const Op*) {}, [&](ValueId id) { out_.values.insert(id.index); },
              [&](GlobalId) { out_.globals = true; }, [&](const ExternFunc& f) { Info(f.info); });
          Attrs(call.attrs);
          for (StructInfoRef info : call.sinfo_args) Info(info);
        },
        [](const GetField&) {}, [&](const MatchCast& cast) { Info(cast.info); },
        [&](const If& branch) {
          Walk(branch.then_body);
          Walk(branch.else_body);
        },
        [&](const Function& f) {
          NestedMentions* const here = nest_;
          here->inner.push_back(Collect(f));
        });
  }

  const Module& module_;
  const bool with_info_;
  Mentions& out_;
  NestedMentions* nest_ = nullptr;
  Seen* seen_ = nullptr;
  std::vector<PrimRef>* list_ = nullptr;
};

int IdOf(PrimRef var) { return var->As<SymVar>()->id; }

using Declarations = absl::flat_hash_map<const Function*, ShapeDeclarations>;

class Declarer {
 public:
  explicit Declarer(Declarations& out) : out_(out) {}

  void Declare(const NestedMentions& nest, absl::flat_hash_set<int> declared) {
    ShapeDeclarations out;
    const auto add = [&](PrimRef var, std::vector<PrimRef>& list) {
      if (declared.insert(IdOf(var)).second) list.push_back(var);
    };
    for (PrimRef var : nest.signature) add(var, out.signature);
    for (PrimRef var : nest.body) add(var, out.body);
    // A variable shared by two nested functions is declared here, even if it is not mentioned here.
    absl::flat_hash_map<int, int> users;
    for (const auto& inner : nest.inner) {
      for (const int id : inner->everywhere) ++users[id];
    }
    for (const auto& inner : nest.inner) {
      ForEachMention(*inner, [&](PrimRef var) {
        if (users[IdOf(var)] > 1) add(var, out.body);
      });
    }
    out_[nest.function] = std::move(out);
    for (const auto& inner : nest.inner) Declare(*inner, declared);
  }

 private:
  template <typename F>
  static void ForEachMention(const NestedMentions& nest, const F& visit) {
    for (PrimRef var : nest.signature) visit(var);
    for (PrimRef var : nest.body) visit(var);
    for (const auto& inner : nest.inner) ForEachMention(*inner, visit);
  }

  Declarations& out_;
};

}  // namespace

Mentions MentionsOf(const Module& module, const Function& outermost, bool with_info) {
  Mentions out;
  const std::unique_ptr<NestedMentions> nest = Collector(module, with_info, out).Collect(outermost);
  Declarer(out.declarations).Declare(*nest, {});
  return out;
}

}  // namespace lathe::ir

#include "generator/ir/structural_equal.h"

#include <algorithm>

#include "generator/ir/alpha_equal.h"
#include "generator/ir/alpha_equal_stmt.h"
#include "generator/ir/op.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// Deeper than any reader accepts; deeper functions are reported as different.
constexpr int kMaxEqualDepth = 500;

// Compares a function of one module with one of another.
class GraphEqual {
 public:
  GraphEqual(const Module& a, const Module& b) : a_(a), b_(b) {}

  bool Equal(const Global& a, const Global& b) {
    if (a.def.index() != b.def.index()) return pairs_.Differ("another kind of function");
    return Match(
        a.def, [&](const Function& f) { return Equal(f, std::get<Function>(b.def)); },
        [&](const PrimFunc& f) { return EqualPrimFuncs(pairs_, f, std::get<PrimFunc>(b.def)); },
        [&](const ExternFunc& f) { return Equal(f, std::get<ExternFunc>(b.def)); });
  }

  const std::string& why() const { return pairs_.why(); }

 private:
  bool Equal(const ExternFunc& a, const ExternFunc& b) {
    return (a.name == b.name || pairs_.Differ("'", a.name, "' against '", b.name, "'")) &&
           pairs_.Equal(a.info, b.info);
  }

  // Compares bound variables, including their annotations.
  bool Definitions(ValueId a, ValueId b) {
    if (!pairs_.Equal(a, b)) return false;
    const Value& x = a_.values[a];
    const Value& y = b_.values[b];
    if (x.dataflow != y.dataflow) return pairs_.Differ("a dataflow variable against none");
    return pairs_.Equal(x.annotation, y.annotation) || pairs_.Inside("annotation");
  }

  bool Equal(const Function& a, const Function& b) {
    if (++depth_ > kMaxEqualDepth) return pairs_.Differ("too deep to compare");
    if (a.params.size() != b.params.size()) return pairs_.Differ("another number of parameters");
    for (size_t i = 0; i < a.params.size(); ++i) {
      if (!Definitions(a.params[i], b.params[i])) {
        return pairs_.Inside("parameter '", a_.values[a.params[i]].name, "'");
      }
    }
    const bool equal = (pairs_.Equal(a.ret, b.ret) || pairs_.Inside("return annotation")) &&
                       pairs_.Same(a.pure, b.pure, "purity") && pairs_.Equal(a.attrs, b.attrs) &&
                       Equal(a.body, b.body);
    --depth_;
    return equal;
  }

  bool Equal(const Body& a, const Body& b) {
    if (++depth_ > kMaxEqualDepth) return pairs_.Differ("too deep to compare");
    for (size_t i = 0; i < std::min(a.blocks.size(), b.blocks.size()); ++i) {
      if (!Equal(a.blocks[i], b.blocks[i])) return false;
    }
    if (a.blocks.size() != b.blocks.size()) {
      return pairs_.Differ(a.blocks.size(), " blocks against ", b.blocks.size());
    }
    --depth_;
    return Equal(a.result, b.result) || pairs_.Inside("result");
  }

  bool Equal(const Block& a, const Block& b) {
    if (a.dataflow != b.dataflow) return pairs_.Differ("a dataflow block against an ordinary one");
    for (size_t i = 0; i < std::min(a.bindings.size(), b.bindings.size()); ++i) {
      if (!Equal(a.bindings[i], b.bindings[i])) {
        return pairs_.Inside("binding '", a_.values[a.bindings[i].var].name, "'");
      }
    }
    return a.bindings.size() == b.bindings.size() ||
           pairs_.Differ("a block of ", a.bindings.size(), " bindings against ", b.bindings.size());
  }

  bool Equal(const Binding& a, const Binding& b) {
    if (a.rhs.index() != b.rhs.index()) return pairs_.Differ("another kind of right-hand side");
    // A function literal may be recursive, so its variable is paired first.
    if (std::holds_alternative<Function>(a.rhs) && !Definitions(a.var, b.var)) return false;
    const auto other = [&](const auto& n) -> decltype(auto) {
      return std::get<std::decay_t<decltype(n)>>(b.rhs);
    };
    const bool equal = Match(
        a.rhs, [&](const Operand& o) { return Equal(o, other(o)); },
        [&](const Call& c) { return Equal(c, other(c)); },
        [&](const GetField& g) {
          return Equal(g.tuple, other(g).tuple) && pairs_.Same(g.index, other(g).index, "index");
        },
        [&](const MatchCast& m) {
          return Equal(m.value, other(m).value) && pairs_.Equal(m.info, other(m).info);
        },
        [&](const If& i) {
          return (Equal(i.cond, other(i).cond) || pairs_.Inside("condition")) &&
                 (Equal(i.then_body, other(i).then_body) || pairs_.Inside("then")) &&
                 (Equal(i.else_body, other(i).else_body) || pairs_.Inside("else"));
        },
        [&](const Function& f) { return Equal(f, other(f)); });
    // The annotation of the result of an If is printed in its branches.
    if (std::holds_alternative<If>(a.rhs)) return equal && pairs_.Equal(a.var, b.var);
    return equal && Definitions(a.var, b.var);
  }

  bool Equal(const Call& a, const Call& b) {
    if (a.callee.index() != b.callee.index()) return pairs_.Differ("another kind of callee");
    const bool callees = Match(
        a.callee,
        [&](const Op* op) {
          const Op* other = std::get<const Op*>(b.callee);
          return op->name == other->name || pairs_.Differ(op->name, " against ", other->name);
        },
        [&](ValueId v) { return pairs_.Equal(v, std::get<ValueId>(b.callee)); },
        [&](GlobalId g) { return Equal(g, std::get<GlobalId>(b.callee)); },
        [&](const ExternFunc& f) { return Equal(f, std::get<ExternFunc>(b.callee)); });
    if (!callees) return pairs_.Inside("callee");
    if (a.args.size() != b.args.size()) {
      return pairs_.Differ(a.args.size(), " arguments against ", b.args.size());
    }
    for (size_t i = 0; i < a.args.size(); ++i) {
      if (!Equal(a.args[i], b.args[i])) return pairs_.Inside("argument ", i);
    }
    return pairs_.Equal(a.attrs, b.attrs) &&
           (pairs_.Equal(a.sinfo_args, b.sinfo_args) || pairs_.Inside("structural arguments"));
  }

  bool Equal(GlobalId a, GlobalId b) {
    const std::string& x = a_.globals[a].name;
    const std::string& y = b_.globals[b].name;
    return x == y || pairs_.Differ("the function '", x, "' against '", y, "'");
  }

  bool Equal(ConstantId a, ConstantId b) {
    const Constant& x = a_.constants[a];
    const Constant& y = b_.constants[b];
    return pairs_.Same(x.dtype, y.dtype, "dtype of the constant") &&
           pairs_.Same(x.shape, y.shape, "shape of the constant") &&
           (x.bytes == y.bytes || (x.bytes && y.bytes && *x.bytes == *y.bytes) ||
            pairs_.Differ("other elements of the constant"));
  }

  bool Equal(const Operand& a, const Operand& b) {
    if (a.node.index() != b.node.index()) return pairs_.Differ("another kind of operand");
    if (++depth_ > kMaxEqualDepth) return pairs_.Differ("too deep to compare");
    const auto other = [&](const auto& n) -> decltype(auto) {
      return std::get<std::decay_t<decltype(n)>>(b.node);
    };
    const bool equal = Match(
        a.node,
        [&](ValueId v) {
          return pairs_.Equal(v, other(v)) || pairs_.Inside("'", a_.values[v].name, "' against '",
                                                            b_.values[other(v)].name, "'");
        },
        [&](ConstantId c) { return Equal(c, other(c)); },
        [&](const ShapeExpr& s) { return pairs_.Equal(s.values, other(s).values); },
        [&](const PrimValue& p) { return pairs_.Equal(p.value, other(p).value); },
        [&](const StringImm& s) { return pairs_.Same(s, other(s), "string"); },
        [&](const DTypeImm& d) { return pairs_.Same(d.dtype, other(d).dtype, "dtype"); },
        [&](const TupleExpr& t) { return Fields(t.fields, other(t).fields); },
        [&](GlobalId g) { return Equal(g, other(g)); },
        [&](const ExternFunc& f) { return Equal(f, other(f)); });
    --depth_;
    return equal;
  }

  bool Fields(const std::vector<Operand>& a, const std::vector<Operand>& b) {
    if (a.size() != b.size()) return pairs_.Differ(a.size(), " fields against ", b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Equal(a[i], b[i])) return pairs_.Inside("field ", i);
    }
    return true;
  }

  const Module& a_;
  const Module& b_;
  AlphaEqual pairs_;
  int depth_ = 0;
};

bool GlobalInfosEqual(AlphaEqual& pairs, const Module& a, const Module& b) {
  for (const auto& [kind, list] : a.global_infos) {
    const auto it = b.global_infos.find(kind);
    if (it == b.global_infos.end() || it->second.size() != list.size()) {
      return pairs.Differ("other entries '", kind, "'");
    }
    for (size_t i = 0; i < list.size(); ++i) {
      const auto as_attr = [](const GlobalInfo& info) {
        return Match(
            info, [](VDeviceRef d) { return AttrValue(d); },
            [](const AttrObject& o) { return AttrValue(o); });
      };
      if (!pairs.Equal(as_attr(list[i]), as_attr(it->second[i]))) {
        return pairs.Inside("'", kind, "' ", i);
      }
    }
  }
  return a.global_infos.size() == b.global_infos.size() || pairs.Differ("other kinds of entries");
}

bool Say(std::string* where, std::string text) {
  if (where != nullptr) *where = std::move(text);
  return false;
}

// The functions sorted by name; duplicates (no valid module has any) keep their order.
std::vector<GlobalId> Sorted(const Module& m) {
  std::vector<GlobalId> ids(m.globals.size());
  for (size_t i = 0; i < ids.size(); ++i) ids[i].index = static_cast<int32_t>(i);
  std::stable_sort(ids.begin(), ids.end(),
                   [&](GlobalId x, GlobalId y) { return m.globals[x].name < m.globals[y].name; });
  return ids;
}

}  // namespace

bool StructurallyEqual(const Module& module_a, const Global& a, const Module& module_b,
                       const Global& b, std::string* where) {
  GraphEqual graph(module_a, module_b);
  return graph.Equal(a, b) || Say(where, absl::StrCat("function '", a.name, "': ", graph.why()));
}

bool StructurallyEqual(const Module& a, const Module& b, std::string* where) {
  AlphaEqual pairs;
  if (!pairs.Equal(a.attrs, b.attrs)) {
    return Say(where, absl::StrCat("module attributes: ", pairs.why()));
  }
  if (!GlobalInfosEqual(pairs, a, b))
    return Say(where, absl::StrCat("global infos: ", pairs.why()));
  const std::vector<GlobalId> in_a = Sorted(a);
  const std::vector<GlobalId> in_b = Sorted(b);
  for (size_t i = 0; i < std::min(in_a.size(), in_b.size()); ++i) {
    const Global& x = a.globals[in_a[i]];
    const Global& y = b.globals[in_b[i]];
    if (x.name != y.name) {
      const bool missing = x.name < y.name;
      return Say(where, absl::StrCat("function '", missing ? x.name : y.name,
                                     "' is missing in the ", missing ? "second" : "first"));
    }
    if (!StructurallyEqual(a, x, b, y, where)) return false;
  }
  if (in_a.size() == in_b.size()) return true;
  return Say(where, absl::StrCat(in_a.size(), " functions and ", in_b.size()));
}

}  // namespace lathe::ir

#include "generator/ir/alpha_equal_stmt.h"

#include "generator/support/match.h"

namespace lathe::ir {
namespace {

class StmtEqual {
 public:
  explicit StmtEqual(AlphaEqual& pairs) : pairs_(pairs) {}

  bool Equal(StmtRef a, StmtRef b) {
    if (a == nullptr || b == nullptr) return a == b || pairs_.Differ("a statement against none");
    if (a->node().index() != b->node().index()) {
      return pairs_.Differ("a statement of kind ", KindOf(a), " against ", KindOf(b));
    }
    if (++depth_ > kMaxAlphaDepth) return pairs_.Differ("too deep to compare");
    const bool equal = Nodes(*a, *b);
    --depth_;
    return equal || pairs_.Inside(KindOf(a));
  }

 private:
  static absl::string_view KindOf(StmtRef s) {
    using Text = absl::string_view;
    return Match(
        s->node(), [](const SeqStmt&) { return Text("sequence"); },
        [](const ForStmt&) { return Text("loop"); }, [](const BlockStmt&) { return Text("block"); },
        [](const StoreStmt&) { return Text("store"); }, [](const LetStmt&) { return Text("let"); },
        [](const IfStmt&) { return Text("if"); }, [](const WhileStmt&) { return Text("while"); },
        [](const AllocStmt&) { return Text("allocation"); },
        [](const DeclBufferStmt&) { return Text("buffer"); },
        [](const AttrStmt&) { return Text("attr"); },
        [](const AssertStmt&) { return Text("assert"); },
        [](const EvaluateStmt&) { return Text("evaluate"); },
        [](const ReturnStmt&) { return Text("return"); },
        [](const BreakStmt&) { return Text("break"); },
        [](const ContinueStmt&) { return Text("continue"); });
  }

  bool Nodes(const Stmt& a, const Stmt& b) {
    const auto other = [&](const auto& n) -> decltype(auto) {
      return std::get<std::decay_t<decltype(n)>>(b.node());
    };
    AlphaEqual& p = pairs_;
    return Match(
        a.node(), [&](const SeqStmt& s) { return Lists(s.stmts, other(s).stmts); },
        [&](const ForStmt& s) { return Loops(s, other(s)); },
        [&](const BlockStmt& s) { return Blocks(s, other(s)) || p.Inside("'", s.name, "'"); },
        [&](const StoreStmt& s) {
          return p.Equal(s.buffer, other(s).buffer) && p.Equal(s.indices, other(s).indices) &&
                 p.Equal(s.value, other(s).value) && p.Equal(s.predicate, other(s).predicate);
        },
        [&](const LetStmt& s) {
          return p.Equal(s.value, other(s).value) && p.Equal(s.var, other(s).var) &&
                 Equal(s.body, other(s).body);
        },
        [&](const IfStmt& s) {
          return p.Equal(s.cond, other(s).cond) && Equal(s.then_case, other(s).then_case) &&
                 Equal(s.else_case, other(s).else_case);
        },
        [&](const WhileStmt& s) {
          return p.Equal(s.cond, other(s).cond) && Equal(s.body, other(s).body);
        },
        [&](const AllocStmt& s) {
          const AllocStmt& o = other(s);
          return p.Equal(s.buffer, o.buffer) && p.Equal(s.annotations, o.annotations) &&
                 p.Equal(s.condition, o.condition) && Optional(s.constant, o.constant) &&
                 Equal(s.body, o.body);
        },
        [&](const DeclBufferStmt& s) {
          return p.Equal(s.buffer, other(s).buffer) && Equal(s.body, other(s).body);
        },
        [&](const AttrStmt& s) {
          const AttrStmt& o = other(s);
          return p.Same(s.key, o.key, "key") && p.Equal(s.node, o.node) &&
                 p.Equal(s.buffer, o.buffer) && p.Equal(s.value, o.value) && Equal(s.body, o.body);
        },
        [&](const AssertStmt& s) {
          const AssertStmt& o = other(s);
          return p.Equal(s.cond, o.cond) && p.Same(s.kind, o.kind, "kind of error") &&
                 p.Same(s.messages, o.messages, "message") && Equal(s.body, o.body);
        },
        [&](const EvaluateStmt& s) { return p.Equal(s.value, other(s).value); },
        [&](const ReturnStmt& s) { return p.Equal(s.value, other(s).value); },
        [](const BreakStmt&) { return true; }, [](const ContinueStmt&) { return true; });
  }

  bool Lists(const std::vector<StmtRef>& a, const std::vector<StmtRef>& b) {
    if (a.size() != b.size()) return pairs_.Differ(a.size(), " statements against ", b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Equal(a[i], b[i])) return pairs_.Inside("statement ", i);
    }
    return true;
  }

  bool Loops(const ForStmt& a, const ForStmt& b) {
    AlphaEqual& p = pairs_;
    return p.Same(a.kind, b.kind, "kind of loop") && p.Same(a.thread, b.thread, "thread") &&
           p.Equal(a.min, b.min) && p.Equal(a.extent, b.extent) && p.Equal(a.step, b.step) &&
           p.Equal(a.var, b.var) && p.Equal(a.annotations, b.annotations) && Equal(a.body, b.body);
  }

  bool Blocks(const BlockStmt& a, const BlockStmt& b) {
    AlphaEqual& p = pairs_;
    if (a.name != b.name) return p.Differ("another name, '", b.name, "'");
    if (a.axes.size() != b.axes.size()) return p.Differ("another number of axes");
    for (size_t i = 0; i < a.axes.size(); ++i) {
      const BlockAxis& x = a.axes[i];
      const BlockAxis& y = b.axes[i];
      if (!(p.Same(x.kind, y.kind, "kind") && p.Equal(x.min, y.min) &&
            p.Equal(x.extent, y.extent) && p.Equal(x.binding, y.binding) &&
            p.Equal(x.var, y.var))) {
        return p.Inside("axis ", i);
      }
    }
    if (a.allocs.size() != b.allocs.size()) return p.Differ("another number of allocations");
    for (size_t i = 0; i < a.allocs.size(); ++i) {
      if (!p.Equal(a.allocs[i], b.allocs[i])) return p.Inside("allocation ", i);
    }
    if (a.matches.size() != b.matches.size()) return p.Differ("another number of views");
    for (size_t i = 0; i < a.matches.size(); ++i) {
      if (!Regions(a.matches[i].source, b.matches[i].source) ||
          !p.Equal(a.matches[i].buffer, b.matches[i].buffer)) {
        return p.Inside("view ", i);
      }
    }
    return (OptionalRegions(a.reads, b.reads) || p.Inside("reads")) &&
           (OptionalRegions(a.writes, b.writes) || p.Inside("writes")) &&
           (p.Equal(a.predicate, b.predicate) || p.Inside("predicate")) &&
           p.Equal(a.annotations, b.annotations) && p.Same(a.realized, b.realized, "realisation") &&
           (Equal(a.init, b.init) || p.Inside("init")) && Equal(a.body, b.body);
  }

  bool Regions(const BufferRegion& a, const BufferRegion& b) {
    return pairs_.Equal(a.buffer, b.buffer) && pairs_.Equal(a.mins, b.mins) &&
           pairs_.Equal(a.extents, b.extents);
  }

  bool OptionalRegions(const std::optional<std::vector<BufferRegion>>& a,
                       const std::optional<std::vector<BufferRegion>>& b) {
    if (a.has_value() != b.has_value()) return pairs_.Differ("written in one only");
    if (!a) return true;
    if (a->size() != b->size()) return pairs_.Differ(a->size(), " regions against ", b->size());
    for (size_t i = 0; i < a->size(); ++i) {
      if (!Regions((*a)[i], (*b)[i])) return pairs_.Inside("region ", i);
    }
    return true;
  }

  bool Optional(const std::optional<std::vector<PrimRef>>& a,
                const std::optional<std::vector<PrimRef>>& b) {
    if (a.has_value() != b.has_value()) return pairs_.Differ("constant in one only");
    return !a || pairs_.Equal(*a, *b);
  }

  AlphaEqual& pairs_;
  int depth_ = 0;
};

}  // namespace

bool EqualPrimFuncs(AlphaEqual& pairs, const PrimFunc& a, const PrimFunc& b) {
  if (a.params.size() != b.params.size()) return pairs.Differ("another number of parameters");
  for (size_t i = 0; i < a.params.size(); ++i) {
    if (!pairs.Equal(a.params[i].var, b.params[i].var) ||
        !pairs.Equal(a.params[i].buffer, b.params[i].buffer)) {
      return pairs.Inside("parameter ", i);
    }
  }
  return pairs.Same(a.ret, b.ret, "return dtype") && pairs.Equal(a.attrs, b.attrs) &&
         pairs.Same(a.scheduled, b.scheduled, "value of s_tir") &&
         pairs.Same(a.persistent, b.persistent, "value of persistent") &&
         StmtEqual(pairs).Equal(a.body, b.body);
}

}  // namespace lathe::ir

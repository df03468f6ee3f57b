#include "generator/analysis/verify_prim_func.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/scope_id.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

class Verifier {
 public:
  Verifier(Diagnostics& diags, const Location& loc) : diags_(diags), loc_(loc) {}

  void Function(const ir::PrimFunc& func) {
    for (const ir::PrimParam& param : func.params) Define(param.var, param.loc);
    // Variables that a buffer's description uses alone are passed by the caller, wherever they
    // first occur.
    for (const ir::PrimParam& param : func.params) {
      if (param.buffer != nullptr) DefineParts(param.buffer);
    }
    for (const ir::PrimParam& param : func.params) {
      if (param.buffer == nullptr) continue;
      UseParts(param.buffer);
      DefineBuffer(param.buffer);
    }
    if (func.body != nullptr) Stmt(func.body);
  }

 private:
  // Ends, in its destructor, the definitions made during its lifetime.
  class Scope {
   public:
    explicit Scope(Verifier& v)
        : v_(v), vars_(v.open_vars_.size()), buffers_(v.open_buffers_.size()) {}
    ~Scope() {
      while (v_.open_vars_.size() > vars_) {
        v_.in_scope_.erase(v_.open_vars_.back());
        v_.open_vars_.pop_back();
      }
      while (v_.open_buffers_.size() > buffers_) {
        v_.buffers_.erase(v_.open_buffers_.back());
        v_.open_buffers_.pop_back();
      }
    }
    Scope(const Scope&) = delete;

   private:
    Verifier& v_;
    const size_t vars_;
    const size_t buffers_;
  };

  static const ir::SymVar& Symbol(PrimRef var) { return *var->As<ir::SymVar>(); }

  void Open(PrimRef var) {
    if (in_scope_.insert(Symbol(var).id).second) open_vars_.push_back(Symbol(var).id);
  }

  void Define(PrimRef var, const Location& loc) {
    if (var->As<ir::SymVar>() == nullptr) return;
    const auto [first, fresh] = defined_.try_emplace(Symbol(var).id, loc);
    if (!fresh) {
      diags_.Error(loc, "variable-redefined").Note(first->second, "defined here")
          << "redefinition of variable '" << Symbol(var).name << "'";
    }
    Open(var);
  }

  void DefineIfNew(PrimRef var) {
    if (var == nullptr || var->As<ir::SymVar>() == nullptr) return;
    defined_.try_emplace(Symbol(var).id, loc_);
    Open(var);
  }

  void DefineBuffer(BufferRef buffer) {
    if (buffers_.insert(buffer).second) open_buffers_.push_back(buffer);
  }

  void DefineParts(BufferRef buffer) {
    DefineIfNew(buffer->data);
    for (PrimRef dim : buffer->shape) DefineIfNew(dim);
    for (PrimRef stride : buffer->strides) DefineIfNew(stride);
    DefineIfNew(buffer->elem_offset);
  }

  void UseParts(BufferRef buffer) {
    Use(buffer->data);
    All(buffer->shape);
    All(buffer->strides);
    if (buffer->elem_offset != nullptr) Use(buffer->elem_offset);
  }

  void All(const std::vector<PrimRef>& list) {
    for (PrimRef e : list) {
      if (e != nullptr) Use(e);
    }
  }

  void UseVar(PrimRef var) {
    const ir::SymVar& symbol = Symbol(var);
    if (!in_scope_.contains(symbol.id)) {
      if (!reported_.insert(symbol.id).second) return;
      const auto first = defined_.find(symbol.id);
      if (first == defined_.end()) {
        diags_.Error(loc_, "undefined-variable") << "undefined variable '" << symbol.name << "'";
      } else {
        diags_.Error(loc_, "undefined-variable").Note(first->second, "defined here")
            << "the variable '" << symbol.name << "' is used outside its scope";
      }
      return;
    }
    const auto loop = loops_.find(symbol.id);
    if (loop != loops_.end() && loop->second < blocks_ && reported_.insert(symbol.id).second) {
      diags_.Error(loc_, "loop-var-in-block") << "a block with axes must not use the variable '"
                                              << symbol.name << "' of a surrounding loop";
    }
  }

  void UseBuffer(BufferRef buffer) {
    if (buffers_.contains(buffer) || !reported_buffers_.insert(buffer).second) return;
    diags_.Error(loc_, "undefined-variable").Note(buffer->loc, "defined here")
        << "the buffer '" << buffer->name << "' is used outside its scope";
  }

  void Use(PrimRef e) {
    if (e->As<ir::SymVar>() != nullptr) return UseVar(e);
    if (const auto* let = e->As<ir::Let>()) {
      Use(let->value);
      const Scope scope(*this);
      Open(let->var);
      return Use(let->body);
    }
    const Scope scope(*this);
    if (const auto* reducer = e->As<ir::CommReducer>()) {
      for (PrimRef var : reducer->lhs) Open(var);
      for (PrimRef var : reducer->rhs) Open(var);
    }
    if (const auto* load = e->As<ir::Load>()) UseBuffer(load->buffer);
    if (const auto* region = e->As<ir::RegionArg>()) UseBuffer(region->buffer);
    ir::ForEachOperand(e, [this](PrimRef operand) { Use(operand); });
  }

  void UseRegions(const std::vector<ir::BufferRegion>& regions) {
    for (const ir::BufferRegion& region : regions) {
      UseBuffer(region.buffer);
      All(region.mins);
      All(region.extents);
    }
  }

  // A body with a scope of its own.
  void Body(StmtRef stmt) {
    if (stmt == nullptr) return;
    const Scope scope(*this);
    Stmt(stmt);
  }

  void Loop(const ir::ForStmt& loop) {
    Use(loop.min);
    Use(loop.extent);
    if (loop.step != nullptr) Use(loop.step);
    const Scope scope(*this);
    Define(loop.var, loc_);
    loops_[Symbol(loop.var).id] = blocks_;
    Stmt(loop.body);
  }

  void Block(const ir::BlockStmt& block) {
    for (const ir::BlockAxis& axis : block.axes) {
      Use(axis.min);
      Use(axis.extent);
      if (axis.binding != nullptr) Use(axis.binding);
    }
    if (block.predicate != nullptr) Use(block.predicate);
    const Scope scope(*this);
    const bool opaque = block.axes.empty();
    if (!opaque) ++blocks_;
    for (const ir::BlockAxis& axis : block.axes) Define(axis.var, loc_);
    for (BufferRef buffer : block.allocs) {
      DefineIfNew(buffer->data);
      UseParts(buffer);
      DefineBuffer(buffer);
    }
    for (const ir::BlockMatch& match : block.matches) {
      UseRegions({match.source});
      DefineParts(match.buffer);
      UseParts(match.buffer);
      DefineBuffer(match.buffer);
    }
    if (block.reads) UseRegions(*block.reads);
    if (block.writes) UseRegions(*block.writes);
    Body(block.init);
    Body(block.body);
    if (!opaque) --blocks_;
  }

  void Attr(const ir::AttrStmt& attr) {
    // A thread may be launched several times with one variable.
    const auto* object = attr.node.As<ir::AttrObject>();
    if (object != nullptr && object->kind == "iter_var" && object->fields != nullptr) {
      if (const PrimRef* var = ir::FindAttr<PrimRef>(*object->fields, "var")) DefineIfNew(*var);
    }
    if (const std::optional<ir::ScopeId> id = ir::ScopeIdOf(attr)) {
      for (PrimRef var : id->vars) Define(var, loc_);
    }
    if (attr.buffer != nullptr) UseBuffer(attr.buffer);
    Use(attr.value);
    if (attr.body != nullptr) Stmt(attr.body);
  }

  void Declare(const ir::DeclBufferStmt& declare) {
    // Without a known pointer the memory is external, with all variables that describe it.
    const auto* pointer = declare.buffer->data->As<ir::SymVar>();
    if (pointer != nullptr && !in_scope_.contains(pointer->id)) DefineParts(declare.buffer);
    UseParts(declare.buffer);
    DefineBuffer(declare.buffer);
    if (declare.body != nullptr) Stmt(declare.body);
  }

  // Definitions without a body last to the end of the sequence, which is the caller's scope; those
  // with a body end with it.
  template <typename F>
  void Flat(StmtRef body, const F& visit) {
    if (body == nullptr) return visit();
    const Scope scope(*this);
    visit();
  }

  void Stmt(StmtRef stmt) {
    const Location outer = std::exchange(loc_, stmt->loc());
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          const Scope scope(*this);
          for (StmtRef inner : s.stmts) Stmt(inner);
        },
        [&](const ir::ForStmt& s) { Loop(s); }, [&](const ir::BlockStmt& s) { Block(s); },
        [&](const ir::StoreStmt& s) {
          UseBuffer(s.buffer);
          All(s.indices);
          Use(s.value);
          if (s.predicate != nullptr) Use(s.predicate);
        },
        [&](const ir::LetStmt& s) {
          Use(s.value);
          Flat(s.body, [&] {
            Define(s.var, loc_);
            if (s.body != nullptr) Stmt(s.body);
          });
        },
        [&](const ir::IfStmt& s) {
          Use(s.cond);
          Body(s.then_case);
          Body(s.else_case);
        },
        [&](const ir::WhileStmt& s) {
          Use(s.cond);
          Body(s.body);
        },
        [&](const ir::AllocStmt& s) {
          if (s.condition != nullptr) Use(s.condition);
          Flat(s.body, [&] {
            DefineIfNew(s.buffer->data);
            UseParts(s.buffer);
            DefineBuffer(s.buffer);
            if (s.body != nullptr) Stmt(s.body);
          });
        },
        [&](const ir::DeclBufferStmt& s) { Flat(s.body, [&] { Declare(s); }); },
        [&](const ir::AttrStmt& s) { Flat(s.body, [&] { Attr(s); }); },
        [&](const ir::AssertStmt& s) {
          Use(s.cond);
          Body(s.body);
        },
        [&](const ir::EvaluateStmt& s) { Use(s.value); },
        [&](const ir::ReturnStmt& s) {
          if (s.value != nullptr) Use(s.value);
        },
        [](const ir::BreakStmt&) {}, [](const ir::ContinueStmt&) {});
    loc_ = outer;
  }

  Diagnostics& diags_;
  Location loc_;  // of the current statement
  absl::flat_hash_map<int, Location> defined_;
  absl::flat_hash_set<int> in_scope_;
  std::vector<int> open_vars_;
  absl::flat_hash_set<BufferRef> buffers_;
  std::vector<BufferRef> open_buffers_;
  // Loop variables, with the number of enclosing blocks with axes.
  absl::flat_hash_map<int, int> loops_;
  int blocks_ = 0;
  absl::flat_hash_set<int> reported_;
  absl::flat_hash_set<BufferRef> reported_buffers_;
};

}  // namespace

void VerifyPrimFunc(const ir::PrimFunc& func, const Location& loc, Diagnostics& diags) {
  Verifier(diags, loc).Function(func);
}

void VerifyPrimFuncs(const ir::Module& module, Diagnostics& diags) {
  for (size_t i = 0; i < module.globals.size(); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{static_cast<int32_t>(i)}];
    if (global.prim_func() != nullptr) VerifyPrimFunc(*global.prim_func(), global.loc, diags);
  }
}

}  // namespace lathe::analysis

// Translates expressions.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/translate/translation.h"
#include "generator/support/match.h"

namespace lathe::relay {

ir::Operand Translation::FailAt(ExprId id, absl::string_view what) {
  diags_.Unsupported(At(id).loc, "relay-unsupported") << what;
  return builder_.Number(0);
}

ir::Operand Translation::FieldOf(const Operand& tuple, size_t index) {
  const auto* literal = tuple.As<ir::TupleExpr>();
  return literal != nullptr ? literal->fields[index]
                            : builder_.Field(tuple, static_cast<int>(index));
}

ir::Operand Translation::Translate(ExprId id) {
  // A block inside an expression is a scope of its own.
  if (At(id).As<BlockTree>() != nullptr && scopes_.back() != id && places_->IsScope(id)) {
    return TranslateScope(id);
  }
  const Location outer = builder_.At(At(id).loc);
  Operand value = TranslateNode(id);
  builder_.At(outer);
  return value;
}

ir::Operand Translation::TranslateNode(ExprId id) {
  const Expr& e = At(id);
  return Match(
      e.node,
      [&](const Literal& l) {
        const auto [it, inserted] = literals_.try_emplace(id);
        if (inserted) it->second = builder_.Constant(l.value);
        return it->second;
      },
      [&](const LocalRef& l) { return TranslateLocal(id, l.var); },
      [&](const SharedRef& s) { return TranslateShared(id, s.target); },
      [&](const GlobalRef& g) {
        const Definition& d = m_.tree.definitions[static_cast<size_t>(m_.definitions.at(g.name))];
        return Operand{InstanceOf(d, TypeArgsAt(id))};
      },
      [&](const NameRef& n) { return TranslateName(id, n.name); },
      [&](const Tuple& t) {
        Operands fields;
        for (const ExprId field : t.fields) fields.push_back(Translate(field));
        return transform::BlockBuilder::Tuple(std::move(fields));
      },
      [&](const Project& p) { return FieldOf(Translate(p.tuple), static_cast<size_t>(p.index)); },
      [&](const CallTree& c) { return TranslateCall(id, c); },
      [&](const Fn& f) {
        if (RefuseEffects(id)) return builder_.Number(0);
        return TranslateInstance(*f.function, TypeArgsAt(id), "fn");
      },
      [&](const IfTree& i) {
        const Operand cond = Translate(i.cond);
        const std::vector<CellId> cells = CellsIn({i.then_body, i.else_body});
        const auto branch = [&](ExprId body) {
          return WithCells(cells, [&] { return TranslateBranch(id, body); });
        };
        return TakeCells(cells, builder_.If(
                                    cond, [&] { return branch(i.then_body); },
                                    [&] { return branch(i.else_body); }));
      },
      [&](const MatchTree& m) { return TranslateMatch(id, m); },
      [&](const NewRef& r) {
        if (stored_) return NewStored(r, TypeAt(id));
        TranslateRef(id);
        return FailAt(id, "a reference that is not bound to a variable");
      },
      [&](const ReadRef& r) { return stored_ ? ReadStored(r.ref) : ReadCell(r); },
      [&](const WriteRef& w) {
        if (!stored_) return WriteCell(w);
        WriteStored(w);
        return transform::BlockBuilder::Tuple({});
      },
      [&](const BlockTree& b) { return TranslateBlock(b); });
}

// What a scope evaluated is not visible after it: another branch evaluates it again.
ir::Operand Translation::TranslateScope(ExprId id) {
  scopes_.push_back(id);
  const Operand result = TranslateStatement(id);
  scopes_.pop_back();
  const auto is_here = [&](const auto& entry) { return places_->ScopeOf(entry.first) == id; };
  absl::erase_if(shared_, is_here);
  absl::erase_if(shared_refs_, is_here);
  absl::erase_if(shared_effects_, is_here);
  return result;
}

// A branch of `id`. Functions of all branches have the same info.
ir::Operand Translation::TranslateBranch(ExprId id, ExprId body) {
  Operand result = TranslateScope(body);
  const TypeRef type = TypeAt(id);
  return HasFunctions(type) ? Coerce(std::move(result), TypeAt(body), type, At(body).loc) : result;
}

void Translation::EvaluateShared(ExprId id) {
  const auto done = [&](ExprId shared) {
    return shared_.contains(shared) || shared_refs_.contains(shared);
  };
  for (const ExprId shared : places_->NeededBy(id, scopes_.back(), done)) {
    if (IsRef(shared)) {
      if (const std::optional<CellId> cell = TranslateRef(shared)) shared_refs_[shared] = *cell;
      continue;
    }
    const auto* fn = At(shared).As<Fn>();
    const std::vector<CellId> cells = fn == nullptr ? std::vector<CellId>() : CellsIn({shared});
    Operand value = cells.empty() ? Translate(shared) : TranslateFn(*fn->function, "fn", {}, cells);
    if (!cells.empty()) shared_effects_[shared] = cells;
    shared_[shared] = std::move(value);
  }
}

ir::Operand Translation::TranslateStatement(ExprId id) {
  // The block of this scope translates each of its lines as a statement. An inner block is one
  // statement here: what it shares with others of this scope is evaluated before it.
  if (scopes_.back() != id || At(id).As<BlockTree>() == nullptr) EvaluateShared(id);
  return Translate(id);
}

ir::Operand Translation::TranslateBlock(const BlockTree& block) {
  for (const Item& item : block.items) {
    if (item.kind == Item::Kind::kGraph) continue;
    // Operators and polymorphic functions are values only at their uses.
    const TypeRef type = types_.Resolve(m_.expr_types[item.value]);
    const auto* func = type->As<FuncType>();
    if (type->As<OpType>() != nullptr || (func != nullptr && !func->type_params.empty())) continue;
    if (item.kind == Item::Kind::kDrop) {
      TranslateStatement(item.value);
      continue;
    }
    const std::string& name = m_.tree.vars[item.var].name;
    if (IsRef(item.value)) {
      EvaluateShared(item.value);
      if (const std::optional<CellId> cell = TranslateRef(item.value)) refs_[item.var] = *cell;
      continue;
    }
    if (const auto* fn = At(item.value).As<Fn>()) {
      EvaluateShared(item.value);
      const std::vector<CellId> cells = CellsIn({item.value});
      if (!cells.empty()) effects_[item.var] = cells;
      values_[item.var] = TranslateFn(*fn->function, name, item.var, cells);
      continue;
    }
    const Operand value = TranslateStatement(item.value);
    builder_.Name(value, name);
    values_[item.var] = value;
  }
  return TranslateStatement(block.result);
}

ir::Operand Translation::TranslateLocal(ExprId id, VarId var) {
  if (refs_.contains(var)) {
    TranslateRef(id);
    return FailAt(id, absl::StrCat("the reference '%", m_.tree.vars[var].name,
                                   "' cannot be stored in a tuple, returned or passed as an "
                                   "argument; read it first: ref_read(%",
                                   m_.tree.vars[var].name, ")"));
  }
  if (effects_.contains(var) && RefuseEffects(id)) return builder_.Number(0);
  const auto found = values_.find(var);
  if (found != values_.end()) return found->second;
  // A polymorphic function is translated at each mention, for the types there.
  const auto let = m_.let_values.find(var);
  if (let != m_.let_values.end()) {
    if (const auto* fn = At(let->second).As<Fn>()) {
      return TranslateInstance(*fn->function, TypeArgsAt(id), m_.tree.vars[var].name);
    }
    if (At(let->second).As<LocalRef>() != nullptr || At(let->second).As<GlobalRef>() != nullptr) {
      return Translate(let->second);
    }
  }
  return FailAt(id, absl::StrCat("%", m_.tree.vars[var].name, " is used outside of its scope"));
}

ir::Operand Translation::TranslateShared(ExprId id, ExprId target) {
  const auto found = shared_.find(target);
  if (found != shared_.end()) return found->second;
  return FailAt(id, "a graph variable that uses variables of a scope in which it is not evaluated");
}

// A constructor as a function.
ir::Operand Translation::TranslateName(ExprId id, const std::string& name) {
  const Constructor* constructor = m_.FindConstructor(name);
  if (constructor == nullptr) {
    return FailAt(id, absl::StrCat("operator '", name, "' as a value; call it in a function"));
  }
  const auto* func = TypeAt(id)->As<FuncType>();
  if (func == nullptr) return Construct(*constructor, {});
  std::vector<Param> params;
  for (size_t i = 0; i < func->params.size(); ++i) {
    params.push_back(
        {absl::StrCat("x", i), InfoOf(func->params[i], AnyDims::kNewVars, At(id).loc)});
  }
  const size_t count = params.size();
  return MakeFunction(name, std::move(params), context_.Object(), [&](const Operands& in) {
    return Construct(*constructor,
                     Operands(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count)));
  });
}

// A polymorphic function for these type arguments.
ir::Operand Translation::TranslateInstance(const FunctionTree& function,
                                           const std::vector<TypeRef>& args,
                                           absl::string_view name) {
  const std::vector<TypeParamId> params = m_.signatures[&function].type_params;
  const TypeArgs outer = type_args_;
  for (size_t i = 0; i < args.size(); ++i) type_args_[params[i]] = args[i];
  Operand value = TranslateFn(function, name, VarId(), CellsIn({}));
  type_args_ = outer;
  return value;
}

ir::Operand Translation::TranslateFn(const FunctionTree& function, absl::string_view name,
                                     VarId self, const std::vector<CellId>& cells) {
  const auto* type = TypeIn(m_.signatures[&function].type)->As<FuncType>();
  const Location outer = builder_.At(function.loc);
  transform::BlockBuilder::FunctionOptions options;
  options.ret = InfoOf(type->ret, AnyDims::kUnknown, function.loc);
  std::vector<Param> params = ParamsOf(function);
  if (!cells.empty()) {
    std::vector<ir::StructInfoRef> results = {options.ret};
    for (const CellId cell : cells) {
      const TypeRef value = cells_[cell].type;
      params.push_back({"cell", InfoOf(value, AnyDims::kNewVars, function.loc)});
      results.push_back(InfoOf(value, AnyDims::kUnknown, function.loc));
    }
    options.ret = context_.Tuple(std::move(results));
  }
  Operand value = builder_.LocalFunction(
      name, params,
      [&](const Operands& in, const Operand& own) {
        const size_t count = function.params.size();
        for (size_t i = 0; i < count; ++i) values_[function.params[i]] = in[i];
        if (self.valid()) values_[self] = own;
        return WithCells(cells, [&] {
          for (size_t i = 0; i < cells.size(); ++i) cells_[cells[i]].value = in[count + i];
          return Coerce(TranslateScope(function.body), TypeAt(function.body), type->ret,
                        At(function.body).loc);
        });
      },
      options);
  builder_.At(outer);
  return value;
}

}  // namespace lathe::relay

// Translates matches to decisions over tags: each tag is tested once, and the first clause that
// matches is taken.
#include <algorithm>
#include <functional>

#include "generator/reader/relay_text/translate/translation.h"

namespace lathe::relay {
namespace {

const Pattern kAnything;

bool IsRefutable(const Pattern& p) {
  return p.kind == Pattern::Kind::kConstructor || p.kind == Pattern::Kind::kTuple;
}

}  // namespace

ir::Operand Translation::TranslateMatch(ExprId id, const MatchTree& match) {
  std::vector<MatchRow> rows;
  for (const Arm& arm : match.arms) rows.push_back({{&arm.pattern}, {}, &arm});
  const Operand value = Translate(match.value);
  std::vector<ExprId> bodies;
  for (const Arm& arm : match.arms) bodies.push_back(arm.body);
  std::vector<CellId> cells = CellsIn(bodies);
  std::swap(cells, match_cells_);
  const Operand result = Decide(id, {{value, TypeAt(match.value)}}, std::move(rows));
  std::swap(cells, match_cells_);
  return TakeCells(cells, result);
}

// The columns are values that the patterns of each row still have to match.
ir::Operand Translation::Decide(ExprId id, std::vector<Occurrence> columns,
                                std::vector<MatchRow> rows) {
  if (rows.empty()) return FailMatch(id);
  MatchRow& first = rows.front();
  for (size_t c = 0; c < columns.size(); ++c) {
    if (!IsRefutable(*first.patterns[c])) continue;
    if (first.patterns[c]->kind == Pattern::Kind::kTuple) {
      return DecideTuple(id, c, columns, rows);
    }
    return DecideConstructor(id, c, std::move(columns), rows);
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    if (first.patterns[c]->kind == Pattern::Kind::kVar) {
      first.bound.emplace_back(first.patterns[c]->var, columns[c].value);
    }
  }
  for (const auto& [var, value] : first.bound) {
    builder_.Name(value, m_.tree.vars[var].name);
    values_[var] = value;
  }
  return WithCells(match_cells_, [&] { return TranslateBranch(id, first.arm->body); });
}

// Replaces a tuple by its fields.
ir::Operand Translation::DecideTuple(ExprId id, size_t column,
                                     const std::vector<Occurrence>& columns,
                                     const std::vector<MatchRow>& rows) {
  const std::vector<TypeRef>& types = types_.Resolve(columns[column].type)->As<TupleType>()->fields;
  Operands fields;
  for (size_t i = 0; i < types.size(); ++i) fields.push_back(FieldOf(columns[column].value, i));
  return DecideFields(id, column, columns, rows, nullptr, fields, types);
}

// Continues with the rows that match `constructor`, or a tuple if it is null. Its fields become
// columns.
ir::Operand Translation::DecideFields(ExprId id, size_t column,
                                      const std::vector<Occurrence>& columns,
                                      const std::vector<MatchRow>& rows,
                                      const Constructor* constructor, const Operands& fields,
                                      const std::vector<TypeRef>& types) {
  std::vector<Occurrence> next_columns = columns;
  next_columns.erase(next_columns.begin() + static_cast<std::ptrdiff_t>(column));
  for (size_t i = 0; i < fields.size(); ++i) next_columns.push_back({fields[i], types[i]});
  std::vector<MatchRow> matching;
  for (const MatchRow& row : rows) {
    const Pattern& p = *row.patterns[column];
    if (p.kind == Pattern::Kind::kConstructor && p.name != constructor->name) continue;
    MatchRow& next = matching.emplace_back(row);
    next.patterns.erase(next.patterns.begin() + static_cast<std::ptrdiff_t>(column));
    if (p.kind == Pattern::Kind::kVar) next.bound.emplace_back(p.var, columns[column].value);
    for (size_t i = 0; i < fields.size(); ++i) {
      next.patterns.push_back(IsRefutable(p) ? &p.fields[i] : &kAnything);
    }
  }
  return Decide(id, std::move(next_columns), std::move(matching));
}

ir::Operand Translation::DecideConstructor(ExprId id, size_t column,
                                           std::vector<Occurrence> columns,
                                           const std::vector<MatchRow>& rows) {
  const Occurrence value = columns[column];
  const auto& data_type = *types_.Resolve(value.type)->As<DataType>();
  const Data& data = m_.data[data_type.data];
  TypeArgs args;
  for (size_t i = 0; i < data.type_params.size(); ++i) {
    args[data.type_params[i]] = data_type.args[i];
  }
  const auto field_types = [&](const Constructor& c) {
    std::vector<TypeRef> types;
    for (TypeRef field : c.fields) types.push_back(types_.Substitute(field, args));
    return types;
  };
  if (const auto* var = value.value.As<ir::ValueId>()) {
    const auto known = constructed_.find(*var);
    if (known != constructed_.end()) {
      const Constructed constructed = known->second;
      unmatched_tag_ = builder_.Field(value.value, 0, "tag");
      return DecideFields(id, column, columns, rows, constructed.constructor, constructed.fields,
                          field_types(*constructed.constructor));
    }
  }
  // The constructors that rows name; the others take the rows that match anything.
  std::vector<const Constructor*> named;
  for (const MatchRow& row : rows) {
    const Pattern& p = *row.patterns[column];
    if (p.kind != Pattern::Kind::kConstructor) continue;
    const Constructor* c = m_.FindConstructor(p.name);
    if (std::find(named.begin(), named.end(), c) == named.end()) named.push_back(c);
  }
  const bool all_named = named.size() == data.constructors.size();
  const Operand tagged = builder_.MatchCast(
      value.value, context_.Tuple({context_.Tensor(std::vector<ir::PrimRef>(), ir::DType::Int(32)),
                                   context_.Object()}));
  const Operand tag = builder_.Field(tagged, 0, "tag");
  const auto decide_case = [&](const Constructor& c) {
    unmatched_tag_ = tag;
    const std::vector<TypeRef> types = field_types(c);
    Operands fields;
    if (!types.empty()) {
      std::vector<ir::StructInfoRef> infos;
      for (TypeRef type : types) infos.push_back(InfoOf(type, AnyDims::kNewVars, At(id).loc));
      const Operand payload =
          builder_.MatchCast(builder_.Field(tagged, 1), context_.Tuple(std::move(infos)));
      for (size_t i = 0; i < types.size(); ++i) {
        fields.push_back(builder_.Field(payload, static_cast<int>(i)));
      }
    }
    return DecideFields(id, column, columns, rows, &c, fields, types);
  };
  const auto decide_rest = [&]() -> Operand {
    unmatched_tag_ = tag;
    std::vector<MatchRow> rest;
    for (const MatchRow& row : rows) {
      if (row.patterns[column]->kind != Pattern::Kind::kConstructor) rest.push_back(row);
    }
    return Decide(id, columns, std::move(rest));
  };
  // The last constructor needs no test when every constructor is named.
  std::function<Operand(size_t)> decide = [&](size_t i) -> Operand {
    if (i == named.size()) return decide_rest();
    if (all_named && i + 1 == named.size()) return decide_case(*named[i]);
    const Operand wanted =
        builder_.Constant(ir::DType::Int(32), {}, {static_cast<double>(named[i]->tag)});
    const Operand is = builder_.Op("relax.equal", {tag, wanted});
    return builder_.If(
        is, [&] { return decide_case(*named[i]); }, [&] { return decide(i + 1); });
  };
  return decide(0);
}

// A match? without a clause for a value ends the run. Its result depends on the check, so that the
// check is not removed.
ir::Operand Translation::FailMatch(ExprId id) {
  const Operand tag = builder_.EmitTe("match_clause", {unmatched_tag_}, [&](ops::Te& te) {
    ops::ScalarMath& m = te.math();
    const ir::PrimRef value = te.At(te.Input(0), {});
    te.Need(m.Lt(value, m.Const(0, ir::DType::Int(32))), "no clause of the match covers the value",
            ir::kMatchError);
    return std::vector{
        te.Compute("out", {}, ir::DType::Int(32), [&](const ops::Indices&) { return value; })};
  });
  return WithCells(match_cells_, [&] { return Placeholder(tag, TypeAt(id), At(id).loc); });
}

// A value of any type that depends on `tag`.
ir::Operand Translation::Placeholder(const Operand& tag, TypeRef type, const TextSpan& loc) {
  type = types_.Resolve(type);
  if (const auto* tensor = type->As<TensorType>()) {
    std::vector<ir::PrimRef> dims;
    for (const int64_t dim : tensor->dims) dims.push_back(context_.Int(dim == kAnyDim ? 1 : dim));
    const Operand element = builder_.Op("relax.astype", {tag}, {{"dtype", tensor->dtype}});
    return builder_.Op("relax.broadcast_to",
                       {element, transform::BlockBuilder::Shape(std::move(dims))});
  }
  if (type->As<RefType>() != nullptr) return tag;
  if (const auto* tuple = type->As<TupleType>()) {
    Operands fields;
    for (TypeRef field : tuple->fields) fields.push_back(Placeholder(tag, field, loc));
    return transform::BlockBuilder::Tuple(std::move(fields));
  }
  if (const auto* func = type->As<FuncType>()) {
    std::vector<Param> params;
    for (TypeRef param : func->params) {
      params.push_back({"x", InfoOf(param, AnyDims::kUnknown, loc)});
    }
    return MakeFunction("unmatched", std::move(params), InfoOf(func->ret, AnyDims::kUnknown, loc),
                        [&](const Operands&) { return Placeholder(tag, func->ret, loc); });
  }
  return builder_.Emit(transform::BlockBuilder::Tuple({tag, transform::BlockBuilder::Tuple({})}),
                       "unmatched");
}

}  // namespace lathe::relay

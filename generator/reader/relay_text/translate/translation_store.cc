// Translates references that are parts of values, arguments or results. Each is an index into a
// store of all values that references hold, which functions pass on. The store is a binary tree:
// the values of a left subtree have odd indices, so that a value is added below an existing one.
#include "absl/container/flat_hash_set.h"
#include "generator/reader/relay_text/translate/translation.h"

namespace lathe::relay {

TypeRef Translation::StoreType() {
  return types_.Tuple({types_.Tensor({}, ir::DType::Int(32)), Erased()});
}

ir::Operand Translation::EmptyStore() {
  const Operand count = builder_.Constant(ir::DType::Int(32), {}, {0});
  return transform::BlockBuilder::Tuple({count, transform::BlockBuilder::Tuple({})});
}

ir::Operand Translation::NewStored(const NewRef& created, TypeRef type) {
  const TypeRef held = type->As<RefType>()->value;
  const Operand value =
      Coerce(Translate(created.value), TypeAt(created.value), held, At(created.value).loc);
  const Operand store = cells_[0].value;
  const Operand index = FieldOf(store, 0);
  const Operand one = builder_.Constant(ir::DType::Int(32), {}, {1});
  const Operand tree = builder_.Call(StorePut(true), {FieldOf(store, 1), index, value});
  cells_[0].value = transform::BlockBuilder::Tuple({builder_.Op("relax.add", {index, one}), tree});
  return index;
}

ir::Operand Translation::ReadStored(ExprId ref) {
  const Operand index = Translate(ref);
  const Operand value = builder_.Call(StoreGet(), {FieldOf(cells_[0].value, 1), index});
  return Coerce(value, Erased(), TypeAt(ref)->As<RefType>()->value, At(ref).loc);
}

void Translation::WriteStored(const WriteRef& write) {
  const Operand index = Translate(write.ref);
  const TypeRef held = TypeAt(write.ref)->As<RefType>()->value;
  const Operand value =
      Coerce(Translate(write.value), TypeAt(write.value), held, At(write.value).loc);
  const Operand store = cells_[0].value;
  const Operand tree = builder_.Call(StorePut(false), {FieldOf(store, 1), index, value});
  cells_[0].value = transform::BlockBuilder::Tuple({FieldOf(store, 0), tree});
}

ir::Operand Translation::MakeFunction(absl::string_view name, std::vector<Param> params,
                                      ir::StructInfoRef ret,
                                      const std::function<Operand(const Operands&)>& body) {
  transform::BlockBuilder::FunctionOptions options;
  options.ret = ret;
  std::vector<CellId> cells;
  if (stored_) {
    cells.push_back(0);
    params.push_back({"store", StoreInfo(context_)});
    options.ret = context_.Tuple({ret, StoreInfo(context_)});
  }
  return builder_.LocalFunction(
      name, params,
      [&](const Operands& in, const Operand&) {
        return WithCells(cells, [&] {
          if (stored_) cells_[0].value = in.back();
          return body(in);
        });
      },
      options);
}

void Translation::CheckExported(const Definition& definition) {
  const auto* type = TypeIn(m_.signatures[definition.function.get()].type)->As<FuncType>();
  std::vector<TypeRef> open = type->params;
  open.push_back(type->ret);
  const size_t direct = open.size();
  absl::flat_hash_set<DataId> visited;
  // Type parameters in fields need no arguments: these are parts themselves.
  for (size_t i = 0; i < open.size(); ++i) {
    const TypeRef part = types_.Resolve(open[i]);
    const bool is_function = part->As<FuncType>() != nullptr;
    if (is_function || part->As<RefType>() != nullptr) {
      diags_.Unsupported(definition.name.loc, "relay-unsupported")
          << (is_function ? "a function" : "a reference") << (i < direct ? " as" : " in")
          << " a parameter or result of @" << definition.name.text << ", which is exported"
          << (is_function ? " and uses references" : "; return what it holds");
      return;
    }
    if (const auto* tuple = part->As<TupleType>()) {
      open.insert(open.end(), tuple->fields.begin(), tuple->fields.end());
    } else if (const auto* data = part->As<DataType>()) {
      open.insert(open.end(), data->args.begin(), data->args.end());
      if (!visited.insert(data->data).second) continue;
      for (const Constructor& constructor : m_.data[data->data].constructors) {
        open.insert(open.end(), constructor.fields.begin(), constructor.fields.end());
      }
    }
  }
}

ir::GlobalId Translation::StoreFunction(const char* name, std::optional<ir::GlobalId>& id,
                                        bool has_value) {
  if (id) return *id;
  transform::BlockBuilder::FunctionOptions options;
  options.exported = false;
  options.ret = context_.Object();
  const ir::StructInfoRef index =
      InfoOf(types_.Tensor({}, ir::DType::Int(32)), AnyDims::kUnknown, TextSpan());
  std::vector<Param> params = {{"tree", nullptr}, {"index", index}};
  if (has_value) params.push_back({"value", nullptr});
  id = builder_.Declare(name, params, options);
  return *id;
}

ir::GlobalId Translation::StoreGet() { return StoreFunction("store_get", store_get_, false); }

ir::GlobalId Translation::StorePut(bool adds) {
  return adds ? StoreFunction("store_add", store_add_, true)
              : StoreFunction("store_set", store_set_, true);
}

ir::Operand Translation::NodeOf(const Operand& tree) {
  return builder_.MatchCast(
      tree, context_.Tuple({context_.Object(), context_.Object(), context_.Object()}));
}

ir::Operand Translation::AtRoot(const Operand& index, const std::function<Operand()>& root,
                                const std::function<Operand(int side, const Operand& below)>& in) {
  const auto number = [&](double value) {
    return builder_.Constant(ir::DType::Int(32), {}, {value});
  };
  return builder_.If(builder_.Op("relax.equal", {index, number(0)}), root, [&] {
    const Operand less = builder_.Op("relax.subtract", {index, number(1)});
    const Operand half = builder_.Op("relax.right_shift", {less, number(1)});
    const Operand bit = builder_.Op("relax.bitwise_and", {index, number(1)});
    return builder_.If(
        builder_.Op("relax.equal", {bit, number(1)}), [&] { return in(1, half); },
        [&] { return in(2, half); });
  });
}

// The tree in[0] with the value in[2] at the index in[1]: a new one, or another one.
ir::Operand Translation::TreeWith(bool adds, const Operands& in) {
  using Builder = transform::BlockBuilder;
  return AtRoot(
      in[1],
      [&] {
        if (adds) return Builder::Tuple({in[2], Builder::Tuple({}), Builder::Tuple({})});
        const Operand old = NodeOf(in[0]);
        return Builder::Tuple({in[2], builder_.Field(old, 1), builder_.Field(old, 2)});
      },
      [&](int side, const Operand& below) {
        const Operand node = NodeOf(in[0]);
        Operands fields;
        for (int i = 0; i < 3; ++i) fields.push_back(builder_.Field(node, i));
        Operand& child = fields[static_cast<size_t>(side)];
        child = builder_.Call(StorePut(adds), {child, below, in[2]});
        return Builder::Tuple(std::move(fields));
      });
}

void Translation::DefineStoreFunctions() {
  if (store_add_) {
    builder_.Define(*store_add_, [&](const Operands& in) { return TreeWith(true, in); });
  }
  if (store_set_) {
    builder_.Define(*store_set_, [&](const Operands& in) { return TreeWith(false, in); });
  }
  if (!store_get_) return;
  builder_.Define(*store_get_, [&](const Operands& in) {
    const Operand node = NodeOf(in[0]);
    return AtRoot(
        in[1], [&] { return builder_.Field(node, 0); },
        [&](int side, const Operand& below) {
          return builder_.Call(StoreGet(), {builder_.Field(node, side), below});
        });
  });
}

}  // namespace lathe::relay

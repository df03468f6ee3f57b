// Translates references that are parts of values, arguments or results. Each is an index into a
// store of all values that references hold, which functions pass on. The store is a binary tree:
// the values of a left subtree have odd indices, so that a value is added below an existing one.
#include "absl/strings/str_cat.h"
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
  while (!open.empty()) {
    const TypeRef part = types_.Resolve(open.back());
    open.pop_back();
    if (part->As<RefType>() != nullptr) {
      diags_.Unsupported(definition.name.loc, "relay-unsupported")
          << "a reference as a parameter or result of @" << definition.name.text
          << ", which is exported; return what it holds";
      return;
    }
    if (const auto* tuple = part->As<TupleType>()) {
      open.insert(open.end(), tuple->fields.begin(), tuple->fields.end());
    } else if (const auto* data = part->As<DataType>()) {
      open.insert(open.end(), data->args.begin(), data->args.end());
    }
  }
}

ir::GlobalId Translation::StoreGet() {
  if (!store_get_) {
    transform::BlockBuilder::FunctionOptions options;
    options.exported = false;
    options.ret = context_.Object();
    const ir::StructInfoRef index =
        InfoOf(types_.Tensor({}, ir::DType::Int(32)), AnyDims::kUnknown, TextSpan());
    store_get_ = builder_.Declare("store_get", {{"tree", nullptr}, {"index", index}}, options);
  }
  return *store_get_;
}

ir::GlobalId Translation::StorePut(bool adds) {
  std::optional<ir::GlobalId>& put = adds ? store_add_ : store_set_;
  if (!put) {
    transform::BlockBuilder::FunctionOptions options;
    options.exported = false;
    options.ret = context_.Object();
    const ir::StructInfoRef index =
        InfoOf(types_.Tensor({}, ir::DType::Int(32)), AnyDims::kUnknown, TextSpan());
    put = builder_.Declare(adds ? "store_add" : "store_set",
                           {{"tree", nullptr}, {"index", index}, {"value", nullptr}}, options);
  }
  return *put;
}

// The tree in[0] with the value in[2] at the index in[1]: a new one, or another one.
ir::Operand Translation::TreeWith(bool adds, const Operands& in) {
  using Builder = transform::BlockBuilder;
  const auto number = [&](double value) {
    return builder_.Constant(ir::DType::Int(32), {}, {value});
  };
  const auto node = [&] {
    return builder_.MatchCast(
        in[0], context_.Tuple({context_.Object(), context_.Object(), context_.Object()}));
  };
  const auto put_below = [&](const Operand& parent) {
    const Operand half = builder_.Op(
        "relax.right_shift", {builder_.Op("relax.subtract", {in[1], number(1)}), number(1)});
    const Operand bit = builder_.Op("relax.bitwise_and", {in[1], number(1)});
    const auto put = [&](int side) {
      Operands fields;
      for (int i = 0; i < 3; ++i) fields.push_back(builder_.Field(parent, i));
      Operand& child = fields[static_cast<size_t>(side)];
      child = builder_.Call(StorePut(adds), {child, half, in[2]});
      return Builder::Tuple(std::move(fields));
    };
    return builder_.If(
        builder_.Op("relax.equal", {bit, number(1)}), [&] { return put(1); },
        [&] { return put(2); });
  };
  const Operand here = builder_.Op("relax.equal", {in[1], number(0)});
  return builder_.If(
      here,
      [&] {
        if (adds) return Builder::Tuple({in[2], Builder::Tuple({}), Builder::Tuple({})});
        const Operand old = node();
        return Builder::Tuple({in[2], builder_.Field(old, 1), builder_.Field(old, 2)});
      },
      [&] { return put_below(node()); });
}

void Translation::DefineStoreFunctions() {
  const auto number = [&](double value) {
    return builder_.Constant(ir::DType::Int(32), {}, {value});
  };
  if (store_add_) {
    builder_.Define(*store_add_, [&](const Operands& in) { return TreeWith(true, in); });
  }
  if (store_set_) {
    builder_.Define(*store_set_, [&](const Operands& in) { return TreeWith(false, in); });
  }
  if (!store_get_) return;
  builder_.Define(*store_get_, [&](const Operands& in) {
    const Operand node = builder_.MatchCast(
        in[0], context_.Tuple({context_.Object(), context_.Object(), context_.Object()}));
    const Operand here = builder_.Op("relax.equal", {in[1], number(0)});
    return builder_.If(
        here, [&] { return builder_.Field(node, 0); },
        [&] {
          const Operand half = builder_.Op(
              "relax.right_shift", {builder_.Op("relax.subtract", {in[1], number(1)}), number(1)});
          const Operand bit = builder_.Op("relax.bitwise_and", {in[1], number(1)});
          const Operand child = builder_.If(
              builder_.Op("relax.equal", {bit, number(1)}), [&] { return builder_.Field(node, 1); },
              [&] { return builder_.Field(node, 2); });
          return builder_.Call(StoreGet(), {child, half});
        });
  });
}

}  // namespace lathe::relay

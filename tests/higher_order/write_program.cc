#include "tests/higher_order/write_program.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/higher_order/writer.h"

namespace lathe::higher_order {

using Kind = Statement::Kind;
using TypeKind = Type::Kind;

// The types that the functions of the program are of. Few, so that values meet.
void Writer::ChooseTypes() {
  for (const char* length : {"0", "1", "2", "3"}) {
    if (dice_.Percent(40)) numbers_.emplace_back(length);
  }
  if (numbers_.empty()) numbers_.emplace_back("2");
  const TypeRef vector = Vector(dice_.From(numbers_));
  const TypeRef step = FunctionOf({vector}, vector);
  types_ = {vector, step, FunctionOf({step}, step), FunctionOf({step, step}, step)};
  const auto some = [&] { return dice_.From(types_); };
  for (size_t n = 2 + dice_.Below(4); n > 0; --n) {
    switch (dice_.Below(8)) {
      case 0:
        types_.push_back(TupleOf({some(), some()}));
        break;
      case 1:
        types_.push_back(FunctionOf({some(), Scalar()}, some()));
        break;
      case 2:
        types_.push_back(FunctionOf({}, some()));
        break;
      case 3:
        types_.push_back(Scalar());
        break;
      case 4: {
        Type any = *FunctionOf({Vector(kOwnLength)}, Vector(kOwnLength));
        any.own_length = true;
        types_.push_back(Make(std::move(any)));
        break;
      }
      case 5:
        types_.push_back(Make({TypeKind::kShape, vector->length}));
        break;
      case 6:
        types_.push_back(Make({dice_.Percent(50) ? TypeKind::kKernel : TypeKind::kExternal}));
        break;
      default:
        types_.push_back(FunctionOf({some(), some()}, some()));
    }
  }
  if (dice_.Percent(30)) {
    types_.push_back(FunctionOf({vector}, vector, false));
    types_.push_back(Make({TypeKind::kKernel}));
  }
}

Length Writer::SomeLength() {
  if (!lengths_.empty() && dice_.Percent(50)) return dice_.From(lengths_);
  return dice_.From(numbers_);
}

// The type, or the same of vectors of a length that is in scope here.
TypeRef Writer::Local(const TypeRef& type) {
  if (lengths_.empty() || dice_.Percent(60)) return type;
  return WithLength(type, dice_.From(numbers_), dice_.From(lengths_));
}

Function Writer::Signature(std::vector<TypeRef> params, TypeRef result, bool pure) {
  Function f;
  for (TypeRef& param : params) {
    Variable v = NewVariable(std::move(param));
    const bool taken = std::any_of(f.params.begin(), f.params.end(),
                                   [&](const Variable& other) { return other.name == v.name; });
    if (taken) v.name = absl::StrCat("p", v.id);
    f.params.push_back(std::move(v));
  }
  f.result = std::move(result);
  f.pure = pure;
  return f;
}

// Its type stands among the signatures; bodies are written when they may use it.
int Writer::AddGlobal(Function f) {
  program_.functions.push_back(std::move(f));
  return static_cast<int>(program_.functions.size()) - 1;
}

void Writer::AddFunction(bool recursive) {
  std::vector<TypeRef> params;
  if (recursive) params.push_back(Make({TypeKind::kCounter}));
  const bool any_length = dice_.Percent(25);
  const Length number = dice_.From(numbers_), own = absl::StrCat("n", next_length_++);
  if (any_length) params.push_back(Vector(own));
  for (size_t n = dice_.Below(3) + (params.empty() ? 1 : 0); n > 0; --n) {
    params.push_back(dice_.From(types_));
  }
  TypeRef result = dice_.From(types_);
  if (any_length) {
    for (TypeRef& param : params) param = WithLength(param, number, own);
    result = WithLength(result, number, own);
  }
  Function f = Signature(params, result, dice_.Percent(75));
  f.name = absl::StrCat("g", program_.functions.size());
  if (any_length) f.own = own;
  const int id = AddGlobal(f);
  const auto self = [&](Operand less) {
    Pins pins(*this);
    Statement s{Kind::kCall, {}, {{Operand::Kind::kGlobal, id}, pins.Keep(less)}};
    for (size_t i = 1; i < params.size(); ++i) s.operands.push_back(pins.Keep(Want(params[i])));
    if (dice_.Percent(70)) return Emit(std::move(s), result);
    Emit(std::move(s), result);
    return Want(result);
  };
  budget_ = static_cast<int>(4 + dice_.Below(12));
  Fill(f, [&] {
    if (recursive) return CountDown(f, {}, self);
    Steps(static_cast<int>(dice_.Below(3)));
    return Fresh(result);
  });
  program_.functions[static_cast<size_t>(id)] = std::move(f);
  Type type = *FunctionOf(params, result, program_.functions[static_cast<size_t>(id)].pure);
  if (any_length) {
    type = *WithLength(Make(type), own, kOwnLength);
    type.own_length = true;
  }
  signatures_.push_back(Make(std::move(type)));
}

// Two functions that call each other.
void Writer::AddMutual() {
  std::vector<TypeRef> params = {Make({TypeKind::kCounter})};
  for (size_t n = dice_.Below(3); n > 0; --n) params.push_back(dice_.From(types_));
  const TypeRef result = dice_.From(types_);
  int ids[2];
  for (int& id : ids) {
    Function f = Signature(params, result, true);
    f.name = absl::StrCat("g", program_.functions.size());
    id = AddGlobal(std::move(f));
  }
  for (int i = 0; i < 2; ++i) {
    budget_ = static_cast<int>(3 + dice_.Below(6));
    Function f = program_.functions[static_cast<size_t>(ids[i])];
    Fill(f, [&] {
      return CountDown(f, {}, [&](Operand less) {
        Pins pins(*this);
        Statement s{Kind::kCall, {}, {{Operand::Kind::kGlobal, ids[1 - i]}, pins.Keep(less)}};
        for (size_t k = 1; k < params.size(); ++k) s.operands.push_back(pins.Keep(Want(params[k])));
        return Emit(std::move(s), result);
      });
    });
    program_.functions[static_cast<size_t>(ids[i])] = std::move(f);
  }
  signatures_.push_back(FunctionOf(params, result));
  signatures_.push_back(FunctionOf(params, result));
}

void Writer::AddMain(const std::string& name) {
  std::vector<TypeRef> params = {Make({TypeKind::kBool}), Scalar(), types_[0]};
  const bool any_length = dice_.Percent(40);
  const Length own = absl::StrCat("n", next_length_++);
  if (any_length) params.push_back(Vector(own));
  Function f = Signature(std::move(params), nullptr, dice_.Percent(70));
  f.name = name;
  f.exported = true;
  if (any_length) f.own = own;
  f.annotated = dice_.Percent(50);
  budget_ = static_cast<int>(12 + dice_.Below(30));
  Fill(f, [&] {
    Steps(static_cast<int>(2 + dice_.Below(5)));
    Pins pins(*this);
    Statement s{Kind::kTuple, {}, {}};
    std::vector<TypeRef> fields;
    for (size_t n = 1 + dice_.Below(3); n > 0; --n) {
      const TypeRef type = dice_.Percent(80) ? Vector(SomeLength()) : Scalar();
      budget_ = std::max(budget_, 4);
      s.operands.push_back(pins.Keep(Fresh(type)));
      fields.push_back(type);
    }
    f.result = TupleOf(fields);
    return Emit(std::move(s), f.result);
  });
  AddGlobal(std::move(f));
}

Program Writer::Write() {
  ChooseTypes();
  for (int n = 0; n < 2; ++n) {
    program_.kernels.push_back({dice_.Between(1, 99), dice_.Between(0, 99)});
  }
  for (size_t n = dice_.Below(5); n > 0; --n) {
    if (dice_.Percent(12)) {
      AddMutual();
    } else {
      AddFunction(dice_.Percent(30));
    }
  }
  AddMain("main");
  if (dice_.Percent(20)) AddMain("second");
  return std::move(program_);
}

Program WriteProgram(uint64_t seed) { return Writer(seed).Write(); }

}  // namespace lathe::higher_order

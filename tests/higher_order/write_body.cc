// Generates statements: bodies of functions and branches, calls, recursion.
#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/higher_order/writer.h"

namespace lathe::higher_order {

using Kind = Statement::Kind;
using TypeKind = Type::Kind;

Body Writer::Inside(const std::function<Operand()>& result) {
  Body inner;
  Body* const outer = body_;
  const std::vector<Variable> scope = scope_;
  std::vector<int> pinned;
  std::swap(pinned, pinned_);
  body_ = &inner;
  ++depth_;
  inner.result = result();
  --depth_;
  body_ = outer;
  scope_ = scope;
  std::swap(pinned, pinned_);
  return inner;
}

void Writer::Fill(Function& f, const std::function<Operand()>& result) {
  const bool pure = std::exchange(pure_, f.pure);
  const std::vector<Length> lengths = lengths_;
  if (f.own) lengths_.push_back(*f.own);
  f.body = Inside([&] {
    scope_.insert(scope_.end(), f.params.begin(), f.params.end());
    return result();
  });
  lengths_ = lengths;
  pure_ = pure;
}

void Writer::Branch(const TypeRef& type) {
  Pins pins(*this);
  const Operand cond = pins.Keep(Want(Make({TypeKind::kBool})));
  Statement s{Kind::kIf, {}, {cond}};
  for (int i = 0; i < 2; ++i) {
    s.bodies.push_back(Inside([&] {
      if (!Little() && dice_.Percent(40)) Step();
      return Want(type);
    }));
  }
  Emit(std::move(s), type);
}

void Writer::Steps(int count) {
  for (int i = 0; i < count; ++i) Step();
}

void Writer::CallSome() {
  std::vector<Callable> all = Callables();
  if (all.empty()) return;
  const Callable chosen = all[all.size() - 1 - dice_.Below(std::min<size_t>(all.size(), 6))];
  TypeRef type = chosen.type;
  if (type->own_length) {
    Type made = *WithLength(type, kOwnLength, SomeLength());
    made.own_length = false;
    type = Make(std::move(made));
  }
  (void)Call(chosen, type);
}

// A value under another name, in a tuple, as an object that is cast back.
void Writer::Rename() {
  const TypeRef type = Local(dice_.From(types_));
  Pins pins(*this);
  const Operand value = pins.Keep(Want(type));
  switch (dice_.Below(4)) {
    case 0:
      Emit({Kind::kAlias, {}, {value}}, type);
      return;
    case 1: {
      const TypeRef object = Make({TypeKind::kObject, {}, {}, type});
      const Operand hidden = Emit({Kind::kForget, {}, {value}}, object);
      Emit({Kind::kCast, {}, {hidden}}, type);
      return;
    }
    default: {
      const TypeRef other = Local(dice_.From(types_));
      const Operand beside = Want(other);
      const Operand tuple = Emit({Kind::kTuple, {}, {value, beside}}, TupleOf({type, other}));
      const int64_t field = static_cast<int64_t>(dice_.Below(2));
      Emit({Kind::kField, {}, {tuple}, {field}}, field == 0 ? type : other);
    }
  }
}

// R.make_closure of the last arguments of a function; it is called, or cast to what it takes.
void Writer::Bind() {
  std::vector<Callable> all;
  for (const Callable& one : Callables()) {
    if (one.type->parts.size() > 1 && one.type->pure && !one.type->own_length) all.push_back(one);
  }
  if (all.empty()) return;
  const Callable chosen = dice_.From(all);
  const std::vector<TypeRef>& parts = chosen.type->parts;
  const size_t bound = 1 + dice_.Below(parts.size() - 1);
  const auto first_bound = parts.end() - static_cast<std::ptrdiff_t>(bound);
  Pins pins(*this);
  Statement s{Kind::kBind, {}, {pins.Keep(chosen.operand)}};
  for (auto it = first_bound; it != parts.end(); ++it) {
    s.operands.push_back(pins.Keep(Want(*it)));
  }
  const TypeRef left = FunctionOf({parts.begin(), first_bound}, chosen.type->result);
  const Operand closure = pins.Keep(Emit(std::move(s), Make({TypeKind::kObject, {}, {}, left})));
  // A type that binds a shape variable of its own stands in annotations and casts alone.
  const std::string said = Show(*left->result);
  const bool binds = absl::StrContains(said, "any ") || absl::StrContains(said, "kernel");
  if (binds || dice_.Percent(50)) {
    Emit({Kind::kCast, {}, {closure}}, left);
    return;
  }
  Statement invoke{Kind::kInvoke, {}, {closure}};
  for (const TypeRef& part : left->parts) invoke.operands.push_back(pins.Keep(Want(part)));
  Emit(std::move(invoke), left->result);
}

Operand Writer::CountDown(const Function& f, const std::vector<Operand>& used,
                          const std::function<Operand(Operand)>& again) {
  const Operand counter{Operand::Kind::kVariable, f.params[0].id};
  Pins pins(*this);
  pins.Keep(counter);
  for (const Operand& o : used) pins.Keep(o);
  if (dice_.Percent(30)) Step();
  const Operand done = Emit({Kind::kLess, {}, {counter}, {kModulus, 1}}, Make({TypeKind::kBool}));
  Statement s{Kind::kIf, {}, {done}};
  s.bodies.push_back(Inside([&] { return Want(f.result); }));
  s.bodies.push_back(Inside([&] {
    Pins inner(*this);
    for (const Operand& o : used) inner.Keep(o);
    const Operand less =
        inner.Keep(Emit({Kind::kCombine, {}, {counter, counter}, {1, 0, kModulus - 1}},
                        Make({TypeKind::kCounter})));
    return again(less);
  }));
  return Emit(std::move(s), f.result);
}

// A function that calls itself, or is captured by a function that calls it.
void Writer::LocalRecursion() {
  std::vector<TypeRef> params = {Make({TypeKind::kCounter})};
  for (size_t n = dice_.Below(3); n > 0; --n) params.push_back(Local(dice_.From(types_)));
  const TypeRef result = Local(dice_.From(types_));
  const TypeRef type = FunctionOf(params, result);
  Variable variable = NewVariable(type);
  const std::vector<Variable> outer = scope_;
  scope_.push_back({variable.id, variable.name, Make({TypeKind::kObject})});
  const Operand self{Operand::Kind::kVariable, variable.id};
  Pins own(*this);
  own.Keep(self);
  Function f = Signature(params, result, true);
  Fill(f, [&] {
    return CountDown(f, {self}, [&](Operand less) {
      const auto call = [&] {
        Pins args(*this);
        Statement s{Kind::kCall, {}, {args.Keep(self), args.Keep(less)}};
        for (size_t i = 1; i < params.size(); ++i) {
          s.operands.push_back(args.Keep(Want(params[i])));
        }
        return Emit(std::move(s), result);
      };
      Pins kept(*this);
      kept.Keep(self);
      kept.Keep(less);
      if (dice_.Percent(60)) {
        if (dice_.Percent(60)) return call();
        (void)call();
        return Want(result);
      }
      // Inside another function, which is called here.
      Variable step = NewVariable(FunctionOf({}, result));
      Function inner = Signature({}, result, true);
      const std::vector<Variable> around = scope_;
      scope_.push_back({step.id, step.name, Make({TypeKind::kObject})});
      Fill(inner, [&] {
        Pins again(*this);
        again.Keep(self);
        again.Keep(less);
        return call();
      });
      scope_ = around;
      Statement s{Kind::kFunction, step};
      s.functions.push_back(std::move(inner));
      const Operand made = Emit(std::move(s), nullptr);
      return Emit({Kind::kCall, {}, {made}}, result);
    });
  });
  scope_ = outer;
  Statement s{Kind::kFunction, std::move(variable)};
  s.functions.push_back(std::move(f));
  const Operand made = Emit(std::move(s), nullptr);
  (void)Call({made, type}, type);
}

void Writer::RunKernel() {
  const TypeRef vector = Vector(SomeLength());
  Pins pins(*this);
  const Operand kernel = pins.Keep(Want(Make({TypeKind::kKernel})));
  const Operand from = pins.Keep(Want(vector));
  Emit({Kind::kRunKernel, {}, {kernel, from}}, vector);
}

void Writer::RunExternal() {
  const TypeRef vector = Vector(SomeLength());
  Pins pins(*this);
  const Operand f = pins.Keep(Want(Make({TypeKind::kExternal})));
  const Operand from = pins.Keep(Want(vector));
  Emit({Kind::kRunExternal, {}, {f, from}}, vector);
}

void Writer::Step() {
  if (budget_ <= 0) return;
  const size_t chance = dice_.Below(100);
  if (chance < 25) {
    (void)Fresh(Local(dice_.From(types_)));
  } else if (chance < 50) {
    CallSome();
  } else if (chance < 58) {
    Branch(Local(dice_.From(types_)));
  } else if (chance < 72) {
    Rename();
  } else if (chance < 80) {
    Bind();
  } else if (chance < 88) {
    LocalRecursion();
  } else if (chance < 94) {
    if (pure_) return RunExternal();
    RunKernel();
  } else {
    const TypeRef vector = Vector(SomeLength());
    const Operand v = Want(vector);
    const Operand shape = Emit({Kind::kShapeOf, {}, {v}}, Make({TypeKind::kShape, vector->length}));
    Emit({Kind::kFill, {}, {shape}, {dice_.Between(0, 99)}}, vector);
  }
}

}  // namespace lathe::higher_order

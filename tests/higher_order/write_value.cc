// Generates values of a given type: variables of this type, results of calls, new values.
#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tests/higher_order/writer.h"

namespace lathe::higher_order {

using Kind = Statement::Kind;
using TypeKind = Type::Kind;

namespace {

// Names are few, so that they hide one another; functions of the module have some of them too.
constexpr const char* kNames[] = {"a", "b", "c", "f", "g", "h", "k", "x", "y", "g0", "g1", "out"};

const Length* FirstLength(const Type& type) {
  if (type.kind == TypeKind::kVector) return &type.length;
  for (const TypeRef& part : type.parts) {
    if (const Length* length = FirstLength(*part)) return length;
  }
  return nullptr;
}

}  // namespace

Variable Writer::NewVariable(TypeRef type) {
  const int id = next_id_++;
  std::string name = dice_.From(kNames);
  for (int kept : pinned_) {
    const auto it =
        std::find_if(scope_.begin(), scope_.end(), [&](const Variable& v) { return v.id == kept; });
    if (it != scope_.end() && it->name == name) return {id, absl::StrCat("v", id), std::move(type)};
  }
  return {id, std::move(name), std::move(type)};
}

bool Writer::IsVisible(int id) const {
  for (size_t i = scope_.size(); i-- > 0;) {
    if (scope_[i].id != id) continue;
    return std::none_of(scope_.begin() + static_cast<std::ptrdiff_t>(i) + 1, scope_.end(),
                        [&](const Variable& later) { return later.name == scope_[i].name; });
  }
  return false;
}

Operand Writer::Emit(Statement s, TypeRef type) {
  const bool named = !s.variable.name.empty();
  if (!named) s.variable = NewVariable(std::move(type));
  scope_.push_back(s.variable);
  const Operand made{Operand::Kind::kVariable, s.variable.id};
  body_->statements.push_back(std::move(s));
  --budget_;
  return made;
}

TypeRef Writer::TypeOf(const Operand& o) const {
  if (o.kind == Operand::Kind::kGlobal) return signatures_[static_cast<size_t>(o.id)];
  for (size_t i = scope_.size(); i-- > 0;) {
    if (scope_[i].id == o.id) return scope_[i].type;
  }
  return nullptr;
}

TypeRef Writer::Fitted(const TypeRef& have, const Type& want) const {
  TypeRef type = have;
  if (type->kind == TypeKind::kFunction && want.kind == TypeKind::kFunction) {
    const Length* length = FirstLength(want);
    if (type->own_length && !want.own_length && length != nullptr) {
      Type made = *WithLength(type, kOwnLength, *length);
      made.own_length = false;
      type = Make(std::move(made));
    }
    if (type->pure && !want.pure) {
      Type made = *type;
      made.pure = false;
      type = Make(std::move(made));
    }
  }
  return Same(*type, want) ? type : nullptr;
}

std::vector<Operand> Writer::Having(const Type& type) const {
  std::vector<Operand> found;
  for (const Variable& v : scope_) {
    if (IsVisible(v.id) && Fitted(v.type, type) != nullptr) {
      found.push_back({Operand::Kind::kVariable, v.id});
    }
  }
  if (type.kind != TypeKind::kFunction) return found;
  for (size_t i = 0; i < signatures_.size(); ++i) {
    // Of other functions, R.Callable does not say that they take vectors of one length.
    const bool plain =
        std::all_of(signatures_[i]->parts.begin(), signatures_[i]->parts.end(),
                    [](const TypeRef& part) { return part->kind != TypeKind::kFunction; });
    if (signatures_[i]->own_length && !plain) continue;
    if (Fitted(signatures_[i], type) != nullptr) {
      found.push_back({Operand::Kind::kGlobal, static_cast<int>(i)});
    }
  }
  return found;
}

std::vector<Writer::Callable> Writer::Callables() const {
  std::vector<Callable> found;
  for (const Variable& v : scope_) {
    const bool can = v.type->kind == TypeKind::kFunction && (v.type->pure || !pure_);
    if (can && IsVisible(v.id)) found.push_back({{Operand::Kind::kVariable, v.id}, v.type});
  }
  for (size_t i = 0; i < signatures_.size(); ++i) {
    if (!signatures_[i]->pure && pure_) continue;
    found.push_back({{Operand::Kind::kGlobal, static_cast<int>(i)}, signatures_[i]});
  }
  return found;
}

Operand Writer::Call(const Callable& callee, const TypeRef& fitted) {
  Pins pins(*this);
  Statement call{Kind::kCall, {}, {pins.Keep(callee.operand)}};
  for (const TypeRef& param : fitted->parts) call.operands.push_back(pins.Keep(Want(param)));
  return Emit(std::move(call), fitted->result);
}

std::optional<Operand> Writer::ByCall(const TypeRef& type) {
  std::vector<std::pair<Callable, TypeRef>> found;
  for (const Callable& one : Callables()) {
    TypeRef callee = one.type;
    if (callee->own_length && type->kind == TypeKind::kVector) {
      Type made = *WithLength(callee, kOwnLength, type->length);
      made.own_length = false;
      callee = Make(std::move(made));
    }
    if (!callee->own_length && Same(*callee->result, *type)) found.emplace_back(one, callee);
  }
  if (found.empty()) return std::nullopt;
  const auto chosen = dice_.From(found);
  return Call(chosen.first, chosen.second);
}

Operand Writer::Want(const TypeRef& type) {
  const std::vector<Operand> have = Having(*type);
  if (!have.empty() && dice_.Percent(Little() ? 90 : 50)) {
    // The latest are the most interesting.
    return dice_.Percent(40) ? have.back() : dice_.From(have);
  }
  if (Little()) return Smallest(type);
  ++depth_;
  const Operand made = Fresh(type);
  --depth_;
  return made;
}

// A value that nothing has to be known for.
Operand Writer::Smallest(const TypeRef& type) {
  switch (type->kind) {
    case TypeKind::kVector: {
      int length = 0;
      if (absl::SimpleAtoi(type->length, &length)) {
        Statement s{Kind::kConstant, {}, {}};
        for (; length > 0; --length) s.numbers.push_back(dice_.Between(0, 99));
        return Emit(std::move(s), type);
      }
      const Operand shape = Emit({Kind::kShape, {}, {}}, Make({TypeKind::kShape, type->length}));
      return Emit({Kind::kFill, {}, {shape}, {dice_.Between(0, 99)}}, type);
    }
    case TypeKind::kScalar:
      return Emit({Kind::kConstant, {}, {}, {dice_.Between(0, 99)}}, type);
    case TypeKind::kCounter:
      return Emit({Kind::kConstant, {}, {}, {dice_.Between(0, 3)}}, type);
    case TypeKind::kBool: {
      const Operand scalar = Want(Scalar());
      const int64_t of = dice_.Between(2, 5);
      return Emit({Kind::kLess, {}, {scalar}, {of, dice_.Between(0, of)}}, type);
    }
    case TypeKind::kShape:
      return Emit({Kind::kShape, {}, {}}, type);
    case TypeKind::kTuple: {
      Pins pins(*this);
      Statement s{Kind::kTuple, {}, {}};
      for (const TypeRef& part : type->parts) s.operands.push_back(pins.Keep(Want(part)));
      return Emit(std::move(s), type);
    }
    case TypeKind::kFunction:
      return Literal(type);
    case TypeKind::kKernel: {
      const int64_t number = static_cast<int64_t>(dice_.Below(program_.kernels.size()));
      return Emit({Kind::kKernel, {}, {}, {number}}, type);
    }
    case TypeKind::kExternal:
      return Emit({Kind::kExternal, {}, {}}, type);
    case TypeKind::kObject: {
      const Operand inside = Want(type->result);
      return Emit({Kind::kForget, {}, {inside}}, type);
    }
  }
  return {};
}

// A tensor that is computed.
Operand Writer::Number(const TypeRef& type) {
  const size_t chance = dice_.Below(100);
  const bool vector = type->kind == TypeKind::kVector;
  if (!vector && chance < 30) {
    const Operand v = Want(Vector(SomeLength()));
    return Emit({Kind::kSum, {}, {v}}, type);
  }
  int length = 0;
  if (vector && chance < 15 && absl::SimpleAtoi(type->length, &length)) {
    const int64_t first = dice_.Between(0, length);
    Pins pins(*this);
    const Operand a = pins.Keep(Want(Vector(absl::StrCat(first))));
    const Operand b = Want(Vector(absl::StrCat(length - first)));
    return Emit({Kind::kConcat, {}, {a, b}}, type);
  }
  const auto other = [&] { return vector && dice_.Percent(35) ? Scalar() : type; };
  Pins pins(*this);
  const Operand a = pins.Keep(Want(type)), b = Want(other());
  return Emit({Kind::kCombine,
               {},
               {a, b},
               {dice_.Between(1, 99), dice_.Between(1, 99), dice_.Between(0, 99)}},
              type);
}

Operand Writer::Literal(const TypeRef& type) {
  Variable variable = NewVariable(type);
  Function f = Signature(type->parts, type->result, type->pure);
  if (type->own_length) {
    f.own = absl::StrCat("n", next_length_++);
    for (Variable& param : f.params) param.type = WithLength(param.type, kOwnLength, *f.own);
    f.result = WithLength(f.result, kOwnLength, *f.own);
  }
  f.annotated = dice_.Percent(80);
  // Inside, its name is its own.
  const std::vector<Variable> outer = scope_;
  scope_.push_back({variable.id, variable.name, Make({TypeKind::kObject})});
  Fill(f, [&] {
    if (!Little()) Steps(static_cast<int>(dice_.Below(2)));
    return Want(f.result);
  });
  scope_ = outer;
  Statement s{Kind::kFunction, std::move(variable)};
  s.functions.push_back(std::move(f));
  return Emit(std::move(s), nullptr);
}

Operand Writer::Fresh(const TypeRef& type) {
  const size_t chance = dice_.Below(100);
  if (chance < 40) {
    if (const auto made = ByCall(type)) return *made;
  }
  if (chance >= 40 && chance < 50 && type->kind != TypeKind::kBool) {
    Branch(type);
    return {Operand::Kind::kVariable, scope_.back().id};
  }
  if (type->kind == TypeKind::kVector || type->kind == TypeKind::kScalar) return Number(type);
  if (type->kind == TypeKind::kCounter && dice_.Percent(30)) {
    const Operand scalar = Want(Scalar());
    return Emit({Kind::kCount, {}, {scalar}, {dice_.Between(1, 4)}}, type);
  }
  return Smallest(type);
}

}  // namespace lathe::higher_order

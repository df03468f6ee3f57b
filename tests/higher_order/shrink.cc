#include "tests/higher_order/shrink.h"

#include <algorithm>
#include <utility>

#include "tests/higher_order/print_program.h"

namespace lathe::higher_order {
namespace {

using Kind = Statement::Kind;

// Calls `visit` with each body, those inside first.
void EachBody(Body& body, const std::function<void(Body&)>& visit) {
  for (Statement& s : body.statements) {
    for (Body& inner : s.bodies) EachBody(inner, visit);
    for (Function& f : s.functions) EachBody(f.body, visit);
  }
  visit(body);
}
void EachBody(Program& program, const std::function<void(Body&)>& visit) {
  for (Function& f : program.functions) EachBody(f.body, visit);
}

enum class Made { kChange, kNothing, kNoSuchPlace };
using Change = std::function<Made(Program&, int place)>;

// Changes statement `place` of all.
Made AtStatement(Program& program, int place,
                 const std::function<bool(Body&, size_t index)>& change) {
  Made made = Made::kNoSuchPlace;
  EachBody(program, [&](Body& body) {
    const int count = static_cast<int>(body.statements.size());
    if (place >= 0 && place < count) {
      const size_t index = static_cast<size_t>(count - 1 - place);
      made = change(body, index) ? Made::kChange : Made::kNothing;
      place = -1;
    } else if (place >= 0) {
      place -= count;
    }
  });
  return made;
}

Made Drop(Program& program, int place) {
  return AtStatement(program, place, [](Body& body, size_t i) {
    body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  });
}

Made Plain(Program& program, int place) {
  return AtStatement(program, place, [](Body& body, size_t i) {
    Statement& s = body.statements[i];
    if (s.kind == Kind::kConstant || s.kind == Kind::kKernel || s.kind == Kind::kExternal) {
      return false;
    }
    Statement plain{Kind::kConstant, s.variable};
    switch (s.variable.type->kind) {
      case Type::Kind::kVector: {
        const Length& length = s.variable.type->length;
        if (length[0] < '0' || length[0] > '9') return false;
        for (int n = std::stoi(length); n > 0; --n) plain.numbers.push_back(n);
        break;
      }
      case Type::Kind::kScalar:
        plain.numbers = {1};
        break;
      case Type::Kind::kCounter:
        plain.numbers = {0};
        break;
      case Type::Kind::kKernel:
        plain.kind = Kind::kKernel;
        plain.numbers = {0};
        break;
      case Type::Kind::kExternal:
        plain.kind = Kind::kExternal;
        break;
      default:
        return false;
    }
    s = std::move(plain);
    return true;
  });
}

// The variable is another of its type that the body has before it.
Made Alias(Program& program, int place) {
  return AtStatement(program, place, [](Body& body, size_t i) {
    Statement& s = body.statements[i];
    if (s.kind == Kind::kAlias) return false;
    for (size_t k = i; k-- > 0;) {
      const Variable& before = body.statements[k].variable;
      if (!Same(*before.type, *s.variable.type)) continue;
      s = {Kind::kAlias, s.variable, {{Operand::Kind::kVariable, before.id}}};
      return true;
    }
    return false;
  });
}

// What an alias is another name of takes its place.
Made Unname(Program& program, int place) {
  int from = -1;
  Operand to;
  const Made made = AtStatement(program, place, [&](Body& body, size_t i) {
    const Statement& s = body.statements[i];
    if (s.kind != Kind::kAlias) return false;
    from = s.variable.id;
    to = s.operands[0];
    body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  });
  if (made != Made::kChange) return made;
  const auto put = [&](Operand& o) {
    if (o.kind == Operand::Kind::kVariable && o.id == from) o = to;
  };
  EachBody(program, [&](Body& body) {
    for (Statement& s : body.statements) {
      for (Operand& o : s.operands) put(o);
    }
    put(body.result);
  });
  return made;
}

template <size_t branch>
Made OneBranch(Program& program, int place) {
  return AtStatement(program, place, [](Body& body, size_t i) {
    if (body.statements[i].kind != Kind::kIf) return false;
    Statement whole = std::move(body.statements[i]);
    Body taken = std::move(whole.bodies[branch]);
    body.statements[i] = {Kind::kAlias, whole.variable, {taken.result}};
    body.statements.insert(body.statements.begin() + static_cast<std::ptrdiff_t>(i),
                           taken.statements.begin(), taken.statements.end());
    return true;
  });
}

// One variable of the body as its result instead of the one it has.
Made EarlierResult(Program& program, int place) {
  return AtStatement(program, place, [](Body& body, size_t i) {
    const Variable& v = body.statements[i].variable;
    const Operand old = body.result;
    if (old.kind == Operand::Kind::kVariable && old.id == v.id) return false;
    for (const Statement& s : body.statements) {
      if (s.variable.id != old.id || !Same(*s.variable.type, *v.type)) continue;
      body.result = {Operand::Kind::kVariable, v.id};
      return true;
    }
    return false;
  });
}

// An exported function gives fewer tensors.
Made FewerFields(Program& program, int place) {
  if (place >= static_cast<int>(program.functions.size())) return Made::kNoSuchPlace;
  Function& f = program.functions[static_cast<size_t>(place)];
  if (!f.exported || f.body.statements.empty()) return Made::kNothing;
  Statement& s = f.body.statements.back();
  if (s.kind != Kind::kTuple || s.operands.size() < 2) return Made::kNothing;
  std::vector<TypeRef> parts = s.variable.type->parts;
  s.operands.erase(s.operands.begin());
  parts.erase(parts.begin());
  f.result = s.variable.type = TupleOf(std::move(parts));
  return Made::kChange;
}

Made DropFunction(Program& program, int place) {
  if (place >= static_cast<int>(program.functions.size())) return Made::kNoSuchPlace;
  bool used = program.functions[static_cast<size_t>(place)].exported;
  const auto renumber = [&](Operand& o) {
    if (o.kind != Operand::Kind::kGlobal) return;
    used = used || o.id == place;
    if (o.id > place) --o.id;
  };
  Function dropped = std::move(program.functions[static_cast<size_t>(place)]);
  program.functions.erase(program.functions.begin() + place);
  EachBody(program, [&](Body& body) {
    for (Statement& s : body.statements) {
      for (Operand& o : s.operands) renumber(o);
    }
    renumber(body.result);
  });
  return used ? Made::kNothing : Made::kChange;
}

}  // namespace

Program Shrink(const Program& program, const std::function<bool(const Program&)>& fails) {
  const Change changes[] = {DropFunction, FewerFields, OneBranch<0>, OneBranch<1>, EarlierResult,
                            Drop,         Plain,       Alias,        Unname};
  Program best = program;
  for (bool again = true; again;) {
    again = false;
    for (const Change& change : changes) {
      for (int place = 0;;) {
        Program next = best;
        const Made made = change(next, place);
        if (made == Made::kNoSuchPlace) break;
        if (made == Made::kChange && NamesResolve(next) && fails(next)) {
          best = std::move(next);
          again = true;
        } else {
          ++place;
        }
      }
    }
  }
  return best;
}

}  // namespace lathe::higher_order

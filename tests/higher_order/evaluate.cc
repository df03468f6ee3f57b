#include "tests/higher_order/evaluate.h"

#include <utility>

#include "absl/strings/numbers.h"

namespace lathe::higher_order {

// A function, and what its names mean.
struct Closure {
  const Function* function = nullptr;
  std::map<int, Value> variables;
  std::map<Length, int64_t> lengths;
  std::optional<int> self;       // the variable that it is bound to
  std::vector<Value> last = {};  // R.make_closure
};

namespace {

using Kind = Statement::Kind;

int64_t Modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

struct Scope {
  std::map<int, Value> variables;
  std::map<Length, int64_t> lengths;
};

class Evaluator {
 public:
  Evaluator(const Program& program, int max_calls) : program_(program), calls_left_(max_calls) {}

  std::optional<Value> Call(const std::string& function, const std::vector<Value>& args) {
    for (const Function& f : program_.functions) {
      if (f.name == function) return Call(Closure{&f, {}, {}, {}}, args);
    }
    return std::nullopt;
  }

 private:
  static void BindLengths(const Type& type, const Value& value,
                          std::map<Length, int64_t>& lengths) {
    int64_t length = 0;
    if (const auto* numbers = std::get_if<Numbers>(&value.node)) {
      length = static_cast<int64_t>((*numbers)->size());
    } else if (const auto* shape = std::get_if<ShapeValue>(&value.node)) {
      length = shape->length;
    } else if (const auto* tuple = std::get_if<TupleValue>(&value.node)) {
      for (size_t i = 0; i < tuple->fields.size() && i < type.parts.size(); ++i) {
        BindLengths(*type.parts[i], tuple->fields[i], lengths);
      }
      return;
    } else {
      return;
    }
    int64_t number = 0;
    if (!absl::SimpleAtoi(type.length, &number)) lengths[type.length] = length;
  }

  std::optional<Value> Call(const Closure& closure, std::vector<Value> args) {
    if (--calls_left_ < 0) return std::nullopt;
    args.insert(args.end(), closure.last.begin(), closure.last.end());
    const Function& f = *closure.function;
    Scope scope{closure.variables, closure.lengths};
    if (closure.self) {
      Closure itself = closure;
      itself.last.clear();
      scope.variables[*closure.self] = {std::make_shared<Closure>(std::move(itself))};
    }
    for (size_t i = 0; i < f.params.size(); ++i) {
      BindLengths(*f.params[i].type, args[i], scope.lengths);
      scope.variables[f.params[i].id] = args[i];
    }
    return ValueOf(f.body, std::move(scope));
  }

  // `scope` is the body's own: what it binds is gone after it.
  std::optional<Value> ValueOf(const Body& body, Scope scope) {
    for (const Statement& s : body.statements) {
      auto value = ValueOf(s, scope);
      if (!value) return std::nullopt;
      scope.variables[s.variable.id] = *std::move(value);
    }
    return Get(body.result, scope);
  }

  Value Get(const Operand& o, const Scope& scope) const {
    if (o.kind == Operand::Kind::kVariable) return scope.variables.at(o.id);
    Closure closure{&program_.functions[static_cast<size_t>(o.id)], {}, {}, {}};
    return {std::make_shared<Closure>(std::move(closure))};
  }

  static int64_t LengthOf(const Length& length, const Scope& scope) {
    int64_t number = 0;
    return absl::SimpleAtoi(length, &number) ? number : scope.lengths.at(length);
  }

  std::optional<Value> Apply(const Value& callee, std::vector<Value> args) {
    const auto closure = std::get<std::shared_ptr<Closure>>(callee.node);
    return Call(*closure, std::move(args));
  }

  static Value Combined(const Value& a, const Value& b, const std::vector<int64_t>& k) {
    const auto* x = std::get_if<Numbers>(&a.node);
    const auto* y = std::get_if<Numbers>(&b.node);
    const auto at = [](const Value& v, const Numbers* n, size_t i) {
      return n != nullptr ? (**n)[i] : std::get<ScalarValue>(v.node).number;
    };
    const auto one = [&](size_t i) {
      return Modulo(at(a, x, i) * k[0] + at(b, y, i) * k[1] + k[2], kModulus);
    };
    if (x == nullptr && y == nullptr) return {ScalarValue{one(0)}};
    auto numbers = std::make_shared<std::vector<int64_t>>();
    for (size_t i = 0; i < (x != nullptr ? *x : *y)->size(); ++i) numbers->push_back(one(i));
    return {std::move(numbers)};
  }

  Value AfterKernel(const Kernel& kernel, const std::vector<int64_t>& from) const {
    auto numbers = std::make_shared<std::vector<int64_t>>();
    for (int64_t n : from) {
      numbers->push_back(Modulo(n * kernel.factor + kernel.summand, kModulus));
    }
    return {std::move(numbers)};
  }

  std::optional<Value> ValueOf(const Statement& s, const Scope& scope) {
    std::vector<Value> in;
    for (const Operand& o : s.operands) in.push_back(Get(o, scope));
    const auto numbers = [&](size_t i) -> const std::vector<int64_t>& {
      return *std::get<Numbers>(in[i].node);
    };
    switch (s.kind) {
      case Kind::kAlias:
      case Kind::kForget:
      case Kind::kCast:
        return in[0];
      case Kind::kConstant:
        if (s.variable.type->kind != Type::Kind::kVector) return Value{ScalarValue{s.numbers[0]}};
        return Value{std::make_shared<std::vector<int64_t>>(s.numbers)};
      case Kind::kCombine:
        return Combined(in[0], in[1], s.numbers);
      case Kind::kCount:
        return Value{ScalarValue{Modulo(std::get<ScalarValue>(in[0].node).number, s.numbers[0])}};
      case Kind::kSum: {
        int64_t sum = 0;
        for (int64_t n : numbers(0)) sum += n;
        return Value{ScalarValue{Modulo(sum, kModulus)}};
      }
      case Kind::kConcat: {
        auto both = std::make_shared<std::vector<int64_t>>(numbers(0));
        both->insert(both->end(), numbers(1).begin(), numbers(1).end());
        return Value{std::move(both)};
      }
      case Kind::kFill: {
        const int64_t length = std::get<ShapeValue>(in[0].node).length;
        return Value{
            std::make_shared<std::vector<int64_t>>(static_cast<size_t>(length), s.numbers[0])};
      }
      case Kind::kShapeOf:
        return Value{ShapeValue{static_cast<int64_t>(numbers(0).size())}};
      case Kind::kShape:
        return Value{ShapeValue{LengthOf(s.variable.type->length, scope)}};
      case Kind::kLess:
        return Value{BoolValue{Modulo(std::get<ScalarValue>(in[0].node).number, s.numbers[0]) <
                               s.numbers[1]}};
      case Kind::kTuple:
        return Value{TupleValue{std::move(in)}};
      case Kind::kField:
        return std::get<TupleValue>(in[0].node).fields[static_cast<size_t>(s.numbers[0])];
      case Kind::kCall:
      case Kind::kInvoke:
        return Apply(in[0], {in.begin() + 1, in.end()});
      case Kind::kBind: {
        Closure bound = *std::get<std::shared_ptr<Closure>>(in[0].node);
        bound.last.insert(bound.last.begin(), in.begin() + 1, in.end());
        return Value{std::make_shared<Closure>(std::move(bound))};
      }
      case Kind::kFunction:
        return Value{std::make_shared<Closure>(
            Closure{&s.functions[0], scope.variables, scope.lengths, s.variable.id})};
      case Kind::kIf:
        return ValueOf(s.bodies[std::get<BoolValue>(in[0].node).holds ? 0 : 1], scope);
      case Kind::kKernel:
        return Value{KernelValue{static_cast<size_t>(s.numbers[0])}};
      case Kind::kRunKernel:
        return AfterKernel(program_.kernels[std::get<KernelValue>(in[0].node).number], numbers(1));
      case Kind::kExternal:
        return Value{ExternalValue{}};
      case Kind::kRunExternal:
        return AfterKernel({2, 0}, numbers(1));
    }
    return std::nullopt;
  }

  const Program& program_;
  int calls_left_;
};

void AppendTensors(const Value& value, std::vector<std::vector<int64_t>>& tensors) {
  if (const auto* numbers = std::get_if<Numbers>(&value.node)) tensors.push_back(**numbers);
  if (const auto* scalar = std::get_if<ScalarValue>(&value.node)) {
    tensors.push_back({scalar->number});
  }
  if (const auto* truth = std::get_if<BoolValue>(&value.node)) {
    tensors.push_back({truth->holds ? 1 : 0});
  }
  if (const auto* tuple = std::get_if<TupleValue>(&value.node)) {
    for (const Value& field : tuple->fields) AppendTensors(field, tensors);
  }
}

}  // namespace

std::optional<Value> Evaluate(const Program& program, const std::string& function,
                              const std::vector<Value>& args, int max_calls) {
  return Evaluator(program, max_calls).Call(function, args);
}

std::vector<std::vector<int64_t>> TensorsOf(const Value& value) {
  std::vector<std::vector<int64_t>> tensors;
  AppendTensors(value, tensors);
  return tensors;
}

}  // namespace lathe::higher_order

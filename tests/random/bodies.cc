// Generates constructs with bodies: branches, dataflow blocks, nested functions, recursion.
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "tests/random/op_rows.h"
#include "tests/random/statements.h"

namespace lathe::random {
namespace {

using Options = transform::BlockBuilder::FunctionOptions;
using Param = transform::BlockBuilder::Param;

StructInfoRef BodyInfo(Sketch& s, const Tensor& x) { return s.context.Tensor(x.dims, x.dtype); }

Place Inside(const Place& place) { return {place.depth + 1, place.pure, false}; }

// A parameter that counts down to 0, and the test whether it is there.
constexpr DType kCount = DType::Int(32);
StructInfoRef CounterInfo(Sketch& s) { return s.context.Tensor(Dims{}, kCount); }
Operand More(Sketch& s, const Operand& counter) {
  return s.Op("relax.greater", {counter, s.Constant(kCount, {}, {0})});
}
Operand Less(Sketch& s, const Operand& counter) {
  return s.Op("relax.subtract", {counter, s.Constant(kCount, {}, {1})});
}

// if more: again(counter - 1, step(x)) else: x
using Again = std::function<Operand(Operands)>;
Operand CountDown(Sketch& s, const Operands& in, const Again& again) {
  const Operand more = More(s, in[0]);
  const auto step = [&] {
    return s.Scoped([&] {
      const Operand less = Less(s, in[0]);
      return again({less, Step(s, *s.AsTensor(in[1]))});
    });
  };
  return s.builder.If(more, step, [&] { return in[1]; });
}

struct Signature {
  std::vector<Param> params;
  std::vector<StructInfoRef> infos;
  Dims own;
};

Signature SomeSignature(Sketch& s, bool of_module) {
  Signature signature;
  if (of_module ? s.dice.Percent(60) : s.dice.Percent(25)) {
    const size_t vars = 1 + s.dice.Below(2);
    for (size_t i = 0; i < vars; ++i) {
      signature.own.push_back(s.NewVar("k", s.dice.Between(1, 3)));
    }
    Dims dims = signature.own;
    signature.infos.push_back(of_module && s.dice.Percent(20)
                                  ? s.context.Shape(dims)
                                  : s.context.Tensor(dims, s.SomeDType(Kind::kAny)));
  }
  for (size_t n = s.dice.Below(3) + (signature.own.empty() ? 1 : 0); n > 0; --n) {
    const size_t chance = s.dice.Below(100);
    const auto tensor = [&] {
      return s.context.Tensor(s.SomeDims(static_cast<int>(s.dice.Below(4))),
                              s.SomeDType(Kind::kAny));
    };
    if (chance < 10) {
      s.Note("parameter: tuple");
      signature.infos.push_back(s.context.Tuple({tensor(), tensor()}));
    } else if (chance < 15) {
      s.Note("parameter: scalar");
      signature.infos.push_back(s.context.Prim(DType::Int(64)));
    } else {
      signature.infos.push_back(tensor());
    }
  }
  for (size_t i = 0; i < signature.infos.size(); ++i) {
    signature.params.push_back({absl::StrCat("a", i), signature.infos[i]});
  }
  return signature;
}

void KeepParams(Sketch& s, const Operands& in) {
  s.Touch(false);
  for (const Operand& param : in) {
    s.Keep(param);
    const auto* tuple = s.builder.InfoOf(param)->As<ir::TupleInfo>();
    if (tuple != nullptr) s.Keep(s.builder.Field(param, 0));
  }
}

}  // namespace

void Branch(Sketch& s, const Place& place) {
  s.Note(place.depth > 0 ? "if, inside another body" : "if");
  const Operand condition = Condition(s);
  Tensor like = s.Any(Kind::kAny);
  const bool alike = s.dice.Percent(85), pair = s.dice.Percent(20);
  if (!alike) s.Note("if: branches of different shapes");
  const auto branch = [&] {
    return s.Scoped([&] {
      Statements(s, Inside(place), s.dice.Below(3));
      s.AllowSoft(true);
      const Dims dims = alike ? like.dims : s.SomeDims(like.ndim());
      Operand value = s.Like(like.dtype, dims);
      if (pair) value = s.builder.Tuple({value, s.Any(Kind::kFloat, 1, 1).value});
      s.AllowSoft(false);
      return value;
    });
  };
  s.Keep(s.builder.If(condition, branch, branch));
}

void DataflowBlock(Sketch& s, const Place& place) {
  s.Note("dataflow block");
  std::vector<std::pair<Operand, bool>> outputs;
  const Sketch::Mark mark = s.Enter();
  s.SetFlow(true);
  s.builder.Dataflow([&] {
    Statements(s, {place.depth, true, true}, 1 + s.dice.Below(5));
    const size_t count = 1 + s.dice.Below(3);
    if (count > 1) s.Note("dataflow block of several outputs");
    for (size_t n = count; n > 0; --n) {
      s.Touch(false);
      s.AllowSoft(true);
      const Operand value = s.Any(Kind::kAny).value;
      outputs.emplace_back(s.builder.Output(value), s.touched());
    }
    s.AllowSoft(false);
    return outputs[0].first;
  });
  s.SetFlow(false);
  s.LeaveValues(mark);
  for (const auto& [output, soft] : outputs) {
    s.Touch(soft);
    s.Keep(output);
  }
}

void LocalFunction(Sketch& s, const Place& place) {
  const bool relied = s.relied();
  s.set_relied(false);
  const Sketch::Mark mark = s.Enter();
  const Signature signature = SomeSignature(s, false);
  const bool pure = place.pure || s.dice.Percent(50);
  s.Note(pure ? "local function" : "local function with effects");
  Operand function;
  s.Hidden([&] {
    function = s.builder.LocalFunction(
        "fn", signature.params,
        [&](const Operands& in, const Operand&) {
          return s.Scoped([&] {
            KeepParams(s, in);
            Statements(s, {place.depth + 1, pure, false}, 1 + s.dice.Below(4));
            return SomeResult(s);
          });
        },
        Options{.pure = pure});
  });
  s.Leave(mark);
  Callable callable;
  callable.value = function;
  callable.params = signature.infos;
  callable.own = signature.own;
  callable.generic = !s.relied() && !signature.own.empty();
  callable.pure = pure;
  callable.soft = s.touched();
  s.AddCallable(callable);
  s.set_relied(relied || s.relied());
  for (size_t n = s.dice.Below(3); n > 0; --n) CallSome(s, callable);
}

// A function that returns a function, which sees the arguments of both.
void ClosureMaker(Sketch& s, const Place& place) {
  s.Note("closure that is returned");
  const Tensor outer = s.Any(Kind::kFloat), inner = s.Any(Kind::kFloat);
  const StructInfoRef given = BodyInfo(s, outer), taken = BodyInfo(s, inner);
  const auto make = [&](const Operands& u, const Operand&) {
    return s.Scoped([&] {
      s.Keep(u[0]);
      const auto made = [&](const Operands& v, const Operand&) {
        return s.Scoped([&] {
          s.Keep(v[0]);
          Statements(s, {place.depth + 2, true, false}, s.dice.Below(3));
          return s.builder.Tuple({u[0], Step(s, *s.AsTensor(v[0]))});
        });
      };
      return s.builder.LocalFunction("made", {{"v", taken}}, made, Options{});
    });
  };
  Operand maker;
  s.Hidden([&] { maker = s.builder.LocalFunction("make", {{"u", given}}, make, Options{}); });
  const Operand argument = s.Like(outer.dtype, outer.dims);
  Callable callable;
  callable.value = s.builder.Call(maker, {argument});
  callable.params = {taken};
  callable.soft = s.touched();
  s.AddCallable(callable);
  CallSome(s, callable);
}

void LocalRecursion(Sketch& s, const Place& place) {
  if (place.flow) return;  // the function itself would be a dataflow variable
  s.Note("local function that calls itself");
  const Tensor x = s.Any(Kind::kAny);
  const StructInfoRef info = BodyInfo(s, x);
  const auto body = [&](const Operands& in, const Operand& self) {
    return s.Scoped([&] {
      return CountDown(s, in, [&](Operands args) { return s.builder.Call(self, args); });
    });
  };
  const Operand function = s.builder.LocalFunction("loop", {{"i", CounterInfo(s)}, {"x", info}},
                                                   body, Options{.ret = info});
  const Operand count = s.Constant(kCount, {}, {static_cast<double>(s.dice.Below(4))});
  s.Keep(s.builder.Call(function, {count, s.Like(x.dtype, x.dims)}));
}

// R.make_closure of a function with some of its arguments.
void BoundClosure(Sketch& s, const Place&) {
  s.Note("closure of R.make_closure");
  const Tensor x = s.Any(Kind::kFloat);
  const StructInfoRef info = BodyInfo(s, x);
  const auto body = [&](const Operands& in, const Operand&) {
    return s.builder.Op("relax.subtract", {in[0], in[1]});
  };
  const Operand function =
      s.builder.LocalFunction("add", {{"u", info}, {"v", info}}, body, Options{});
  const Operand bound = s.Op("relax.make_closure", {function, s.builder.Tuple({x.value})});
  s.Invoke("relax.invoke_pure_closure", {bound, s.builder.Tuple({s.Like(x.dtype, x.dims)})}, info);
}

// A function that is given a function.
void GivenFunction(Sketch& s, const Place&) {
  s.Note("parameter: function");
  const Tensor x = s.Any(Kind::kNumber);
  const StructInfoRef info = BodyInfo(s, x);
  const std::vector<StructInfoRef> taken = {info};
  const StructInfoRef step =
      s.context.Make(ir::StructInfo::Node(ir::FuncInfo{taken, info, true, ir::Derive::kNone}));
  const auto twice = [&](const Operands& in, const Operand&) {
    return s.builder.Call(in[0], {s.builder.Call(in[0], {in[1]})});
  };
  const auto once = [&](const Operands& in, const Operand&) {
    return s.Scoped([&] {
      s.Keep(in[0]);
      return Step(s, *s.AsTensor(in[0]));
    });
  };
  Operand given;
  s.Hidden([&] {
    given = s.builder.LocalFunction("step", {{"v", info}}, once, Options{.ret = info});
  });
  const Operand apply =
      s.builder.LocalFunction("apply", {{"f", step}, {"v", info}}, twice, Options{.ret = info});
  s.Keep(s.builder.Call(apply, {given, s.Like(x.dtype, x.dims)}));
}

void PrivateFunction(Sketch& s) {
  s.Outer([&] {
    Signature signature = SomeSignature(s, true);
    const bool pure = s.dice.Percent(85), exported = s.dice.Percent(15);
    s.Note(exported ? "another exported function" : "private function");
    if (!pure) s.Note("private function with effects");
    const ir::GlobalId id = s.builder.Function(
        "part", signature.params,
        [&](const Operands& in) {
          return s.Scoped([&] {
            KeepParams(s, in);
            Statements(s, {1, pure, false}, 1 + s.dice.Below(5));
            return SomeResult(s);
          });
        },
        Options{.exported = exported, .pure = pure});
    s.AddCallable({id, {}, signature.infos, signature.own, !s.relied(), pure, s.touched()});
  });
}

void Recursion(Sketch& s) {
  s.Note("function that calls itself");
  s.Outer([&] {
    const PrimRef k = s.NewVar("k", s.dice.Between(1, 3));
    const StructInfoRef info = s.context.Tensor({k, s.Int(2)}, s.SomeDType(Kind::kNumber));
    const ir::GlobalId id = s.builder.Declare("again", {{"i", CounterInfo(s)}, {"x", info}},
                                              Options{.exported = false, .ret = info});
    s.builder.Define(id, [&](const Operands& in) {
      return s.Scoped([&] {
        return CountDown(s, in, [&](Operands args) { return s.builder.Call(id, args); });
      });
    });
    s.counted().push_back({id, info, k});
  });
}

void CallCounted(Sketch& s, const Place&) {
  if (s.counted().empty()) return CallSomeOp(s);
  const Counted counted = s.dice.From(s.counted());
  s.Note("call of a function that calls itself");
  const analysis::ShapeVarMap given = {{counted.own, s.Dim()}};
  const Operand count = s.Constant(kCount, {}, {static_cast<double>(s.dice.Below(4))});
  const Operand x = s.Argument(analysis::Substitute(s.context, counted.info, given));
  s.Keep(s.builder.Call(counted.global, {count, x}));
}

void MutualRecursion(Sketch& s) {
  s.Note("functions that call one another");
  s.Outer([&] {
    const PrimRef k = s.NewVar("k", s.dice.Between(1, 3));
    const StructInfoRef info = s.context.Tensor(Dims{k}, s.SomeDType(Kind::kNumber));
    const std::vector<Param> params = {{"i", CounterInfo(s)}, {"x", info}};
    const Options options{.exported = false, .ret = info};
    const ir::GlobalId even = s.builder.Declare("even", params, options);
    const ir::GlobalId odd = s.builder.Declare("odd", params, options);
    const auto define = [&](ir::GlobalId self, ir::GlobalId other) {
      s.builder.Define(self, [&](const Operands& in) {
        return s.Scoped([&] {
          return CountDown(s, in, [&](Operands args) { return s.builder.Call(other, args); });
        });
      });
    };
    define(even, odd);
    define(odd, even);
    s.counted().push_back({even, info, k});
  });
}

}  // namespace lathe::random

// State of a random higher-order program under construction: the variables that are in scope.
#ifndef LATHE_TESTS_HIGHER_ORDER_WRITER_H_
#define LATHE_TESTS_HIGHER_ORDER_WRITER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/higher_order/term.h"
#include "tests/random/dice.h"

namespace lathe::higher_order {

class Writer {
 public:
  explicit Writer(uint64_t seed) : dice_(seed) {}

  Program Write();

 private:
  struct Callable {
    Operand operand;
    TypeRef type;
  };

  // The module (write_program.cc).
  void ChooseTypes();
  TypeRef Local(const TypeRef& type);
  void AddFunction(bool recursive);
  void AddMutual();
  void AddMain(const std::string& name);
  Function Signature(std::vector<TypeRef> params, TypeRef result, bool pure);
  int AddGlobal(Function f);

  // Bodies (write_body.cc).
  void Fill(Function& f, const std::function<Operand()>& result);
  Body Inside(const std::function<Operand()>& result);
  void Steps(int count);
  void Step();
  void CallSome();
  void Branch(const TypeRef& type);
  void Rename();
  void Bind();
  void LocalRecursion();
  void RunKernel();
  void RunExternal();
  // if counter = 0: base else: again(counter - 1), which uses variables that nothing hides then.
  Operand CountDown(const Function& f, const std::vector<Operand>& used,
                    const std::function<Operand(Operand)>& again);

  // Values of a type (write_value.cc).
  Operand Want(const TypeRef& type);
  Operand Fresh(const TypeRef& type);
  Operand Smallest(const TypeRef& type);
  Operand Number(const TypeRef& type);
  Operand Literal(const TypeRef& type);
  std::optional<Operand> ByCall(const TypeRef& type);
  Operand Call(const Callable& callee, const TypeRef& fitted);
  std::vector<Operand> Having(const Type& type) const;
  std::vector<Callable> Callables() const;
  // What `have` is where `want` is wanted; null where it does not fit.
  TypeRef Fitted(const TypeRef& have, const Type& want) const;
  TypeRef TypeOf(const Operand& o) const;

  // The latest operands that a statement to come will use: no name hides them.
  class Pins {
   public:
    explicit Pins(Writer& w) : w_(w), before_(w.pinned_.size()) {}
    ~Pins() { w_.pinned_.resize(before_); }
    Pins(const Pins&) = delete;
    Pins& operator=(const Pins&) = delete;
    Operand Keep(Operand o) {
      if (o.kind == Operand::Kind::kVariable) w_.pinned_.push_back(o.id);
      return o;
    }

   private:
    Writer& w_;
    const size_t before_;
  };

  Operand Emit(Statement s, TypeRef type);
  Variable NewVariable(TypeRef type);
  bool IsVisible(int id) const;
  Length SomeLength();
  bool Little() const { return budget_ <= 0 || depth_ > 5; }

  random::Dice dice_;
  Program program_;
  std::vector<TypeRef> types_;       // that the program is about
  std::vector<TypeRef> signatures_;  // of the functions of the module
  std::vector<Length> numbers_;      // lengths that are numbers
  std::vector<Length> lengths_;      // shape variables in scope
  std::vector<Variable> scope_;      // later ones hide earlier ones of their name
  std::vector<int> pinned_;
  Body* body_ = nullptr;
  bool pure_ = true;
  int depth_ = 0;
  int budget_ = 0;  // statements
  int next_id_ = 0, next_length_ = 0;
};

}  // namespace lathe::higher_order

#endif  // LATHE_TESTS_HIGHER_ORDER_WRITER_H_

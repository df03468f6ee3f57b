// Generates the constructs of the language.
#ifndef LATHE_TESTS_RANDOM_STATEMENTS_H_
#define LATHE_TESTS_RANDOM_STATEMENTS_H_

#include "tests/random/sketch.h"

namespace lathe::random {

// Where a statement stands.
struct Place {
  int depth = 0;      // of bodies in bodies
  bool pure = true;   // the function around it has no effects
  bool flow = false;  // in a dataflow block
};

// `count` statements in a row.
void Statements(Sketch& s, const Place& place, size_t count);

// Something to return: tensors mostly, and tuples of what there is.
Operand SomeResult(Sketch& s);

// A call of `callable` with arguments that fit.
Operand CallSome(Sketch& s, const Callable& callable);

// One true or false, from data.
Operand Condition(Sketch& s);

// A tensor like `like`, from it by a smooth operator.
Operand Step(Sketch& s, const Tensor& like);

// The families of forms.
void Branch(Sketch& s, const Place& place);
void DataflowBlock(Sketch& s, const Place& place);
void LocalFunction(Sketch& s, const Place& place);
void ClosureMaker(Sketch& s, const Place& place);
void LocalRecursion(Sketch& s, const Place& place);
void BoundClosure(Sketch& s, const Place& place);
void GivenFunction(Sketch& s, const Place& place);
void Cast(Sketch& s, const Place& place);
void TupleAndField(Sketch& s, const Place& place);
void Scalar(Sketch& s, const Place& place);
void Alias(Sketch& s, const Place& place);
void CallKernel(Sketch& s, const Place& place);
void CallInPlace(Sketch& s, const Place& place);
void CallPacked(Sketch& s, const Place& place);
void CallCounted(Sketch& s, const Place& place);
void Effect(Sketch& s, const Place& place);

// Functions of the module, which can be called from then on.
void PrivateFunction(Sketch& s);
void Recursion(Sketch& s);
void MutualRecursion(Sketch& s);

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_STATEMENTS_H_

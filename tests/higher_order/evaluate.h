// Evaluates random higher-order programs, sharing no code with the compiler or its interpreter.
#ifndef LATHE_TESTS_HIGHER_ORDER_EVALUATE_H_
#define LATHE_TESTS_HIGHER_ORDER_EVALUATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/higher_order/term.h"

namespace lathe::higher_order {

struct Closure;
struct Value;

// Shared by all names of it, since kernels write into tensors.
using Numbers = std::shared_ptr<std::vector<int64_t>>;
struct ScalarValue {
  int64_t number = 0;
};
struct BoolValue {
  bool holds = false;
};
struct ShapeValue {
  int64_t length = 0;
};
struct TupleValue {
  std::vector<Value> fields;
};
struct KernelValue {
  size_t number = 0;
};
struct ExternalValue {};
struct Value {
  std::variant<ScalarValue, BoolValue, Numbers, ShapeValue, TupleValue, std::shared_ptr<Closure>,
               KernelValue, ExternalValue>
      node;
};

// What `program`'s function of this name gives for `args`. Nothing when it takes more than
// `max_calls` calls.
std::optional<Value> Evaluate(const Program& program, const std::string& function,
                              const std::vector<Value>& args, int max_calls);

// The tensors of a comparable value, from left to right.
std::vector<std::vector<int64_t>> TensorsOf(const Value& value);

}  // namespace lathe::higher_order

#endif  // LATHE_TESTS_HIGHER_ORDER_EVALUATE_H_

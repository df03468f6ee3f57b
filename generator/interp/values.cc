#include "generator/interp/values.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "generator/support/count_of.h"

namespace lathe::interp {
namespace {

// Moves values that only `value` owns to `pending`, so that destruction does not recurse.
void MoveParts(Value value, std::vector<Value>* pending);

void ReleaseAll(std::vector<Value> pending) {
  while (!pending.empty()) {
    Value value = std::move(pending.back());
    pending.pop_back();
    MoveParts(std::move(value), &pending);
  }
}

template <typename T>
T* SoleOwner(const Value& value) {
  const auto* held = value.As<std::shared_ptr<const T>>();
  if (held == nullptr || held->use_count() != 1) return nullptr;
  // This is the only reference.
  return const_cast<T*>(held->get());
}

void MoveOut(std::vector<Value>& from, std::vector<Value>* to) {
  for (Value& v : from) to->push_back(std::move(v));
  from.clear();
}

void MoveOut(Closure& closure, std::vector<Value>* to) {
  for (auto& [id, v] : closure.captured) to->push_back(std::move(v));
  closure.captured.clear();
  MoveOut(closure.last_args, to);
}

void MoveParts(Value value, std::vector<Value>* pending) {
  if (Tuple* tuple = SoleOwner<Tuple>(value)) MoveOut(tuple->fields, pending);
  if (Closure* closure = SoleOwner<Closure>(value)) MoveOut(*closure, pending);
}

}  // namespace

Tuple::~Tuple() {
  if (!fields.empty()) ReleaseAll(std::move(fields));
}

Closure::~Closure() {
  std::vector<Value> held;
  MoveOut(*this, &held);
  if (!held.empty()) ReleaseAll(std::move(held));
}

Value Value::OfShape(std::vector<int64_t> dims) {
  return Value(Node(std::make_shared<const Shape>(Shape{std::move(dims)})));
}

Value Value::OfString(std::string text) {
  return Value(Node(std::make_shared<const String>(String{std::move(text)})));
}

absl::StatusOr<Value> Value::OfTuple(std::vector<Value> fields,
                                     const std::shared_ptr<MemoryBudget>& budget) {
  const uint64_t bytes = sizeof(Tuple) + fields.size() * sizeof(Value);
  if (!budget->Take(bytes)) {
    return absl::ResourceExhaustedError(absl::StrCat("a tuple in addition to the ", budget->used(),
                                                     " bytes in use would exceed the limit of ",
                                                     budget->max_bytes(), " bytes"));
  }
  auto tuple = std::make_shared<Tuple>();
  tuple->fields = std::move(fields);
  tuple->share = BudgetShare(budget, bytes);
  return Value(Node(std::shared_ptr<const Tuple>(std::move(tuple))));
}

Value Value::Unit() { return Value(Node(std::shared_ptr<const Tuple>(std::make_shared<Tuple>()))); }

const Tensor* Value::AsTensor() const {
  const auto* t = std::get_if<TensorRef>(&node_);
  return t == nullptr ? nullptr : t->get();
}
const std::vector<Value>* Value::AsTuple() const {
  const auto* t = std::get_if<std::shared_ptr<const Tuple>>(&node_);
  return t == nullptr ? nullptr : &(*t)->fields;
}
const std::vector<int64_t>* Value::AsShape() const {
  const auto* s = std::get_if<std::shared_ptr<const Shape>>(&node_);
  return s == nullptr ? nullptr : &(*s)->dims;
}
const std::string* Value::AsString() const {
  const auto* s = std::get_if<std::shared_ptr<const String>>(&node_);
  return s == nullptr ? nullptr : &(*s)->text;
}
const Closure* Value::AsClosure() const {
  const auto* c = std::get_if<std::shared_ptr<const Closure>>(&node_);
  return c == nullptr ? nullptr : c->get();
}
const PackedFunction* Value::AsPacked() const {
  const auto* f = std::get_if<std::shared_ptr<const PackedFunction>>(&node_);
  return f == nullptr ? nullptr : f->get();
}

std::string Describe(const Value& value) {
  return Match(
      value.node(), [](const Null&) -> std::string { return "the null object"; },
      [](const TensorRef& t) {
        std::string text = absl::StrCat("a tensor of shape ", ShapeToString(t->shape),
                                        " and dtype ", ToString(t->dtype));
        if (t->device != nullptr) absl::StrAppend(&text, " on ", ToString(*t->device));
        return text;
      },
      [](const std::shared_ptr<const Tuple>& t) {
        return t->fields.size() == 1
                   ? std::string("a tuple of 1 field")
                   : absl::StrCat("a tuple of ", CountOf(t->fields.size(), "field"));
      },
      [](const std::shared_ptr<const Shape>& s) {
        return absl::StrCat("the shape ", ShapeToString(s->dims));
      },
      [](const Scalar& s) {
        return absl::StrCat("the scalar ", ToString(s), " of dtype ", ToString(s.dtype));
      },
      [](const std::shared_ptr<const String>& s) {
        const bool cut = s->text.size() > 40;
        return absl::StrCat("the string \"", absl::CHexEscape(s->text.substr(0, 40)),
                            cut ? "...\"" : "\"");
      },
      [](const ir::DType& t) { return absl::StrCat("the dtype ", ToString(t)); },
      [](const std::shared_ptr<const Closure>& c) {
        return absl::StrCat("the function '", c->name, "'");
      },
      [](const std::shared_ptr<const PackedFunction>& f) {
        return absl::StrCat("the packed function '", f->name, "'");
      },
      [](const PrimFuncValue& f) { return absl::StrCat("the PrimFunc '", f.global->name, "'"); },
      [](const std::shared_ptr<Storage>& s) {
        return absl::StrCat("a storage of ", s->size(), " bytes");
      },
      [](const std::shared_ptr<const OpaqueObject>& o) {
        return absl::StrCat("an object of kind '", o->kind, "'");
      });
}

}  // namespace lathe::interp

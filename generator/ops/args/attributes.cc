#include "generator/ops/args/attributes.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ops/args/operands.h"
#include "generator/support/check.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::AttrValue;
using ir::Call;
using ir::InferContext;

const AttrValue* Find(const Call& call, const std::string& name) {
  const auto it = call.attrs.find(name);
  return it == call.attrs.end() ? nullptr : &it->second;
}

std::optional<int64_t> ToInt(const AttrValue& value) {
  if (const auto* i = value.As<int64_t>()) return *i;
  if (const auto* e = value.As<ir::PrimRef>()) {
    if (const int64_t* i = AsInt(*e)) return *i;
  }
  return std::nullopt;
}

std::optional<double> ToFloat(const AttrValue& value) {
  if (const auto* f = value.As<double>()) return *f;
  if (const auto* e = value.As<ir::PrimRef>()) {
    if (const auto* imm = (*e)->As<ir::FloatImm>()) return imm->value;
  }
  if (const std::optional<int64_t> i = ToInt(value)) return static_cast<double>(*i);
  return std::nullopt;
}

absl::Status WrongType(InferContext& c, const Call& call, const std::string& name,
                       absl::string_view wanted) {
  return c.Error("op-attribute") << "'" << name << "' of " << SurfaceName(call) << " must be "
                                 << wanted;
}

}  // namespace

std::optional<int64_t> FindInt(const Call& call, const std::string& name) {
  const AttrValue* value = Find(call, name);
  return value == nullptr ? std::nullopt : ToInt(*value);
}

std::optional<std::vector<int64_t>> FindInts(const Call& call, const std::string& name) {
  const AttrValue* value = Find(call, name);
  const auto* list = value == nullptr ? nullptr : value->As<ir::AttrList>();
  if (list == nullptr) return std::nullopt;
  std::vector<int64_t> ints;
  for (const AttrValue& item : *list) {
    const std::optional<int64_t> i = ToInt(item);
    if (!i.has_value()) return std::nullopt;
    ints.push_back(*i);
  }
  return ints;
}

std::optional<double> FindFloat(const Call& call, const std::string& name) {
  const AttrValue* value = Find(call, name);
  return value == nullptr ? std::nullopt : ToFloat(*value);
}

std::optional<std::vector<double>> FindFloats(const Call& call, const std::string& name) {
  const AttrValue* value = Find(call, name);
  const auto* list = value == nullptr ? nullptr : value->As<ir::AttrList>();
  if (list == nullptr) return std::nullopt;
  std::vector<double> floats;
  for (const AttrValue& item : *list) {
    const std::optional<double> f = ToFloat(item);
    if (!f.has_value()) return std::nullopt;
    floats.push_back(*f);
  }
  return floats;
}

bool FindBool(const Call& call, const std::string& name) {
  const bool* b = ir::FindAttr<bool>(call.attrs, name);
  if (b != nullptr) return *b;
  return FindInt(call, name).value_or(0) != 0;
}

std::string FindString(const Call& call, const std::string& name) {
  const auto* s = ir::FindAttr<std::string>(call.attrs, name);
  return s == nullptr ? "" : *s;
}

ir::DType FindDType(const Call& call, const std::string& name) {
  const auto* d = ir::FindAttr<ir::DType>(call.attrs, name);
  return d == nullptr ? ir::DType::Void() : *d;
}

bool IsNone(const Call& call, const std::string& name) {
  const AttrValue* value = Find(call, name);
  return value == nullptr || value->is_none();
}

absl::StatusOr<int64_t> NeedInt(InferContext& c, const Call& call, const std::string& name) {
  if (const std::optional<int64_t> i = FindInt(call, name)) return *i;
  return WrongType(c, call, name, "an integer");
}

absl::StatusOr<std::vector<int64_t>> NeedInts(InferContext& c, const Call& call,
                                              const std::string& name) {
  if (std::optional<std::vector<int64_t>> ints = FindInts(call, name)) return *std::move(ints);
  return WrongType(c, call, name, "a list of integers");
}

absl::StatusOr<std::vector<int64_t>> NeedInts(InferContext& c, const Call& call,
                                              const std::string& name, size_t count) {
  LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> ints, NeedInts(c, call, name));
  if (ints.size() == count) return ints;
  return c.Error("op-attribute") << "'" << name << "' of " << SurfaceName(call) << " must hold "
                                 << count << " integers, got [" << absl::StrJoin(ints, ", ") << "]";
}

absl::Status NeedFloats(InferContext& c, const Call& call, const std::string& name, size_t count) {
  const std::optional<std::vector<double>> floats = FindFloats(call, name);
  if (!floats) return WrongType(c, call, name, "a list of numbers");
  if (floats->size() == count) return absl::OkStatus();
  return c.Error("op-attribute") << "'" << name << "' of " << SurfaceName(call) << " must hold "
                                 << count << " numbers, got " << floats->size();
}

absl::StatusOr<std::string> NeedOneOf(InferContext& c, const Call& call, const std::string& name,
                                      const std::vector<std::string>& allowed) {
  const std::string value = FindString(call, name);
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
  return c.Error("op-attribute") << "'" << name << "' of " << SurfaceName(call)
                                 << " must be one of \"" << absl::StrJoin(allowed, "\", \"")
                                 << "\", got \"" << value << "\"";
}

absl::StatusOr<int> NormalAxis(InferContext& c, const Call& call, const std::string& name,
                               int64_t axis, int ndim) {
  if (axis >= -ndim && axis < ndim) return FromFront(axis, ndim);
  return c.Error("op-attribute") << "'" << name << "' of " << SurfaceName(call) << " is " << axis
                                 << ", but the tensor has " << CountOf(ndim, "dimension");
}

absl::StatusOr<std::vector<int>> NormalAxes(InferContext& c, const Call& call,
                                            const std::string& name,
                                            const std::vector<int64_t>& axes, int ndim) {
  std::vector<int> normal;
  for (int64_t axis : axes) {
    LATHE_ASSIGN_OR_RETURN(const int n, NormalAxis(c, call, name, axis, ndim));
    if (std::find(normal.begin(), normal.end(), n) != normal.end()) {
      return c.Error("op-attribute")
             << "'" << name << "' of " << SurfaceName(call) << " names axis " << n
             << " more than once: [" << absl::StrJoin(axes, ", ") << "]";
    }
    normal.push_back(n);
  }
  return normal;
}

namespace {

[[noreturn]] void Missing(const Call& call, const std::string& name) {
  FailCheck(__FILE__, __LINE__,
            absl::StrCat("inference passed ", SurfaceName(call), " without '", name, "'"));
}

template <typename T>
T Checked(std::optional<T> value, const Call& call, const std::string& name) {
  if (!value.has_value()) Missing(call, name);
  return *std::move(value);
}

}  // namespace

int64_t IntAttr(const Call& call, const std::string& name) {
  return Checked(FindInt(call, name), call, name);
}

std::vector<int64_t> IntsAttr(const Call& call, const std::string& name) {
  return Checked(FindInts(call, name), call, name);
}

double FloatAttr(const Call& call, const std::string& name) {
  return Checked(FindFloat(call, name), call, name);
}

std::vector<double> FloatsAttr(const Call& call, const std::string& name) {
  return Checked(FindFloats(call, name), call, name);
}

int FromFront(int64_t axis, int ndim) { return static_cast<int>(axis < 0 ? axis + ndim : axis); }

std::vector<int> PermutedAxes(const ir::Call& call, int ndim) {
  std::vector<int> axes(ndim);
  std::iota(axes.rbegin(), axes.rend(), 0);
  if (const std::optional<std::vector<int64_t>> written = FindInts(call, "axes")) {
    for (int i = 0; i < ndim; ++i) axes[i] = FromFront((*written)[i], ndim);
  }
  return axes;
}

}  // namespace lathe::ops

#include "generator/interp/show_value.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generator/interp/data/limits.h"

namespace lathe::interp {
namespace {

// Elements printed at each end of an abbreviated dimension.
constexpr int64_t kEnds = 3;

void AppendElements(const Tensor& t, size_t dim, uint64_t first, bool cut, std::string* out) {
  if (dim == t.shape.size()) {
    absl::StrAppend(out, ToString(t.At(first)));
    return;
  }
  uint64_t inner = 1;
  for (size_t d = dim + 1; d < t.shape.size(); ++d) inner *= static_cast<uint64_t>(t.shape[d]);
  const int64_t extent = t.shape[dim];
  const bool cut_here = cut && extent > 2 * kEnds;
  absl::StrAppend(out, "[");
  for (int64_t n = 0; n < extent; ++n) {
    if (n > 0) absl::StrAppend(out, ", ");
    if (cut_here && n == kEnds) {
      absl::StrAppend(out, "..., ");
      n = extent - kEnds;
    }
    AppendElements(t, dim + 1, first + static_cast<uint64_t>(n) * inner, cut, out);
  }
  absl::StrAppend(out, "]");
}

std::string ShowTensor(const Tensor& t, uint64_t max_elements) {
  std::string text;
  const uint64_t count = t.num_elements();
  if (count == 0) return "[]";
  AppendElements(t, 0, 0, count > max_elements, &text);
  return text;
}

std::string Show(const Value& value, uint64_t max_elements, int depth) {
  if (depth > kMaxValueDepth) return "...";
  return Match(
      value.node(), [](const Null&) -> std::string { return "None"; },
      [&](const TensorRef& t) { return ShowTensor(*t, max_elements); },
      [&](const std::shared_ptr<const Tuple>& t) {
        std::vector<std::string> fields;
        for (const Value& field : t->fields) fields.push_back(Show(field, max_elements, depth + 1));
        return absl::StrCat("(", absl::StrJoin(fields, ", "), fields.size() == 1 ? ",)" : ")");
      },
      [](const std::shared_ptr<const Shape>& s) {
        return absl::StrCat("R.shape([", absl::StrJoin(s->dims, ", "), "])");
      },
      [](const Scalar& s) { return ToString(s); },
      [](const std::shared_ptr<const String>& s) { return s->text; },
      [](const ir::DType& t) { return ToString(t); },
      [&](const std::shared_ptr<const Closure>&) {
        return absl::StrCat("<", Describe(value), ">");
      },
      [&](const std::shared_ptr<const PackedFunction>&) {
        return absl::StrCat("<", Describe(value), ">");
      },
      [&](const PrimFuncValue&) { return absl::StrCat("<", Describe(value), ">"); },
      [&](const std::shared_ptr<Storage>&) { return absl::StrCat("<", Describe(value), ">"); },
      [&](const std::shared_ptr<const OpaqueObject>&) {
        return absl::StrCat("<", Describe(value), ">");
      });
}

void AppendStructure(const Value& value, uint64_t max_elements, int depth, std::string* out) {
  const std::string indent(static_cast<size_t>(depth) * 2, ' ');
  if (depth > kMaxValueDepth) {
    absl::StrAppend(out, indent, "...\n");
  } else if (const Tensor* t = value.AsTensor()) {
    absl::StrAppend(out, indent, ToString(t->dtype), " ", ShapeToString(t->shape));
    if (t->device != nullptr) absl::StrAppend(out, " on ", ToString(*t->device));
    absl::StrAppend(out, "\n", indent, ShowTensor(*t, max_elements), "\n");
  } else if (const auto* fields = value.AsTuple()) {
    absl::StrAppend(out, indent, "tuple of ", fields->size(), "\n");
    for (const Value& field : *fields) AppendStructure(field, max_elements, depth + 1, out);
  } else if (const Scalar* s = value.AsScalar()) {
    absl::StrAppend(out, indent, ToString(s->dtype), " ", ToString(*s), "\n");
  } else {
    absl::StrAppend(out, indent, Show(value, max_elements, depth), "\n");
  }
}

}  // namespace

bool IsPrintable(const Value& value) {
  // Each value with its depth.
  std::vector<std::pair<const Value*, int>> open = {{&value, 0}};
  for (int count = 0; !open.empty(); ++count) {
    const auto [next, depth] = open.back();
    open.pop_back();
    if (count > kMaxWrittenValues || depth > kMaxValueDepth) return false;
    if (const auto* fields = next->AsTuple()) {
      for (const Value& field : *fields) open.emplace_back(&field, depth + 1);
    }
  }
  return true;
}

std::string ShowValue(const Value& value, uint64_t max_elements) {
  if (!IsPrintable(value)) return absl::StrCat("<", Describe(value), ">");
  return Show(value, max_elements, 0);
}

std::string ShowStructure(const Value& value, uint64_t max_elements) {
  if (!IsPrintable(value)) return absl::StrCat("<", Describe(value), ">\n");
  std::string text;
  AppendStructure(value, max_elements, 0, &text);
  return text;
}

}  // namespace lathe::interp

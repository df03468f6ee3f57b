#include "generator/emit/c/port_view.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/text/c_string.h"
#include "generator/emit/text/comment_text.h"
#include "generator/ir/packed_elements.h"
#include "generator/lower/known_sizes.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;
using ir::PrimRef;

// Returns the dictionary of the declared range of a member.
Dict RangeView(const Model& model, const ir::Routine& routine, const Member& member,
               const ir::Range& range) {
  const bool open = range.high == analysis::kPosInf;
  return Dict{{"check", UnfitSize(model, routine, range.var, member.place)},
              {"name", member.name},
              {"macro", member.macro},
              {"low", absl::StrCat(range.low)},
              {"high", absl::StrCat(range.high)},
              {"has_high", !open}};
}

// Returns the comment of a value of any structure: "a LATHE_TENSOR of float32, of any rank".
std::string ValueComment(const ir::Tensor& value, bool output) {
  const ir::StructInfoRef said = value.declared;
  const auto* tensor = said == nullptr ? nullptr : said->As<ir::TensorInfo>();
  if (tensor != nullptr) {
    const bool any = tensor->dtype.is_void();
    return absl::StrCat("a LATHE_TENSOR of ", any ? "any dtype" : ToString(tensor->dtype), ", of ",
                        tensor->ndim < 0 ? "any rank" : absl::StrCat("rank ", tensor->ndim));
  }
  if (said != nullptr && said->As<ir::ShapeInfo>() != nullptr) return "a LATHE_SHAPE of any rank";
  if (said != nullptr && said->As<ir::FuncInfo>() != nullptr) {
    return "a LATHE_FUNCTION, which the model made";
  }
  return absl::StrCat("a value of any kind: ", output ? "it says" : "say", " what it is");
}

std::string CommentOf(const Model& model, ir::TensorId id, const Member& member, bool output) {
  const std::string& macro = member.macro;
  const ir::Tensor& t = model.program.tensors[id];
  if (t.is_value()) return ValueComment(t, output);
  const bool shares = ir::IsPacked(t.dtype);
  const std::string dtype = absl::StrCat(shares ? "packed " : "", ToString(t.dtype));
  if (t.sizes.valid()) return absl::StrCat(dtype, ", as large as ", member.name, "_shape says");
  if (!t.elements()) return absl::StrCat(dtype, "[", member.port->shape, "]");
  if (!shares) return absl::StrCat(macro, "_LEN");
  return absl::StrCat(macro, "_LEN of ", dtype, " in ", macro, "_BYTES");
}

bool IsWrittenInto(const Port& port) { return !absl::StartsWith(port.type, "const "); }

// The lowest and the highest integer of `dtype`, which has less than 32 bits.
std::pair<int64_t, int64_t> EndsOf(ir::DType dtype) {
  const int64_t count = int64_t{1} << dtype.bits;
  const int64_t low = dtype.is_uint() ? 0 : -count / 2;
  return {low, low + count - 1};
}

// The macros of a quantized input or output.
void AddScale(const ir::Tensor& t, Dict& view) {
  view["has_scale"] = true;
  view["scale"] = absl::StrFormat("%.9ef", t.scale->factor);  // nine digits identify a float32
  const int64_t zero = t.scale->zero;
  view["zero"] = zero < 0 ? absl::StrCat("(", zero, ")") : absl::StrCat(zero);
  view["converts"] = HasConversions(t);
  if (!HasConversions(t)) return;
  view["type"] = std::string(CType(t.dtype));
  const auto [low, high] = EndsOf(t.dtype);
  view["low"] = absl::StrCat(low);
  view["high"] = absl::StrCat(high);
}

std::string LabelNumber(int64_t label) {
  if (label == std::numeric_limits<int64_t>::min()) return "INT64_MIN";
  const bool small =
      label > std::numeric_limits<int32_t>::min() && label <= std::numeric_limits<int32_t>::max();
  return small ? absl::StrCat(label) : absl::StrCat("INT64_C(", label, ")");
}

// The initializer of an array of the labels.
std::string LabelInitializer(const ir::AttrList& labels) {
  std::vector<std::string> items;
  for (const ir::AttrValue& label : labels) {
    const auto* text = label.As<std::string>();
    items.push_back(text != nullptr ? CString(*text).str() : LabelNumber(*label.As<int64_t>()));
  }
  return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
}

void AddLabels(const ir::Labels& labels, Dict& view) {
  view["has_labels"] = true;
  view["label_count"] = absl::StrCat(labels.items.size());
  view["labels"] = LabelInitializer(labels.items);
  view["labelled"] = labels.of_values ? "the value k" : "position k of the last axis";
}

}  // namespace

bool HasConversions(const ir::Tensor& t) {
  if (!t.scale || !t.dtype.is_integer() || (t.dtype.bits != 8 && t.dtype.bits != 16)) return false;
  const auto [low, high] = EndsOf(t.dtype);
  return low <= t.scale->zero && t.scale->zero <= high;
}

bool IsSize(const ir::Context& context, PrimRef var) {
  return var->dtype() == ir::DType::Int(64) && !context.IsSigned(var);
}

const ir::Range* DeclaredRange(const ir::Routine& routine, PrimRef var) {
  for (const ir::Range& range : routine.ranges) {
    if (range.var == var) return &range;
  }
  return nullptr;
}

std::string UnfitSize(const Model& model, const ir::Routine& routine, PrimRef var,
                      absl::string_view place) {
  const ir::Range* range = DeclaredRange(routine, var);
  if (range == nullptr && !IsSize(model.context, var)) return "";
  const std::string below = absl::StrCat(place, " < ", range == nullptr ? 0 : range->low);
  if (range != nullptr && range->high != analysis::kPosInf) {
    return absl::StrCat(below, " || ", place, " > ", range->high);
  }
  const bool of_tensor = lower::SizesOfInputs(model.program, routine).contains(var);
  if (!of_tensor) return below;
  const int64_t most = std::max(lower::kMaxGiven, range == nullptr ? 0 : range->low);
  return absl::StrCat(below, " || ", place, " > INT64_C(", most, ")");
}

std::string ScalarComment(const Model& model, const ir::Routine& routine, const Member& member,
                          PrimRef var) {
  std::string comment = IsSize(model.context, var) ? "a size" : "a scalar";
  if (const ir::Range* range = DeclaredRange(routine, var)) {
    absl::StrAppend(
        &comment, ", ", range->low,
        range->high == analysis::kPosInf ? " or more" : absl::StrCat(" to ", range->high));
  }
  const std::string called = ir::ToString(var);
  if (called != member.name.str())
    absl::StrAppend(&comment, ": ", CommentText(called), " of the program");
  return comment;
}

ApiPort ApiPortOf(const Model& model, const Member& member) {
  const Port& port = *member.port;
  const auto* id = std::get_if<ir::TensorId>(&port.part);
  const absl::string_view type = id != nullptr ? CType(model.program.tensors[*id].dtype)
                                               : CScalarType(std::get<PrimRef>(port.part)->dtype());
  const bool written = id != nullptr && IsWrittenInto(port);
  const bool value = id != nullptr && model.program.tensors[*id].is_value();
  return {member.name, std::string(type), port.part, written, port.capacity, value};
}

Dict MemberView(const Model& model, const Member& member, bool output) {
  const Port& port = *member.port;
  const auto* id = std::get_if<ir::TensorId>(&port.part);
  Dict view = {{"name", member.name},        {"declaration", absl::StrCat(port.type, member.name)},
               {"is_tensor", id != nullptr}, {"is_static", false},
               {"is_packed", false},         {"is_bounded", false},
               {"is_open", false},           {"comment", "a scalar"},
               {"has_scale", false},         {"has_labels", false}};
  if (id == nullptr) return view;
  const ir::Tensor& t = model.program.tensors[*id];
  const std::optional<int64_t> count = t.is_value() ? std::nullopt : t.elements();
  view["comment"] = absl::StrCat(CommentOf(model, *id, member, output),
                                 !output && IsWrittenInto(port) ? ", which the run changes" : "");
  view["is_static"] = count.has_value();
  view["is_packed"] = ir::IsPacked(t.dtype) && count.has_value();
  view["bytes"] = absl::StrCat(t.bytes().value_or(0));
  view["is_bounded"] = !count && t.max_elements.has_value();
  view["is_open"] = t.sizes.valid();
  view["capacity"] = port.capacity;
  view["most"] = absl::StrCat(t.max_elements.value_or(0));
  view["macro"] = member.macro;
  view["length"] = absl::StrCat(count.value_or(0));
  view["rank"] = absl::StrCat(t.shape.size());
  view["shape"] = absl::StrCat("{", port.shape, "}");
  view["has_dims"] = !t.shape.empty();
  if (t.scale) AddScale(t, view);
  if (output && !t.labels.items.empty()) AddLabels(t.labels, view);
  return view;
}

void NameMacros(Model& model, const CName& prefix, absl::string_view side, Member& member) {
  const bool tensor = std::holds_alternative<ir::TensorId>(member.port->part);
  member.macro = model.macros.Unique(absl::StrCat(prefix, tensor ? side : "_", member.name));
}

void AddChecks(const Model& model, const ir::Routine& routine, const std::vector<Member>& inputs,
               const std::vector<Member>& outputs, Dict& view) {
  std::vector<std::string> nulls, sizes;
  List ranges;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Member& m = inputs[i];
    const auto* var = std::get_if<PrimRef>(&m.port->part);
    if (var == nullptr) {
      nulls.push_back(absl::StrCat(m.place, " == NULL"));
      continue;
    }
    for (size_t k = 0; k < i; ++k) {
      if (inputs[k].port->part != m.port->part) continue;
      sizes.push_back(absl::StrCat(m.place, " != ", inputs[k].place));
      break;
    }
    if (const ir::Range* range = DeclaredRange(routine, *var)) {
      ranges.push_back(RangeView(model, routine, m, *range));
    } else if (std::string unfit = UnfitSize(model, routine, *var, m.place); !unfit.empty()) {
      sizes.push_back(std::move(unfit));
    }
  }
  for (const Member& m : outputs) nulls.push_back(absl::StrCat(m.place, " == NULL"));
  view["null_checks"] = absl::StrJoin(nulls, " || ");
  view["has_ports"] = !nulls.empty();
  view["size_checks"] = absl::StrJoin(sizes, " || ");
  view["has_sizes"] = !sizes.empty();
  view["ranges"] = std::move(ranges);
}

}  // namespace lathe::emit

#include "generator/ops/parse_schema.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::AttrValue;
using ir::OpParam;
using ir::ParamKind;

absl::Status Bad(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("'", text, "': ", why));
}

struct NamedKind {
  absl::string_view name;
  ParamKind kind;
};
constexpr NamedKind kKinds[] = {
    {"expr", ParamKind::kExpr},     {"const", ParamKind::kConst},
    {"tuple", ParamKind::kTuple},   {"shape", ParamKind::kShape},
    {"prim", ParamKind::kPrim},     {"func", ParamKind::kFunc},
    {"str", ParamKind::kString},    {"dtype", ParamKind::kDType},
    {"bool", ParamKind::kBool},     {"int", ParamKind::kInt},
    {"ints", ParamKind::kInts},     {"pads", ParamKind::kInts},
    {"float", ParamKind::kFloat},   {"floats", ParamKind::kFloats},
    {"device", ParamKind::kDevice}, {"vdevice", ParamKind::kVDevice},
    {"any", ParamKind::kAny},
};

// Parses "ints[2]??": the type and its suffixes.
absl::Status ParseType(absl::string_view text, OpParam& param) {
  param.omit_if_none = absl::ConsumeSuffix(&text, "??");
  param.optional = param.omit_if_none || absl::ConsumeSuffix(&text, "?");
  if (absl::ConsumeSuffix(&text, "]")) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, '[');
    if (!absl::SimpleAtoi(parts.second, &param.repeat))
      return Bad(text, "[] must contain a number");
    text = parts.first;
  }
  param.pads = text == "pads";
  for (const NamedKind& k : kKinds) {
    if (k.name == text) {
      param.kind = k.kind;
      return absl::OkStatus();
    }
  }
  return Bad(text, "no such type");
}

absl::Status ParseDefault(absl::string_view text, OpParam& param) {
  const bool list = param.kind == ParamKind::kInts || param.kind == ParamKind::kFloats;
  int64_t integer = 0;
  double real = 0;
  param.has_default = true;
  if (text == "None") {
    param.default_value = AttrValue();
  } else if (text == "()") {
    param.default_value = ir::AttrList{};
  } else if (text == "True" || text == "False") {
    param.default_value = text == "True";
  } else if (absl::ConsumePrefix(&text, "'") && absl::ConsumeSuffix(&text, "'")) {
    if (param.kind == ParamKind::kDType) {
      const auto dtype = ir::ParseDType(text);
      if (!dtype.has_value()) return Bad(text, "no such dtype");
      param.default_value = *dtype;
    } else {
      param.default_value = std::string(text);
    }
  } else if (absl::SimpleAtoi(text, &integer)) {
    param.default_value = AttrValue(integer);
  } else if (absl::SimpleAtod(text, &real)) {
    param.default_value = AttrValue(real);
  } else {
    param.has_default = false;
    param.default_from = std::string(text);
  }
  if (param.has_default && list) {
    // As stored: a list of the length of the parameter.
    const int count = std::max(1, param.repeat);
    param.default_value = ir::AttrList(count, param.default_value);
  }
  return absl::OkStatus();
}

absl::StatusOr<OpParam> ParseParam(absl::string_view text) {
  OpParam param;
  param.position = -1;
  text = absl::StripAsciiWhitespace(text);
  const absl::string_view whole = text;
  param.variadic = absl::ConsumePrefix(&text, "*");
  param.keyword_only = absl::ConsumePrefix(&text, "~");
  if (const size_t equal = text.find(" = "); equal != absl::string_view::npos) {
    // After the type is known, since it decides how the default is read.
    const absl::string_view value = text.substr(equal + 3);
    text = text.substr(0, equal);
    const size_t colon = text.find(": ");
    if (colon != absl::string_view::npos) {
      LATHE_RETURN_IF_ERROR(ParseType(text.substr(colon + 2), param));
      text = text.substr(0, colon);
    }
    param.optional = true;
    LATHE_RETURN_IF_ERROR(ParseDefault(value, param));
  } else if (const size_t colon = text.find(": "); colon != absl::string_view::npos) {
    LATHE_RETURN_IF_ERROR(ParseType(text.substr(colon + 2), param));
    text = text.substr(0, colon);
  } else if (absl::ConsumeSuffix(&text, "?")) {
    param.optional = true;
  }
  if (const size_t at = text.find('@'); at != absl::string_view::npos) {
    if (!absl::SimpleAtoi(text.substr(at + 1), &param.position)) return Bad(whole, "position");
    text = text.substr(0, at);
  }
  param.name = std::string(text);
  const bool identifier = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '_';
  });
  if (!identifier) return Bad(whole, "no name");
  return param;
}

// Assigns positions that are not given, in order, around the given ones.
absl::Status Number(std::vector<OpParam>& params, bool attr) {
  std::vector<OpParam*> list;
  for (OpParam& p : params) {
    if (p.attr == attr) list.push_back(&p);
  }
  std::vector<bool> taken(list.size(), false);
  for (const OpParam* p : list) {
    if (p->position < 0) continue;
    if (p->position >= static_cast<int>(list.size()) || taken[p->position]) {
      return Bad(p->name, "position");
    }
    taken[p->position] = true;
  }
  size_t next = 0;
  for (OpParam* p : list) {
    if (p->position >= 0) continue;
    while (taken[next]) ++next;
    taken[next] = true;
    p->position = static_cast<int>(next);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Schema> ParseSchema(absl::string_view text) {
  Schema schema;
  if (const size_t arrow = text.find("-> "); arrow != absl::string_view::npos) {
    const absl::string_view what = text.substr(arrow + 3);
    if (what != "out" && what != "list") return Bad(what, "neither out nor list");
    schema.sinfo_args = what == "out" ? ir::SInfoArgs::kOut : ir::SInfoArgs::kList;
    text = text.substr(0, arrow);
  }
  bool attr = false;
  bool after_variadic = false;
  for (absl::string_view part : absl::StrSplit(text, ';')) {
    for (absl::string_view item : absl::StrSplit(part, ',', absl::SkipWhitespace())) {
      LATHE_ASSIGN_OR_RETURN(OpParam param, ParseParam(item));
      param.attr = attr;
      param.keyword_only |= after_variadic;
      after_variadic |= param.variadic;
      schema.params.push_back(std::move(param));
    }
    attr = true;
  }
  LATHE_RETURN_IF_ERROR(Number(schema.params, false));
  LATHE_RETURN_IF_ERROR(Number(schema.params, true));
  return schema;
}

}  // namespace lathe::ops

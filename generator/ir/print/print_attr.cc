#include "generator/ir/print/print_attr.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "generator/ir/print_literal.h"
#include "generator/ir/print_options.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// JSON is Python except for three words.
std::string PythonOfJson(absl::string_view json) {
  std::string out;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\' && i + 1 < json.size()) {
      out.append({c, json[++i]});
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string || !absl::ascii_isalpha(c)) {
      out += c;
      continue;
    }
    size_t end = i;
    while (end < json.size() && absl::ascii_isalpha(json[end])) ++end;
    const absl::string_view word = json.substr(i, end - i);
    absl::StrAppend(&out, word == "true"    ? "True"
                          : word == "false" ? "False"
                          : word == "null"  ? "None"
                                            : word);
    i = end - 1;
  }
  return out;
}

class AttrPrinter {
 public:
  AttrPrinter(PrintNames& names, const ScalarStyle& style, const InfoPrinter& print_info)
      : names_(names), style_(style), typed_(style), print_info_(print_info) {
    typed_.bare_int = DType::Void();
  }

  std::string Print(const AttrValue& value) {
    if (++depth_ > kMaxPrintedDepth) return "...";
    std::string text = Match(
        value.node, [](std::monostate) { return std::string("None"); },
        [](bool v) { return std::string(v ? "True" : "False"); },
        [](int64_t v) { return absl::StrCat(v); }, [](double v) { return Number(v); },
        [](const std::string& v) { return StringLiteral(v); },
        [](DType v) { return absl::StrCat("T.", ToString(v)); },
        [&](PrimRef v) { return PrintScalar(v, names_, typed_); },
        [&](StructInfoRef v) { return print_info_ ? print_info_(v) : ToString(v); },
        [](VDeviceRef v) { return PrintDevice(*v); },
        [&](const AttrList& v) { return absl::StrCat("[", List(v), "]"); },
        [&](const AttrMap& v) { return Print(v); }, [&](const AttrObject& v) { return Print(v); },
        [&](const std::shared_ptr<const IndexMap>& v) { return Print(*v); });
    --depth_;
    return text;
  }

  std::string Print(const AttrMap& attrs) {
    std::vector<std::string> items;
    for (const auto& [key, value] : attrs) {
      items.push_back(absl::StrCat(StringLiteral(key), ": ", Print(value)));
    }
    return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
  }

 private:
  // Non-finite numbers as Python expressions; a quoted "inf" would be a string here.
  static std::string Number(double v) {
    const std::string text = FloatLiteral(v);
    return std::isfinite(v) ? text : absl::StrCat("float(", text, ")");
  }

  std::string List(const AttrList& list) {
    return absl::StrJoin(list, ", ",
                         [&](std::string* out, const AttrValue& v) { *out += Print(v); });
  }

  const AttrMap& Fields(const AttrObject& object) const {
    return object.fields ? *object.fields : no_fields_;
  }

  // A field that is a scalar expression, with bare integers.
  std::string Scalar(const AttrMap& fields, const std::string& key) {
    const auto it = fields.find(key);
    if (it == fields.end()) return "None";
    const auto* e = it->second.As<PrimRef>();
    return e != nullptr ? PrintScalar(*e, names_, style_) : Print(it->second);
  }
  std::string Field(const AttrMap& fields, const std::string& key) {
    const auto it = fields.find(key);
    return it == fields.end() ? "None" : Print(it->second);
  }

  std::string Print(const AttrObject& object) {
    const AttrMap& fields = Fields(object);
    if (object.kind == "target") {
      const auto* kind = FindAttr<std::string>(fields, "kind");
      if (fields.size() == 1 && kind != nullptr) {
        return absl::StrCat("T.target(", StringLiteral(*kind), ")");
      }
      return absl::StrCat("T.target(", Print(fields), ")");
    }
    if (object.kind == "range") {
      return absl::StrCat("T.Range(", Scalar(fields, "begin"), ", ", Scalar(fields, "end"), ")");
    }
    if (object.kind == "iter_var") {
      return absl::StrCat("T.iter_var(", Scalar(fields, "var"), ", ", Field(fields, "dom"), ", ",
                          Field(fields, "kind"), ", ", Field(fields, "thread"), ")");
    }
    if (object.kind == "dummy_global_info") return "I.dummy_global_info()";
    const bool graph = object.kind == "device" || object.kind == "device_mesh";
    std::vector<std::string> items;
    for (const auto& [key, value] : fields) items.push_back(absl::StrCat(key, "=", Print(value)));
    if (object.kind == "device_mesh") std::reverse(items.begin(), items.end());
    return absl::StrCat(graph ? "R." : "T.", object.kind, "(", absl::StrJoin(items, ", "), ")");
  }

  std::string Print(const IndexMap& map) {
    // Integers in the body have the type of the parameters, int64 unless specified.
    ScalarStyle style = style_;
    style.bare_int = map.inputs.empty() ? DType::Int(64) : map.inputs[0]->dtype();
    std::vector<std::string> parts = {Lambda(map, style)};
    if (map.inverse != nullptr) {
      parts.push_back(absl::StrCat("inverse_index_map=", Lambda(*map.inverse, style)));
    }
    if (style.bare_int != DType::Int(64)) {
      parts.push_back(absl::StrCat("index_dtype=\"", ToString(style.bare_int), "\""));
    }
    return absl::StrCat("T.index_map(", absl::StrJoin(parts, ", "), ")");
  }

  std::string Lambda(const IndexMap& map, const ScalarStyle& style) {
    std::vector<std::string> params;
    for (PrimRef var : map.inputs) params.push_back(names_.Of(var));
    std::vector<std::string> outputs;
    size_t separator = 0;
    for (size_t i = 0; i <= map.outputs.size(); ++i) {
      for (; separator < map.separators.size() && map.separators[separator] == static_cast<int>(i);
           ++separator) {
        outputs.push_back("T.IndexMap.AXIS_SEPARATOR");
      }
      if (i < map.outputs.size()) outputs.push_back(PrintScalar(map.outputs[i], names_, style));
    }
    return absl::StrCat("lambda ", absl::StrJoin(params, ", "), ": ", TupleOf(outputs));
  }

  PrintNames& names_;
  const ScalarStyle& style_;
  ScalarStyle typed_;
  const InfoPrinter& print_info_;
  const AttrMap no_fields_;
  int depth_ = 0;
};

}  // namespace

std::string PrintAttr(const AttrValue& value, PrintNames& names, const ScalarStyle& style,
                      const InfoPrinter& print_info) {
  return AttrPrinter(names, style, print_info).Print(value);
}

std::string PrintAttrs(const AttrMap& attrs, PrintNames& names, const ScalarStyle& style,
                       const InfoPrinter& print_info) {
  return AttrPrinter(names, style, print_info).Print(attrs);
}

std::string PrintDevice(const VDevice& device) {
  const bool json = !device.target.empty() && device.target.front() == '{';
  return absl::StrCat("I.vdevice(",
                      json ? PythonOfJson(device.target) : StringLiteral(device.target), ", ",
                      device.index, ", ", StringLiteral(device.scope), ")");
}

}  // namespace lathe::ir

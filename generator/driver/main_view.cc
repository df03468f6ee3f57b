#include "generator/driver/main_view.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c_names.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

List Ports(const std::vector<emit::ApiPort>& ports, const std::vector<PartBytes>& parts) {
  List list;
  size_t offset = 0;
  for (size_t i = 0; i < ports.size(); ++i) {
    list.push_back(Dict{{"name", ports[i].name},
                        {"type", ports[i].type},
                        {"is_tensor", std::holds_alternative<ir::TensorId>(ports[i].part)},
                        {"offset", absl::StrCat(offset)},
                        {"bytes", absl::StrCat(parts[i].bytes.size())}});
    offset += parts[i].bytes.size();
  }
  return list;
}

}  // namespace

Dict MainView(const GeneratedModel& model, const emit::ApiFunction& function,
              const std::string& name, const std::vector<PartBytes>& inputs,
              const std::vector<PartBytes>& outputs) {
  std::vector<std::string> need;
  for (const std::string& input : function.need_args) need.push_back(absl::StrCat("in.", input));
  return Dict{
      {"model",
       Dict{{"name", name}, {"NAME", emit::UpperCase(name)}, {"table", model.takes_table}}},
      {"entry", Dict{{"function", function.function},
                     {"prefix", function.prefix},
                     {"open", function.open},
                     {"has_need", !function.need.empty()},
                     {"need", absl::StrCat(function.need, "(", absl::StrJoin(need, ", "), ")")},
                     {"inputs", Ports(function.inputs, inputs)},
                     {"outputs", Ports(function.outputs, outputs)}}}};
}

std::string InputFile(const std::vector<PartBytes>& inputs) {
  std::string all;
  for (const PartBytes& part : inputs) all += part.bytes;
  return all;
}

}  // namespace lathe::driver

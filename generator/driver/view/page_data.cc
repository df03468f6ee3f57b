#include "generator/driver/view/page_data.h"

#include <string>
#include <utility>

#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

// The depth is that of the document that lathe makes, not of the program.
void MakeVisible(Json& value, bool is_source) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    value = is_source ? emit::VisibleSource(text) : emit::VisibleText(text);
  } else if (value.is_object()) {
    for (auto& [key, member] : value.items()) MakeVisible(member, key == "source");
  } else if (value.is_array()) {
    for (Json& element : value) MakeVisible(element, is_source);
  }
}

}  // namespace

emit::HtmlJson PageData(nlohmann::ordered_json data) {
  MakeVisible(data, false);
  return emit::JsonForScript(data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace lathe::driver

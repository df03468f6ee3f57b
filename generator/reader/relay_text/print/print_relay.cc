#include "generator/reader/relay_text/print/print_relay.h"

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/reader/relay_text/print/print_parts.h"
#include "generator/reader/relay_text/print/relay_printer.h"
#include "generator/reader/relay_text/syntax/limits.h"

namespace lathe::relay {

RelayPrinter::RelayPrinter(const TypedModule& module, const SourceFile& file)
    : m_(module), file_(file) {
  for (size_t i = 0; i < m_.tree.vars.size(); ++i) {
    const std::string& name = m_.tree.vars[VarId{static_cast<int32_t>(i)}].name;
    if (absl::StrContains(name, '.')) dotted_names_.insert(name);
  }
}

void RelayPrinter::PrintTypeParams(const std::vector<Name>& params) {
  if (params.empty()) return;
  absl::StrAppend(&out_, "[",
                  absl::StrJoin(params, ", ",
                                [](std::string* out, const Name& name) { out->append(name.text); }),
                  "]");
}

void RelayPrinter::PrintDataType(const DataTree& data) {
  absl::StrAppend(&out_, data.external ? "extern type " : "type ", data.name.text);
  PrintTypeParams(data.type_params);
  if (data.external) return Append("\n");
  Append(" {\n");
  for (const ConstructorTree& constructor : data.constructors) {
    absl::StrAppend(&out_, "  ", constructor.name.text);
    if (!constructor.fields.empty()) {
      absl::StrAppend(&out_, "(",
                      absl::StrJoin(constructor.fields, ", ",
                                    [](std::string* out, const TypeTree& type) {
                                      absl::StrAppend(out, PrintType(type));
                                    }),
                      ")");
    }
    Append(",\n");
  }
  Append("}\n");
}

void RelayPrinter::PrintFunction(const FunctionTree& function) {
  PrintTypeParams(function.type_params);
  std::vector<std::string> params;
  for (const VarId param : function.params) params.push_back(PrintVar(m_.tree.vars[param]));
  for (std::string& attr : PrintAttrs(function.attrs)) params.push_back(std::move(attr));
  absl::StrAppend(&out_, "(", absl::StrJoin(params, ", "), ")");
  if (function.ret) absl::StrAppend(&out_, " -> ", PrintType(*function.ret));
  Append(" ");
  PrintBraces(function.body);
}

std::string RelayPrinter::Print(const std::vector<Name>& imports) {
  Append("#[version = \"0.0.5\"]\n");
  for (const Name& import : imports) {
    absl::StrAppend(&out_, "import \"", absl::Utf8SafeCEscape(import.text), "\"\n");
  }
  const auto print_types = [&](bool external) {
    for (const DataTree& data : m_.tree.types) {
      if (data.name.loc.file == &file_ && data.external == external) PrintDataType(data);
    }
  };
  print_types(/*external=*/false);
  for (const Definition& definition : m_.tree.definitions) {
    if (definition.name.loc.file != &file_) continue;
    constexpr int kOrdinaryHeight = kMaxDepth / 5;  // the levels of one expression in the reader
    compact_ = HeightOf(definition.function->body) > kOrdinaryHeight;
    absl::StrAppend(&out_, "def @", definition.name.text);
    PrintFunction(*definition.function);
    Append("\n");
  }
  print_types(/*external=*/true);  // TVM reads no definition after them
  return std::move(out_) + metadata_.Section();
}

std::string PrintRelay(const TypedModule& module, const SourceFile& file,
                       const std::vector<Name>& imports) {
  return RelayPrinter(module, file).Print(imports);
}

}  // namespace lathe::relay

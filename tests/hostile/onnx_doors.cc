#include <cstdint>
#include <utility>

#include "tests/hostile/doors.h"
#include "tests/support/onnx_writer.h"

namespace lathe::hostile {
namespace {

using testing::WireWriter;

// Each of a model's texts, with what is well.
struct Texts {
  std::string input = "x", between = "t", output = "y", weights = "w", size = "n";
  std::string node = "node", domain, op = "Relu", overload, attribute = "axis", pad = "NOTSET";
  std::string graph = "graph", doc = "doc", producer = "producer", version = "1";
  std::string model_domain = "org", opset_domain = "custom", key = "key", value = "value";
  std::string function = "Twice", function_domain = "custom", function_input = "a";
  std::string function_output = "b", function_doc = "doc", function_between = "c";
  std::string branch = "branch", branch_output = "r", info = "t", string_value = "text";
  std::string location = "weights.bin", external_key = "location", shape_denotation = "N";
  std::string type_denotation = "IMAGE", reference = "alpha";
};

std::string Type(int64_t kind, const std::vector<WireWriter>& dims, const Texts& t) {
  WireWriter shape;
  for (const WireWriter& dim : dims) shape.Bytes(1, dim.bytes());
  WireWriter tensor;
  tensor.Varint(1, kind).Bytes(2, shape.bytes());
  return WireWriter().Bytes(1, tensor.bytes()).Bytes(6, t.type_denotation).bytes();
}

WireWriter Size(int64_t size) { return WireWriter().Varint(1, size); }
WireWriter Size(const std::string& name, const Texts& t) {
  return WireWriter().Bytes(2, name).Bytes(3, t.shape_denotation);
}

std::string Info(const std::string& name, const std::string& type, const Texts& t) {
  return WireWriter().Bytes(1, name).Bytes(2, type).Bytes(3, t.doc).bytes();
}

WireWriter Node(const std::string& op, const std::vector<std::string>& in,
                const std::vector<std::string>& out, const Texts& t) {
  WireWriter node;
  for (const std::string& name : in) node.Bytes(1, name);
  for (const std::string& name : out) node.Bytes(2, name);
  node.Bytes(3, t.node).Bytes(4, op).Bytes(6, t.doc);
  return node;
}

std::string Attribute(const std::string& name, int64_t type, const WireWriter& value,
                      const Texts& t) {
  return WireWriter().Bytes(1, name).Varint(20, type).Bytes(13, t.doc).bytes() + value.bytes();
}

std::string Weights(const Texts& t) {
  return WireWriter()
      .Varint(1, 4)
      .Varint(2, 1)
      .Bytes(8, t.weights)
      .Bytes(9, std::string(16, '\x3f'))
      .Bytes(12, t.doc)
      .bytes();
}

std::string Branch(float, const Texts& t) {
  WireWriter graph;
  graph.Bytes(1, Node("Abs", {t.between}, {t.branch_output}, t).bytes())
      .Bytes(2, t.branch)
      .Bytes(12, Info(t.branch_output, Type(1, {Size(t.size, t), Size(4)}, t), t));
  return graph.bytes();
}

std::string Model(const Texts& t) {
  WireWriter relu = Node(t.op, {t.input}, {t.between}, t);
  relu.Bytes(7, t.domain);
  WireWriter sum = Node("Add", {t.between, t.weights}, {"sum"}, t);
  WireWriter softmax = Node("Softmax", {"sum"}, {"soft"}, t);
  softmax.Bytes(5, Attribute(t.attribute, 2, WireWriter().Varint(3, 1), t));
  WireWriter call = Node(t.function, {"soft"}, {"called"}, t);
  call.Bytes(7, t.function_domain).Bytes(8, t.overload);
  WireWriter choose = Node("If", {"cond"}, {"chosen"}, t);
  choose.Bytes(5, Attribute("then_branch", 5, WireWriter().Bytes(6, Branch(1, t)), t));
  choose.Bytes(5, Attribute("else_branch", 5, WireWriter().Bytes(6, Branch(2, t)), t));
  WireWriter out = Node("Sum", {"called", "chosen"}, {t.output}, t);
  WireWriter graph;
  for (const WireWriter& node : {relu, sum, softmax, call, choose, out}) {
    graph.Bytes(1, node.bytes());
  }
  const std::string type = Type(1, {Size(t.size, t), Size(4)}, t);
  graph.Bytes(2, t.graph).Bytes(5, Weights(t)).Bytes(10, t.doc);
  graph.Bytes(11, Info(t.input, type, t)).Bytes(11, Info("cond", Type(9, {}, t), t));
  graph.Bytes(12, Info(t.output, type, t)).Bytes(13, Info(t.info, type, t));
  graph.Bytes(16, WireWriter().Bytes(1, t.key).Bytes(2, t.value).bytes());
  WireWriter function;
  function.Bytes(1, t.function).Bytes(4, t.function_input).Bytes(5, t.function_output);
  function.Bytes(7, Node("Neg", {t.function_input}, {t.function_between}, t).bytes());
  function.Bytes(7, Node("Exp", {t.function_between}, {t.function_output}, t).bytes());
  function.Bytes(8, t.function_doc).Bytes(9, WireWriter().Bytes(1, "").Varint(2, 21).bytes());
  function.Bytes(10, t.function_domain).Bytes(13, t.overload);
  WireWriter model;
  model.Varint(1, 10).Bytes(2, t.producer).Bytes(3, t.version).Bytes(4, t.model_domain);
  model.Bytes(6, t.doc).Bytes(7, graph.bytes());
  model.Bytes(8, WireWriter().Bytes(1, "").Varint(2, 21).bytes());
  model.Bytes(8, WireWriter().Bytes(1, t.opset_domain).Varint(2, 1).bytes());
  if (t.function_domain != t.opset_domain) {
    model.Bytes(8, WireWriter().Bytes(1, t.function_domain).Varint(2, 1).bytes());
  }
  model.Bytes(14, WireWriter().Bytes(1, t.key).Bytes(2, t.value).bytes());
  model.Bytes(25, function.bytes());
  return model.bytes();
}

struct Field {
  const char* name;
  std::string Texts::*text;
  bool any;  // names nothing else in the model: whatever it is is well
};

const Field kFields[] = {
    {"input", &Texts::input, false},
    {"between", &Texts::between, false},
    {"output", &Texts::output, false},
    {"weights", &Texts::weights, false},
    {"size", &Texts::size, true},
    {"node", &Texts::node, true},
    {"domain", &Texts::domain, false},
    {"op", &Texts::op, false},
    {"overload", &Texts::overload, true},
    {"attribute", &Texts::attribute, false},
    {"graph", &Texts::graph, true},
    {"doc", &Texts::doc, true},
    {"producer", &Texts::producer, true},
    {"version", &Texts::version, true},
    {"model_domain", &Texts::model_domain, true},
    {"opset_domain", &Texts::opset_domain, false},
    {"key", &Texts::key, true},
    {"value", &Texts::value, true},
    {"function", &Texts::function, false},
    {"function_domain", &Texts::function_domain, false},
    {"function_input", &Texts::function_input, false},
    {"function_output", &Texts::function_output, false},
    {"function_between", &Texts::function_between, false},
    {"branch", &Texts::branch, true},
    {"branch_output", &Texts::branch_output, false},
    {"value_info", &Texts::info, true},
    {"dim_denotation", &Texts::shape_denotation, true},
    {"type_denotation", &Texts::type_denotation, true},
};

}  // namespace

std::vector<Door> OnnxDoors() {
  std::vector<Door> doors;
  for (const Field& field : kFields) {
    const Texts well;
    doors.push_back({std::string("onnx_") + field.name, well.*field.text, field.any, false,
                     "/nowhere/model.onnx", [&field](const std::string& name) {
                       Texts texts;
                       texts.*field.text = name;
                       return Model(texts);
                     }});
  }
  return doors;
}

}  // namespace lathe::hostile

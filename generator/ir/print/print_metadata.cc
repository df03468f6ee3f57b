#include "generator/ir/print/print_metadata.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::ir {
namespace {

// The DLPack type code.
int CodeOf(TypeCode code) {
  switch (code) {
    case TypeCode::kInt:
      return 0;
    case TypeCode::kUInt:
      return 1;
    case TypeCode::kFloat:
      return 2;
    case TypeCode::kHandle:
    case TypeCode::kVoid:
      return 3;
    case TypeCode::kBFloat:
      return 4;
    case TypeCode::kBool:
      return 6;
    default:
      // The small floats are in DLPack's order.
      return 7 + static_cast<int>(code) - static_cast<int>(TypeCode::kFloat8E3M4);
  }
}

template <typename T>
void Append(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
  }
}

// The elements, with a byte for each packed one.
std::vector<uint8_t> WholeBytes(const Constant& c) {
  if (c.dtype.bits >= 8 || c.dtype.is_bool()) return *c.bytes;
  uint64_t count = 1;
  for (const int64_t dim : c.shape) count *= static_cast<uint64_t>(dim);
  std::vector<uint8_t> bytes(count, 0);
  for (uint64_t bit = 0; bit < count * c.dtype.bits; ++bit) {
    const int set = (*c.bytes)[bit / 8] >> (bit % 8) & 1;
    bytes[bit / c.dtype.bits] |= static_cast<uint8_t>(set << (bit % c.dtype.bits));
  }
  return bytes;
}

// The tensor in the format of tvm-ffi.
std::string Saved(const Constant& c) {
  std::string out;
  Append<uint64_t>(out, 0xDD5E40F096B4A13F);  // "a tensor follows"
  Append<uint64_t>(out, 0);
  Append<int32_t>(out, 1);  // device: the host
  Append<int32_t>(out, 0);
  Append<int32_t>(out, static_cast<int32_t>(c.shape.size()));
  Append<uint8_t>(out, static_cast<uint8_t>(CodeOf(c.dtype.code)));
  Append<uint8_t>(out, c.dtype.is_bool() ? 8 : c.dtype.bits);
  Append<uint16_t>(out, static_cast<uint16_t>(c.dtype.lanes));
  for (const int64_t dim : c.shape) Append<int64_t>(out, dim);
  const std::vector<uint8_t> data = WholeBytes(c);
  Append<int64_t>(out, static_cast<int64_t>(data.size()));
  out.append(data.begin(), data.end());
  return out;
}

// The node of a constant tensor: relax.expr.Constant until 0.26, where its tensor is "data".
absl::string_view ConstantType(Dialect dialect) {
  return dialect < Dialect::kV0_27 ? "relax.expr.Constant" : "ir.GenericConst";
}

// The nodes of the JSON graph in topological order.
class Graph {
 public:
  explicit Graph(Dialect dialect) : dialect_(dialect) {}

  size_t Add(absl::string_view type, absl::string_view data) {
    nodes_.push_back(data.empty() ? absl::StrCat("{\"type\":\"", type, "\"}")
                                  : absl::StrCat("{\"type\":\"", type, "\",\"data\":", data, "}"));
    return nodes_.size() - 1;
  }

  size_t Add(const Constant& c, size_t none) {
    const auto typed = [&](absl::string_view type, absl::string_view fields) {
      return Add(type, absl::StrCat("{\"span\":", none, ",", fields, "}"));
    };
    const size_t index_type = typed("ir.PrimType", "\"dtype\":\"int64\"");
    std::vector<size_t> dims;
    for (const int64_t dim : c.shape) {
      dims.push_back(typed("ir.IntImm", absl::StrCat("\"ty\":", index_type, ",\"value\":", dim)));
    }
    const size_t values = Add("ffi.Array", absl::StrCat("[", absl::StrJoin(dims, ","), "]"));
    const size_t shape_type =
        typed("relax.ShapeType", absl::StrCat("\"values\":", values, ",\"ndim\":", dims.size()));
    const size_t shape =
        typed("relax.expr.ShapeExpr", absl::StrCat("\"ty\":", shape_type, ",\"values\":", values));
    const size_t dtype =
        typed("ir.PrimType", absl::StrCat("\"dtype\":\"", ToString(c.dtype), "\""));
    const size_t type =
        typed("relax.TensorType", absl::StrCat("\"shape\":", shape, ",\"dtype\":", dtype,
                                               ",\"vdevice\":", none, ",\"ndim\":", dims.size()));
    const size_t data = Add("ffi.Tensor", absl::StrCat("\"", absl::Base64Escape(Saved(c)), "\""));
    const absl::string_view field = dialect_ < Dialect::kV0_27 ? "data" : "value";
    return typed(ConstantType(dialect_), absl::StrCat("\"ty\":", type, ",\"", field, "\":", data));
  }

  std::string Text(size_t root) const {
    return absl::StrCat("{\"root_index\":", root, ",\"nodes\":[", absl::StrJoin(nodes_, ","),
                        "],\"metadata\":{\"tvm_version\":\"",
                        dialect_ < Dialect::kV0_27 ? "0.26.0" : "0.27.0", "\"}}");
  }

 private:
  const Dialect dialect_;
  std::vector<std::string> nodes_;
};

}  // namespace

std::string Metadata::Reference(ConstantId id) {
  const auto [it, is_new] = positions_.emplace(id.index, constants_.size());
  if (is_new) constants_.push_back(id);
  return absl::StrCat("metadata[\"", ConstantType(dialect_), "\"][", it->second, "]");
}

std::string Metadata::Text() const {
  if (constants_.empty()) return "";
  Graph graph(dialect_);
  const size_t key = graph.Add("ffi.String", absl::StrCat("\"", ConstantType(dialect_), "\""));
  const size_t none = graph.Add("None", "");
  std::vector<size_t> items;
  for (const ConstantId id : constants_) items.push_back(graph.Add(module_.constants[id], none));
  const size_t list = graph.Add("ffi.Array", absl::StrCat("[", absl::StrJoin(items, ","), "]"));
  const size_t root = graph.Add("ffi.Map", absl::StrCat("[", key, ",", list, "]"));
  return absl::StrCat("metadata = tvm.ir.load_json(\"\"\"", graph.Text(root), "\"\"\")");
}

}  // namespace lathe::ir

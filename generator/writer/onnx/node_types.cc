#include "generator/writer/onnx/node_types.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/support/check.h"

namespace lathe::onnx {
namespace {

using ir::DType;

// A set of dtypes: a bit for each element type of ONNX.
using TypeSet = uint32_t;
constexpr TypeSet Bit(int type) { return TypeSet{1} << type; }

// The element types in the order of onnx.proto.
constexpr TypeSet kNone = 0, kInt32 = Bit(6), kInt64 = Bit(7), kBool = Bit(9);
constexpr TypeSet kFloats = Bit(1) | Bit(10) | Bit(11);      // float32, float16, float64
constexpr TypeSet kReals = kFloats | Bit(16);                // and bfloat16
constexpr TypeSet kShortReals = Bit(1) | Bit(10) | Bit(16);  // not float64
constexpr TypeSet kBytes = Bit(2) | Bit(3);                  // uint8, int8
constexpr TypeSet kSignedWords = kInt32 | kInt64;
constexpr TypeSet kSigned = kSignedWords | Bit(3) | Bit(5);
constexpr TypeSet kWords = kSignedWords | Bit(12) | Bit(13);  // and uint32, uint64
constexpr TypeSet kIntegers = kWords | kBytes | Bit(4) | Bit(5);
constexpr TypeSet kNumbers = kReals | kIntegers;
constexpr TypeSet kWideNumbers = kReals | kWords;
constexpr TypeSet kAll = kNumbers | kBool;
constexpr TypeSet kRanges = Bit(1) | Bit(11) | Bit(5) | kSignedWords;
constexpr TypeSet kFourBits = Bit(21) | Bit(22);  // uint4, int4
constexpr TypeSet kQuantized = kBytes | kInt32, kQuantizedTo = kBytes;
constexpr TypeSet kOtherQuantized = kFourBits | Bit(4) | Bit(5);

struct NodeRow {
  absl::string_view op, operands, results;
  TypeSet first, second, later;
};
#define NODE(op, operands, results, first, second, later) \
  {op, operands, results, first, second, later},
constexpr NodeRow kNodeRows[] = {
#include "generator/writer/onnx/node_types.def"
};
#undef NODE

const NodeRow* FindNodeRow(absl::string_view op) {
  const auto* row =
      std::lower_bound(std::begin(kNodeRows), std::end(kNodeRows), op,
                       [](const NodeRow& a, absl::string_view name) { return a.op < name; });
  return row == std::end(kNodeRows) || row->op != op ? nullptr : row;
}

DType DTypeOfElement(int type) {
  if (type == 21) return DType::UInt(4);  // the reader has them as bytes
  if (type == 22) return DType::Int(4);
  return DTypeOf(type).value_or(DType::Void());
}

std::string NamesOf(TypeSet types) {
  std::vector<std::string> names;
  for (int type = 1; type < 32; ++type) {
    if ((types & Bit(type)) != 0) names.push_back(ToString(DTypeOfElement(type)));
  }
  return absl::StrJoin(names, ", ");
}

// The letter at `i` of a list of operands or results, whose last one may repeat.
char LetterAt(absl::string_view letters, size_t i) {
  const bool repeats = !letters.empty() && letters.back() == '*';
  if (repeats) letters.remove_suffix(1);
  if (i >= letters.size()) return repeats ? letters.back() : 'X';
  return letters[i];
}

TypeSet SetOf(const NodeRow& row, char letter) {
  switch (letter) {
    case 'T':
      return row.first | row.later;
    case 'U':
      return row.second;
    case 'B':
      return kBool;
    case 'L':
      return kInt64;
    default:
      return letter == 'I' ? kSignedWords : kAll | kFourBits;
  }
}

// The type that an attribute gives the result at `i`.
DType TypeByAttribute(const Node& node, size_t i) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name == "to") return DTypeOfElement(static_cast<int>(attribute.i));
    if (attribute.graph != nullptr && i < attribute.graph->outputs.size()) {
      return DTypeOfElement(attribute.graph->outputs[i].type.element_type);
    }
  }
  return DType::Void();
}

}  // namespace

int32_t ElementTypeOf(DType dtype) {
  if (dtype == DType::UInt(4)) return 21;
  if (dtype == DType::Int(4)) return 22;
  // The table of the reader stores types without a C type as bytes, which come later in it.
  constexpr int32_t kLast = 16;
  for (int32_t type = kFloatType; type <= kLast; ++type) {
    if (DTypeOf(type) == dtype) return type;
  }
  return 0;
}

NodeTypes TypesOf(const Node& node, const std::vector<DType>& operands) {
  const NodeRow* row = FindNodeRow(node.op);
  LATHE_CHECK(row != nullptr, "each operator that is written has a row");
  NodeTypes out;
  out.results.resize(node.outputs.size(), DType::Void());
  DType first = DType::Void(), second = DType::Void();
  const auto take = [&](char letter, DType dtype) {
    DType& known = letter == 'U' ? second : first;
    const TypeSet allowed = SetOf(*row, letter);
    if ((allowed & Bit(ElementTypeOf(dtype))) == 0) {
      out.failure = absl::StrCat(node.op, " of ", ToString(dtype), ", not of ", NamesOf(allowed));
      return;
    }
    if (letter != 'T' && letter != 'U') return;
    if (!known.is_void() && known != dtype) {
      out.failure = absl::StrCat(node.op, " of ", ToString(known), " and ", ToString(dtype));
    }
    known = dtype;
    const bool is_later = letter == 'T' && (row->first & Bit(ElementTypeOf(dtype))) == 0;
    if (is_later) out.opset = kSecondOpset;
  };
  for (size_t i = 0; i < operands.size() && out.failure.empty(); ++i) {
    if (!operands[i].is_void()) take(LetterAt(row->operands, i), operands[i]);
  }
  if (node.op == "Cast") first = DType::Void();  // its result has another type
  for (size_t i = 0; i < out.results.size() && out.failure.empty(); ++i) {
    const char letter = LetterAt(row->results, i);
    DType dtype = letter == 'B' ? DType::Bool() : letter == 'L' ? DType::Int(64) : first;
    if (letter == 'U') dtype = second;
    if (letter == 'X' || node.op == "Cast") dtype = TypeByAttribute(node, i);
    if (!dtype.is_void()) take(letter, dtype);
    out.results[i] = dtype;
  }
  return out;
}

}  // namespace lathe::onnx

// Imports operators that look up integers, floats or strings in constant lists.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// A list of keys or values, of one of these types.
struct LookupList {
  std::vector<int64_t> ints;
  std::vector<double> reals;
  std::vector<std::string> strings;
  DType dtype = DType::Float(32);  // of ints and reals

  int64_t count() const { return std::ssize(ints) + std::ssize(reals) + std::ssize(strings); }
};

bool HasStrings(NodeCall& n, int input) {
  return n.term(input).format == kStringType || n.term(input).strings != nullptr;
}

// Reads the attributes PREFIX_int64s, PREFIX_floats, PREFIX_strings and PREFIX_tensor, of which one
// may have elements.
absl::StatusOr<LookupList> ReadLookupList(NodeCall& n, const std::string& prefix) {
  LookupList list;
  list.ints = n.Ints(prefix + "_int64s");
  list.reals = n.Floats(prefix + "_floats");
  list.strings = n.StringList(prefix + "_strings");
  if (!list.ints.empty()) list.dtype = DType::Int(64);
  int kinds =
      (list.ints.empty() ? 0 : 1) + (list.reals.empty() ? 0 : 1) + (list.strings.empty() ? 0 : 1);
  if (const Tensor* tensor = n.TensorAttribute(prefix + "_tensor")) {
    ++kinds;
    if (tensor->type == kStringType) {
      list.strings = tensor->strings;
    } else {
      const auto dtype = DTypeOf(tensor->type);
      if (!dtype) return n.Error() << "attribute '" << prefix << "_tensor' has no numeric elements";
      list.dtype = *dtype;
      LATHE_ASSIGN_OR_RETURN(const std::vector<double> numbers, NumbersOf(n, prefix + "_tensor"));
      if (dtype->is_integer()) {
        for (const double number : numbers) list.ints.push_back(static_cast<int64_t>(number));
      } else {
        list.reals = numbers;
      }
    }
  }
  if (kinds != 1 || list.count() == 0) {
    return n.Error() << "needs one list of '" << prefix << "_...', and has " << kinds;
  }
  return list;
}

// Returns the index of each element of input 0 in the keys, or -1. The last of equal keys wins.
absl::StatusOr<Operand> FindKeys(NodeCall& n, const LookupList& keys) {
  if (keys.strings.empty() == HasStrings(n, 0)) {
    return n.Error() << "has keys that are " << (keys.strings.empty() ? "numbers" : "strings")
                     << ", and an input of the other kind";
  }
  if (!keys.strings.empty()) return FindStrings(n, keys.strings);
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.status());
  const bool ints = !keys.ints.empty();
  const Operand table = ints ? IntTable(n, keys.ints) : NumberTable(n, keys.reals, n.TypeOf(x));
  // Since version 4, NaN is a key as others are.
  const bool nan = n.opset() >= 4 && std::any_of(keys.reals.begin(), keys.reals.end(),
                                                 [](double key) { return std::isnan(key); });
  const Operand value = ints ? n.Cast(x, DType::Int(64)) : x;
  return n.Kernel("find_keys", {value, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("place", n.DimsOf(x), {m.Int(keys.count())}, te.Max(DType::Int(64)),
                     [&](const Indices& at, const Indices& r) {
                       const PrimRef a = te.At(te.Input(0), at), b = te.At(te.Input(1), r);
                       PrimRef same = m.Eq(a, b);
                       if (nan) same = m.Or(same, m.And(m.Ne(a, a), m.Ne(b, b)));
                       return m.Select(same, r[0], m.Int(-1));
                     });
  });
}

// Returns the value at each index of `place`. The last value is that of index -1.
Term ValuesAt(NodeCall& n, const Operand& place, const LookupList& values) {
  const bool strings = !values.strings.empty();
  const int64_t last = values.count() - 1;
  Operand table = place;
  if (strings) {
    table = StringTable(n, values.strings, {values.count()});
  } else if (!values.ints.empty()) {
    table = n.Cast(IntTable(n, values.ints), values.dtype);
  } else {
    table = NumberTable(n, values.reals, values.dtype);
  }
  Dims dims = n.DimsOf(place);
  const auto rank = static_cast<std::ptrdiff_t>(dims.size());
  if (strings) dims.push_back(n.DimsOf(table).back());
  const Operand out = n.Kernel("labels", {place, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, n.TypeOf(table), [&](const Indices& at) {
      const PrimRef found = te.At(te.Input(0), Indices(at.begin(), at.begin() + rank));
      Indices from = {m.Select(m.Lt(found, m.Int(0)), m.Int(last), found)};
      if (strings) from.push_back(at.back());
      return te.At(te.Input(1), from);
    });
  });
  return strings ? AsStrings(out) : Term(out);
}

// Adds the value for keys that are not in the list.
absl::Status AddDefault(NodeCall& n, LookupList& values) {
  const Tensor* tensor = n.TensorAttribute("default_tensor");
  if (!values.strings.empty()) {
    std::string text = n.String("default_string", "_Unused");
    if (tensor != nullptr && !tensor->strings.empty()) text = tensor->strings[0];
    values.strings.push_back(text);
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<double> numbers, NumbersOf(n, "default_tensor"));
  if (!values.ints.empty()) {
    values.ints.push_back(numbers.empty() ? n.Int("default_int64", -1)
                                          : static_cast<int64_t>(numbers[0]));
  } else {
    values.reals.push_back(numbers.empty() ? n.Float("default_float", -0.0) : numbers[0]);
  }
  return absl::OkStatus();
}

// Maps strings to integers, or integers to strings, by the type of the input.
absl::StatusOr<Results> MapBetween(NodeCall& n, const std::vector<int64_t>& ints,
                                   const std::vector<std::string>& strings) {
  if (ints.size() != strings.size() || ints.empty()) {
    return n.Error() << "has " << ints.size() << " integers for " << strings.size() << " strings";
  }
  LookupList numbers{ints, {}, {}, DType::Int(64)}, texts{{}, {}, strings};
  const bool from_strings = HasStrings(n, 0);
  LookupList& values = from_strings ? numbers : texts;
  LATHE_ASSIGN_OR_RETURN(const Operand place, FindKeys(n, from_strings ? texts : numbers));
  LATHE_RETURN_IF_ERROR(AddDefault(n, values));
  return ValuesAt(n, place, values);
}

}  // namespace

absl::StatusOr<Results> ImportLabelEncoder(NodeCall& n) {
  // Version 1 has one list of strings, which it maps to or from their indices.
  const std::vector<std::string> classes = n.StringList("classes_strings");
  if (!classes.empty()) {
    std::vector<int64_t> indices(classes.size());
    for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int64_t>(i);
    return MapBetween(n, indices, classes);
  }
  LATHE_ASSIGN_OR_RETURN(const LookupList keys, ReadLookupList(n, "keys"));
  LATHE_ASSIGN_OR_RETURN(LookupList values, ReadLookupList(n, "values"));
  if (keys.count() != values.count()) {
    return n.Error() << "has " << keys.count() << " keys for " << values.count() << " values";
  }
  LATHE_ASSIGN_OR_RETURN(const Operand place, FindKeys(n, keys));
  LATHE_RETURN_IF_ERROR(AddDefault(n, values));
  return ValuesAt(n, place, values);
}

absl::StatusOr<Results> ImportCategoryMapper(NodeCall& n) {
  return MapBetween(n, n.Ints("cats_int64s"), n.StringList("cats_strings"));
}

// Numbers are truncated to integers before the comparison.
absl::StatusOr<Results> ImportOneHotEncoder(NodeCall& n) {
  LookupList keys{n.Ints("cats_int64s"), {}, n.StringList("cats_strings"), DType::Int(64)};
  if (keys.ints.empty() == keys.strings.empty()) {
    return n.Error() << "needs either 'cats_int64s' or 'cats_strings'";
  }
  LATHE_ASSIGN_OR_RETURN(const Operand place, FindKeys(n, keys));
  const bool zeros = n.Int("zeros", 1) != 0;
  const Dims dims = n.DimsOf(place);
  return n.Kernel("one_hot", {place}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType real = DType::Float(32);
    if (!zeros) {
      ir::BufferRef seen = te.Allocate("seen", dims, DType::Int(64));
      te.Run("check", dims, [&](ops::Statements& s, const Indices& at) {
        s.Store(seen, at, te.At(te.Input(0), at));
        s.Need(m.Le(m.Int(0), te.At(seen, at)),
               "OneHotEncoder needs every element to be one of its categories");
      });
    }
    Dims wide = dims;
    wide.push_back(m.Int(keys.count()));
    return te.Compute("out", wide, real, [&](const Indices& at) {
      const PrimRef found = te.At(te.Input(0), Indices(at.begin(), at.end() - 1));
      return m.Select(m.Eq(found, at.back()), m.Const(1, real), m.Const(0, real));
    });
  });
}

}  // namespace lathe::onnx

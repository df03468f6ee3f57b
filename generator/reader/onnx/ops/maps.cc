// Imports operators of maps. A map is two tensors, its keys and its values.
#include <memory>
#include <string>
#include <utility>

#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

struct MapInput {
  Operand keys, values;
  bool string_keys = false, string_values = false;
};

absl::StatusOr<MapInput> MapIn(NodeCall& n) {
  const Term& term = n.term(0);
  if (term.map == nullptr) {
    return n.Unsupported()
           << "the input must be a map that is an input of the model; the result of "
              "another operator is not supported";
  }
  const Term& keys = (*term.map)[0];
  const Term& values = (*term.map)[1];
  return MapInput{*keys.operand, *values.operand, keys.format == kStringType,
                  values.format == kStringType};
}

// Returns the value at each index of `place`, a list, and `otherwise` at index -1: (1, places).
Operand ValuesOrElse(NodeCall& n, const Operand& place, const Operand& values, bool strings,
                     const std::string& otherwise) {
  Dims dims = {n.ir().Int(1), n.DimsOf(place)[0]};
  PrimRef width = nullptr;
  if (strings) {
    width = n.Simplify(n.math().Max(n.DimsOf(values).back(), n.ir().Int(std::ssize(otherwise))));
    dims.push_back(width);
  }
  return n.Kernel("map_values", {place, values}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType t = n.TypeOf(values);
    return te.Compute("out", dims, t, [&](const Indices& at) {
      const PrimRef found = te.At(te.Input(0), {at[1]});
      const PrimRef has = m.Le(m.Int(0), found);
      if (!strings) return m.IfThenElse(has, te.At(te.Input(1), {found}), m.Const(0, t));
      PrimRef other = m.Const(0, t);
      for (size_t i = 0; i < otherwise.size(); ++i) {
        const PrimRef byte = m.Const(static_cast<uint8_t>(otherwise[i]), t);
        other = m.Select(m.Eq(at[2], m.Int(static_cast<int64_t>(i))), byte, other);
      }
      return m.IfThenElse(has, StringByte(te, te.Input(1), {found}, at[2]), other);
    });
  });
}

// Returns the index in `keys` of each of `wanted`, or -1.
Operand FindInts(NodeCall& n, const Operand& wanted, const Operand& keys) {
  return n.Kernel("find_ints", {wanted, keys}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("place", n.DimsOf(wanted), n.DimsOf(keys), te.Max(DType::Int(64)),
                     [&](const Indices& at, const Indices& r) {
                       const PrimRef same = m.Eq(te.At(te.Input(0), at), te.At(te.Input(1), r));
                       return m.Select(same, r[0], m.Int(-1));
                     });
  });
}

// Returns the indices of the keys in ascending order.
Operand SortedPlaces(NodeCall& n, const Operand& keys) {
  const Dims dims = n.DimsOf(keys);
  return n.Kernel("sort_keys", {keys}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto key = [&](PrimRef i) { return te.At(te.Input(0), {i}); };
    ir::BufferRef rank = te.Reduce(
        "rank", dims, dims, te.Sum(DType::Int(64)), [&](const Indices& at, const Indices& r) {
          const PrimRef equal = m.And(m.Eq(key(r[0]), key(at[0])), m.Lt(r[0], at[0]));
          return m.Select(m.Or(m.Lt(key(r[0]), key(at[0])), equal), m.Int(1), m.Int(0));
        });
    return te.Reduce("place", dims, dims, te.Max(DType::Int(64)),
                     [&](const Indices& at, const Indices& r) {
                       return m.Select(m.Eq(te.At(rank, r), at[0]), r[0], m.Int(-1));
                     });
  });
}

// A sparse map has the positions of its values as keys.
Operand WithoutNegativeKeys(NodeCall& n, const Operand& keys) {
  const Dims dims = n.DimsOf(keys);
  return n.Kernel("check_keys", {keys}, [&](Te& te) {
    ir::BufferRef out = te.Allocate("out", dims, DType::Int(64));
    te.Run("check", dims, [&](ops::Statements& s, const Indices& at) {
      s.Store(out, at, te.At(te.Input(0), at));
      s.Need(te.math().Le(te.math().Int(0), te.At(out, at)),
             "CastMap needs keys that are not negative");
    });
    return out;
  });
}

Term OfStrings(Operand x, bool strings) { return strings ? AsStrings(std::move(x)) : Term(x); }

}  // namespace

// The result is the tensor of scores. Its columns are in the order of the labels.
absl::StatusOr<Results> ImportZipMap(NodeCall& n) {
  const std::vector<int64_t> ints = n.Ints("classlabels_int64s");
  const std::vector<std::string> strings = n.StringList("classlabels_strings");
  if (ints.empty() == strings.empty()) {
    return n.Error() << "needs labels either in 'classlabels_int64s' or in 'classlabels_strings'";
  }
  const int64_t count = std::ssize(ints) + std::ssize(strings);
  LATHE_ASSIGN_OR_RETURN(const Operand scores, FeatureRows(n, n.In(0), n.TypeOf(n.In(0))));
  const PrimRef columns = n.DimsOf(scores)[1];
  const auto known = NodeCall::IntOf(columns);
  if (known && *known != count) {
    return n.Error() << "has " << count << " labels for " << *known << " columns of scores";
  }
  Term term(known ? scores : Checked(n, scores, {}, [&](Te& te) {
    NeedSame(n, te, columns, te.math().Int(count), "the number of scores");
  }));
  ir::AttrList keys(ints.begin(), ints.end());
  keys.insert(keys.end(), strings.begin(), strings.end());
  term.keys = std::make_shared<const ir::AttrList>(std::move(keys));
  return term;
}

absl::StatusOr<Results> ImportDictVectorizer(NodeCall& n) {
  const std::vector<int64_t> ints = n.Ints("int64_vocabulary");
  const std::vector<std::string> strings = n.StringList("string_vocabulary");
  LATHE_ASSIGN_OR_RETURN(const MapInput map, MapIn(n));
  if (ints.empty() == strings.empty()) {
    return n.Error() << "needs either 'int64_vocabulary' or 'string_vocabulary'";
  }
  if (map.string_keys != ints.empty()) {
    return n.Error() << "has a vocabulary of " << (ints.empty() ? "strings" : "integers")
                     << ", and a map with other keys";
  }
  const Operand place =
      map.string_keys ? FindStringRows(n, StringTable(n, strings, {std::ssize(strings)}), map.keys)
                      : FindInts(n, IntTable(n, ints), map.keys);
  return OfStrings(ValuesOrElse(n, place, map.values, map.string_values, ""), map.string_values);
}

absl::StatusOr<Results> ImportCastMap(NodeCall& n) {
  const std::string to = n.String("cast_to", "TO_FLOAT"), form = n.String("map_form", "DENSE");
  const int64_t most = n.Int("max_map", 1);
  LATHE_ASSIGN_OR_RETURN(MapInput map, MapIn(n));
  const bool sparse = form == "SPARSE";
  if (!sparse && form != "DENSE") {
    return n.Error() << "unknown map_form '" << form << "'; known: DENSE, SPARSE";
  }
  if (to != "TO_FLOAT" && to != "TO_STRING" && to != "TO_INT64") {
    return n.Error() << "unknown cast_to '" << to << "'; known: TO_FLOAT, TO_STRING, TO_INT64";
  }
  if (map.string_keys) return n.Error() << "needs a map with integer keys";
  if (sparse && (most < 1 || most > (int64_t{1} << 24))) {
    return n.Error() << "'max_map' must be 1 to " << (int64_t{1} << 24) << ", not " << most;
  }
  const bool to_strings = to == "TO_STRING";
  const DType dtype = to == "TO_FLOAT" ? DType::Float(32) : DType::Int(64);
  if (to_strings && !map.string_values) {
    LATHE_ASSIGN_OR_RETURN(map.values, NumbersToStrings(n, map.values));
  } else if (!to_strings) {
    map.values =
        map.string_values ? StringsToNumbers(n, map.values, dtype) : n.Cast(map.values, dtype);
  }
  Operand place = map.keys;
  if (sparse) {
    std::vector<int64_t> wanted(static_cast<size_t>(most));
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<int64_t>(i);
    place = FindInts(n, IntTable(n, wanted), WithoutNegativeKeys(n, map.keys));
  } else {
    place = SortedPlaces(n, map.keys);
  }
  return OfStrings(ValuesOrElse(n, place, map.values, to_strings, to_strings ? "0.0" : ""),
                   to_strings);
}

}  // namespace lathe::onnx

#include "generator/driver/validate/golden_value.h"

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/print_constants.h"
#include "generator/emit/c/print_value.h"
#include "generator/emit/text/c_string.h"
#include "generator/interp/extern_value.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// C has no negative constants, so INT64_MIN needs an expression.
std::string IntText(int64_t value) {
  return value < 0 ? absl::StrCat("(-INT64_C(", -(value + 1), ") - 1)")
                   : absl::StrCat("INT64_C(", value, ")");
}

std::string FloatText(double value) {
  if (std::isnan(value)) return "(double)NAN";
  if (std::isinf(value)) return value < 0 ? "-(double)INFINITY" : "(double)INFINITY";
  return absl::StrFormat("(double)%.17g", value);
}

// Deserializes a value like templates/validate/values.h.tmpl.
class Reader {
 public:
  Reader(std::string name, absl::string_view bytes) : name_(std::move(name)), bytes_(bytes) {}

  absl::StatusOr<GoldenValue> Read() {
    LATHE_ASSIGN_OR_RETURN(text_.value, One());
    return std::move(text_);
  }

 private:
  absl::string_view Take(size_t count) {
    LATHE_CHECK(count <= bytes_.size(), "a serialized value is truncated");
    const absl::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <typename T>
  T Number() {
    T number = {};
    std::memcpy(&number, Take(sizeof number).data(), sizeof number);
    return number;
  }
  absl::StatusOr<ir::DType> Type() {
    const auto code = static_cast<uint8_t>(Number<int64_t>());
    return interp::FromExtern(lathe_dtype{code, static_cast<uint8_t>(Number<int64_t>()), 1});
  }
  std::string Next(absl::string_view what) { return absl::StrCat(name_, "_", what, count_++); }

  absl::StatusOr<std::string> One() {
    switch (Number<int64_t>()) {
      case LATHE_NULL:
        return std::string("lathe_from_null()");
      case LATHE_TENSOR:
        return Tensor();
      case LATHE_INT:
      case LATHE_BOOL: {
        LATHE_ASSIGN_OR_RETURN(const std::string dtype, TypeArgs());
        return absl::StrCat("lathe_from_int(", IntText(Number<int64_t>()), ", ", dtype, ")");
      }
      case LATHE_FLOAT: {
        LATHE_ASSIGN_OR_RETURN(const std::string dtype, TypeArgs());
        return absl::StrCat("lathe_from_float(", FloatText(Number<double>()), ", ", dtype, ")");
      }
      case LATHE_STRING: {
        const auto size = static_cast<size_t>(Number<int64_t>());
        return absl::StrCat("lathe_from_string(", emit::CString(Take(size)), ", ", size, "u)");
      }
      case LATHE_DTYPE: {
        LATHE_ASSIGN_OR_RETURN(const std::string dtype, TypeArgs());
        return absl::StrCat("lathe_from_dtype(", dtype, ")");
      }
      case LATHE_SHAPE: {
        const int64_t ndim = Number<int64_t>();
        return absl::StrCat("lathe_from_shape(", Sizes(Dims(ndim)), ", ", ndim, ")");
      }
      case LATHE_TUPLE:
        return Tuple();
      default:
        return absl::UnimplementedError(
            absl::StrCat("--golden of '", name_,
                         "', which contains a function or an object, is not supported; supported: ",
                         "tensors, scalars, strings, dtypes, shapes and tuples of these"));
    }
  }

  absl::StatusOr<std::string> TypeArgs() {
    LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, Type());
    return emit::DTypeArgs(dtype);
  }

  std::vector<int64_t> Dims(int64_t ndim) {
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < ndim; ++i) dims.push_back(Number<int64_t>());
    return dims;
  }

  std::string Sizes(const std::vector<int64_t>& dims) {
    if (dims.empty()) return "NULL";
    const std::string name = Next("sizes");
    absl::StrAppend(&text_.constants, "static const int64_t ", name, "[] = {");
    for (size_t i = 0; i < dims.size(); ++i) {
      absl::StrAppend(&text_.constants, i == 0 ? "" : ", ", dims[i]);
    }
    absl::StrAppend(&text_.constants, "};\n");
    return name;
  }

  absl::StatusOr<std::string> Tensor() {
    LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, Type());
    LATHE_ASSIGN_OR_RETURN(const std::string dtype_args, emit::DTypeArgs(dtype));
    const std::vector<int64_t> dims = Dims(Number<int64_t>());
    int64_t elements = 1;
    for (int64_t dim : dims) elements *= dim;
    const absl::string_view bytes = Take(ir::StorageBytes(dtype, static_cast<uint64_t>(elements)));
    const std::string name = Next("data");
    absl::StrAppend(&text_.constants, "static const union {\n  uint64_t words[",
                    emit::WordCount(bytes), "];\n  ", emit::CType(dtype), " values[",
                    emit::CLength(dtype, elements), "];\n} ", name, " = { {\n    ",
                    absl::StrReplaceAll(emit::WordsText(bytes), {{"\n", "\n    "}}), "\n} };\n");
    const std::string sizes = Sizes(dims);
    return absl::StrCat("lathe_from_tensor(", name, ".values, ", dtype_args, ", ", sizes, ", ",
                        dims.size(), ")");
  }

  absl::StatusOr<std::string> Tuple() {
    const auto size = static_cast<size_t>(Number<int64_t>());
    if (size == 0) return std::string("lathe_from_tuple(NULL, 0u)");
    const std::string name = Next("fields");
    std::string lines = absl::StrCat("lathe_value ", name, "[", size, "];\n");
    for (size_t i = 0; i < size; ++i) {
      LATHE_ASSIGN_OR_RETURN(const std::string field, One());
      absl::StrAppend(&lines, name, "[", i, "] = ", field, ";\n");
    }
    text_.lines += lines;
    return absl::StrCat("lathe_from_tuple(", name, ", ", size, "u)");
  }

  const std::string name_;
  absl::string_view bytes_;
  int count_ = 0;
  GoldenValue text_;
};

}  // namespace

absl::StatusOr<GoldenValue> GoldenValueOf(const std::string& name, absl::string_view bytes) {
  return Reader(name, bytes).Read();
}

}  // namespace lathe::driver

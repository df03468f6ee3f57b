#include "generator/interp/extern_value.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/data/limits.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

using ir::TypeCode;

struct CodeRow {
  TypeCode code;
  uint8_t number;
};
constexpr CodeRow kCodes[] = {
    {TypeCode::kInt, LATHE_DT_INT},
    {TypeCode::kUInt, LATHE_DT_UINT},
    {TypeCode::kFloat, LATHE_DT_FLOAT},
    {TypeCode::kBFloat, LATHE_DT_BFLOAT},
    {TypeCode::kBool, LATHE_DT_BOOL},
    {TypeCode::kFloat8E3M4, LATHE_DT_FLOAT8_E3M4},
    {TypeCode::kFloat8E4M3, LATHE_DT_FLOAT8_E4M3},
    {TypeCode::kFloat8E4M3B11Fnuz, LATHE_DT_FLOAT8_E4M3B11FNUZ},
    {TypeCode::kFloat8E4M3Fn, LATHE_DT_FLOAT8_E4M3FN},
    {TypeCode::kFloat8E4M3Fnuz, LATHE_DT_FLOAT8_E4M3FNUZ},
    {TypeCode::kFloat8E5M2, LATHE_DT_FLOAT8_E5M2},
    {TypeCode::kFloat8E5M2Fnuz, LATHE_DT_FLOAT8_E5M2FNUZ},
    {TypeCode::kFloat8E8M0Fnu, LATHE_DT_FLOAT8_E8M0FNU},
    {TypeCode::kFloat6E2M3Fn, LATHE_DT_FLOAT6_E2M3FN},
    {TypeCode::kFloat6E3M2Fn, LATHE_DT_FLOAT6_E3M2FN},
    {TypeCode::kFloat4E2M1Fn, LATHE_DT_FLOAT4_E2M1FN},
};

// Stores `value` in the call and returns the handle for C.
Value* Hold(lathe_call* call, Value value) {
  call->values.push_back(std::move(value));
  return &call->values.back();
}

absl::StatusOr<lathe_value> Convert(const Value& value, lathe_call* call, int depth) {
  lathe_value out = {};
  out.ref = Hold(call, value);
  if (value.is_null()) {
    out.kind = LATHE_NULL;
  } else if (const Scalar* s = value.AsScalar()) {
    out.dtype = ToExtern(s->dtype);
    out.kind = s->dtype.is_bool() ? LATHE_BOOL : s->dtype.is_floating() ? LATHE_FLOAT : LATHE_INT;
    if (s->dtype.is_floating()) {
      out.as.f = s->AsDouble();
    } else {
      out.as.i = static_cast<int64_t>(s->bits);
    }
  } else if (const std::string* text = value.AsString()) {
    out.kind = LATHE_STRING;
    out.as.string.text = text->c_str();
    out.as.string.size = text->size();
  } else if (const auto* dtype = value.As<ir::DType>()) {
    out.kind = LATHE_DTYPE;
    out.dtype = ToExtern(*dtype);
  } else if (const auto* dims = value.AsShape()) {
    out.kind = LATHE_SHAPE;
    out.as.shape.dims = dims->data();
    out.as.shape.ndim = static_cast<int32_t>(dims->size());
  } else if (const Tensor* t = value.AsTensor()) {
    out.kind = LATHE_TENSOR;
    out.as.tensor = {t->data(), t->shape.data(), t->ndim(), ToExtern(t->dtype)};
  } else if (const auto* fields = value.AsTuple()) {
    if (depth >= kMaxValueDepth) {
      return absl::ResourceExhaustedError(
          absl::StrCat("a tuple is nested deeper than ", kMaxValueDepth, " levels"));
    }
    std::vector<lathe_value> converted;
    for (const Value& field : *fields) {
      LATHE_ASSIGN_OR_RETURN(const lathe_value c, Convert(field, call, depth + 1));
      converted.push_back(c);
    }
    call->fields.push_back(std::move(converted));
    out.kind = LATHE_TUPLE;
    out.as.tuple.fields = call->fields.back().data();
    out.as.tuple.size = call->fields.back().size();
  } else if (const auto* object = value.As<std::shared_ptr<const OpaqueObject>>()) {
    out.kind = LATHE_OBJECT;
    out.as.object.pointer = (*object)->object.get();
    out.as.object.kind = (*object)->kind.c_str();
  } else {
    // Functions and storages are opaque objects.
    out.kind = LATHE_OBJECT;
    out.as.object.kind = "lathe";
  }
  return out;
}

// Returns a new value to a library, or stores the error.
int ReturnToLibrary(lathe_call* call, const absl::StatusOr<Value>& value, lathe_value* out) {
  absl::StatusOr<lathe_value> converted =
      value.ok() ? ToExtern(*value, call) : absl::StatusOr<lathe_value>(value.status());
  if (converted.ok()) {
    *out = *converted;
    return LATHE_OK;
  }
  call->error = std::string(converted.status().message());
  return absl::IsResourceExhausted(converted.status()) ? LATHE_E_MEMORY : LATHE_E_ARGUMENT;
}

int NewExternTensor(lathe_call* call, lathe_dtype dtype, const int64_t* shape, int32_t ndim,
                    lathe_value* out) {
  if (ndim < 0 || ndim > kMaxRank || (ndim > 0 && shape == nullptr)) return LATHE_E_ARGUMENT;
  const auto make = [&]() -> absl::StatusOr<Value> {
    LATHE_ASSIGN_OR_RETURN(const ir::DType t, FromExtern(dtype));
    LATHE_ASSIGN_OR_RETURN(TensorRef tensor, NewTensor(t, {shape, shape + ndim}, call->budget));
    return Value(std::move(tensor));
  };
  return ReturnToLibrary(call, make(), out);
}

int NewExternShape(lathe_call* call, const int64_t* dims, int32_t ndim, lathe_value* out) {
  if (ndim < 0 || ndim > kMaxRank || (ndim > 0 && dims == nullptr)) return LATHE_E_ARGUMENT;
  return ReturnToLibrary(call, Value::OfShape({dims, dims + ndim}), out);
}

int NewExternString(lathe_call* call, const char* text, size_t size, lathe_value* out) {
  if (text == nullptr) return LATHE_E_NULL;
  return ReturnToLibrary(call, Value::OfString(std::string(text, size)), out);
}

int NewExternTuple(lathe_call* call, const lathe_value* fields, size_t size, lathe_value* out) {
  if (fields == nullptr && size > 0) return LATHE_E_NULL;
  const auto make = [&]() -> absl::StatusOr<Value> {
    std::vector<Value> values;
    for (size_t n = 0; n < size; ++n) {
      LATHE_ASSIGN_OR_RETURN(Value value, FromExtern(fields[n], *call));
      values.push_back(std::move(value));
    }
    return Value::OfTuple(std::move(values), call->budget);
  };
  return ReturnToLibrary(call, make(), out);
}

int NewExternObject(lathe_call* call, void* pointer, const char* kind, void (*release)(void*),
                    lathe_value* out) {
  if (kind == nullptr) {
    if (release != nullptr) release(pointer);
    return LATHE_E_NULL;
  }
  auto object = std::make_shared<const OpaqueObject>(
      OpaqueObject{kind, std::shared_ptr<void>(pointer, [release](void* p) {
                     if (release != nullptr) release(p);
                   })});
  return ReturnToLibrary(call, Value(Value::Node(std::move(object))), out);
}

void SetError(lathe_call* call, const char* message) {
  if (message != nullptr) call->error = message;
}

}  // namespace

lathe_dtype ToExtern(ir::DType dtype) {
  for (const CodeRow& row : kCodes) {
    if (row.code == dtype.code) return {row.number, dtype.bits, 1};
  }
  return {3, 64, 1};  // an opaque pointer
}

absl::StatusOr<ir::DType> FromExtern(lathe_dtype dtype) {
  for (const CodeRow& row : kCodes) {
    const ir::DType t = ir::DType::Make(row.code, dtype.bits, 1);
    const FloatFormat* format = FindFloatFormat(t);
    const bool fixed =
        row.code != TypeCode::kInt && row.code != TypeCode::kUInt && row.code != TypeCode::kFloat;
    // All formats except ints and IEEE floats have a fixed width.
    const int width = row.code == TypeCode::kBool                                 ? 1
                      : row.code == TypeCode::kBFloat                             ? 16
                      : format != nullptr && format->specials == Specials::kScale ? 8
                      : format != nullptr ? 1 + format->exponent_bits + format->mantissa_bits
                                          : dtype.bits;
    if (row.number != dtype.code || dtype.lanes != 1) continue;
    const bool bool_byte = row.code == TypeCode::kBool && dtype.bits == 8;
    if (bool_byte) return ir::DType::Bool();
    if ((fixed && dtype.bits != width) || !IsComputable(t)) break;
    return t;
  }
  return absl::InvalidArgumentError(absl::StrCat("no dtype has code ", int{dtype.code}, ", ",
                                                 int{dtype.bits}, " bits and ", dtype.lanes,
                                                 " lanes"));
}

absl::StatusOr<lathe_value> ToExtern(const Value& value, lathe_call* call) {
  return Convert(value, call, 0);
}

absl::StatusOr<Value> FromExtern(const lathe_value& value, const lathe_call& call) {
  // Libraries may create scalars, so they are read from their fields, not from the handle.
  switch (value.kind) {
    case LATHE_NULL:
      return Value();
    case LATHE_INT:
    case LATHE_BOOL: {
      LATHE_ASSIGN_OR_RETURN(const ir::DType t, FromExtern(value.dtype));
      return Value(Scalar::Int(value.as.i, t));
    }
    case LATHE_FLOAT: {
      LATHE_ASSIGN_OR_RETURN(const ir::DType t, FromExtern(value.dtype));
      return Value(Scalar::Float(value.as.f, t));
    }
    case LATHE_DTYPE: {
      LATHE_ASSIGN_OR_RETURN(const ir::DType t, FromExtern(value.dtype));
      return Value(Value::Node(t));
    }
    default:
      break;
  }
  for (const Value& held : call.values) {
    if (&held == value.ref) return held;
  }
  return absl::InvalidArgumentError(
      "it returned a value that is neither an argument nor created by the host functions");
}

const lathe_host& ExternHost() {
  static constexpr lathe_host kHost = {LATHE_API_VERSION, NewExternTensor, NewExternShape,
                                       NewExternString,   NewExternTuple,  NewExternObject,
                                       SetError,          nullptr};
  return kHost;
}

}  // namespace lathe::interp

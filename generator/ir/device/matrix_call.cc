#include "generator/ir/device/matrix_call.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ir/device/ptx_words.h"
#include "generator/ir/device/typed_arguments.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/literal_value.h"

namespace lathe::ir {
namespace {

constexpr MmaForm kForms[] = {
    {16, 8, 8, "f32", "f16", "f16"},
    {16, 8, 16, "f32", "f16", "f16"},
    {16, 8, 8, "f16", "f16", "f16"},
    {16, 8, 16, "f16", "f16", "f16"},
    {16, 8, 8, "f32", "bf16", "bf16"},
    {16, 8, 16, "f32", "bf16", "bf16"},
    {16, 8, 4, "f32", "tf32", "tf32"},
    {16, 8, 8, "f32", "tf32", "tf32"},
    {8, 8, 4, "f64", "f64", "f64"},
    {8, 8, 16, "s32", "s8", "s8"},
    {8, 8, 16, "s32", "s8", "u8"},
    {8, 8, 16, "s32", "u8", "s8"},
    {8, 8, 16, "s32", "u8", "u8"},
    {16, 8, 16, "s32", "s8", "s8"},
    {16, 8, 16, "s32", "s8", "u8"},
    {16, 8, 16, "s32", "u8", "s8"},
    {16, 8, 16, "s32", "u8", "u8"},
    {16, 8, 32, "s32", "s8", "s8"},
    {16, 8, 32, "s32", "s8", "u8"},
    {16, 8, 32, "s32", "u8", "s8"},
    {16, 8, 32, "s32", "u8", "u8"},
    {8, 8, 32, "s32", "s4", "s4"},
    {8, 8, 32, "s32", "s4", "u4"},
    {8, 8, 32, "s32", "u4", "s4"},
    {8, 8, 32, "s32", "u4", "u4"},
    {16, 8, 32, "s32", "s4", "s4"},
    {16, 8, 32, "s32", "s4", "u4"},
    {16, 8, 32, "s32", "u4", "s4"},
    {16, 8, 32, "s32", "u4", "u4"},
    {16, 8, 64, "s32", "s4", "s4"},
    {16, 8, 64, "s32", "s4", "u4"},
    {16, 8, 64, "s32", "u4", "s4"},
    {16, 8, 64, "s32", "u4", "u4"},
    {8, 8, 128, "s32", "b1", "b1", "xor"},
    {8, 8, 128, "s32", "b1", "b1", "and"},
    {16, 8, 128, "s32", "b1", "b1", "xor"},
    {16, 8, 128, "s32", "b1", "b1", "and"},
    {16, 8, 256, "s32", "b1", "b1", "xor"},
    {16, 8, 256, "s32", "b1", "b1", "and"},
    {16, 8, 32, "f32", "e4m3", "e4m3", "", 89},
    {16, 8, 32, "f32", "e4m3", "e5m2", "", 89},
    {16, 8, 32, "f32", "e5m2", "e4m3", "", 89},
    {16, 8, 32, "f32", "e5m2", "e5m2", "", 89},
};

// Maps dtype spellings of programs to those of PTX.
struct DTypeSpelling {
  absl::string_view program;
  absl::string_view ptx;
};
constexpr DTypeSpelling kSpellings[] = {
    {"fp16", "f16"},
    {"float16", "f16"},
    {"f16", "f16"},
    {"bf16", "bf16"},
    {"bfloat16", "bf16"},
    {"tf32", "tf32"},
    {"tensor_float32", "tf32"},
    {"fp32", "f32"},
    {"float32", "f32"},
    {"fp64", "f64"},
    {"float64", "f64"},
    {"int8", "s8"},
    {"s8", "s8"},
    {"uint8", "u8"},
    {"u8", "u8"},
    {"int32", "s32"},
    {"s32", "s32"},
    {"int4", "s4"},
    {"s4", "s4"},
    {"uint4", "u4"},
    {"u4", "u4"},
    {"int1", "b1"},
    {"uint1", "b1"},
    {"b1", "b1"},
    {"e4m3", "e4m3"},
    {"float8_e4m3", "e4m3"},
    {"float8_e4m3fn", "e4m3"},
    {"e5m2", "e5m2"},
    {"float8_e5m2", "e5m2"},
    {"f32", "f32"},
    {"f64", "f64"},
};

absl::string_view PtxOf(PrimRef e) {
  const absl::string_view text = TextOf(e);
  for (const DTypeSpelling& row : kSpellings) {
    if (row.program == text) return row.ptx;
  }
  return {};
}

const MmaForm* FormOf(absl::string_view shape, absl::string_view c, absl::string_view a,
                      absl::string_view b, absl::string_view op = "") {
  for (const MmaForm& form : kForms) {
    const bool same = absl::StrCat("m", form.m, "n", form.n, "k", form.k) == shape;
    if (same && form.c == c && form.a == a && form.b == b && form.op == op) return &form;
  }
  return nullptr;
}

// (shape, "row", "col", a, b, c, a's pointer, offset, b's, offset, sums, offset, saturate,
// operator?)
std::optional<MmaCall> ByOffsets(const std::vector<PrimRef>& args) {
  const bool has_op = args.size() == 14 && args[13]->As<StringImm>() != nullptr;
  if ((args.size() != 13 && !has_op) || TextOf(args[1]) != "row" || TextOf(args[2]) != "col") {
    return std::nullopt;
  }
  MmaCall call;
  call.form = FormOf(TextOf(args[0]), PtxOf(args[5]), PtxOf(args[3]), PtxOf(args[4]),
                     has_op ? TextOf(args[13]) : "");
  const std::optional<bool> saturates = TruthOf(args[12]);
  const bool pointers = IsPointer(args[6]) && IsPointer(args[8]) && IsPointer(args[10]);
  if (call.form == nullptr || !saturates || *saturates || !pointers) return std::nullopt;
  call.a = SingleRegister(args[6], args[7], ElementOf(call.form->a));
  call.b = SingleRegister(args[8], args[9], ElementOf(call.form->b));
  call.d = call.c = SingleRegister(args[10], args[11], ElementOf(call.form->c));
  return call;
}

// A list of pointers, a register each.
std::optional<Fragment> Registers(PrimRef e, DType unsaid) {
  const auto* list = e->As<Intrinsic>();
  if (list == nullptr || list->name != kListArgument || list->args.empty()) return std::nullopt;
  Fragment fragment;
  for (PrimRef pointer : list->args) {
    if (!IsPointer(pointer)) return std::nullopt;
    fragment.registers.push_back(AddressAtOffset(pointer, nullptr, unsaid));
  }
  return fragment;
}

// (shape, "row", "col", d, a, b, c, d's registers, a's, b's, c's, saturate?, bit_op=?)
std::optional<MmaCall> ByRegisters(const std::vector<PrimRef>& given) {
  std::vector<PrimRef> args;
  absl::string_view op;
  for (PrimRef arg : given) {
    const KeywordArgument keyword = KeywordOf(arg);
    if (keyword.value == nullptr) {
      args.push_back(arg);
    } else if (keyword.name == "bit_op") {
      op = TextOf(keyword.value);
    } else if (keyword.name == "c_ptrs" || keyword.name == "saturate") {
      args.push_back(keyword.value);
    } else {
      return std::nullopt;
    }
  }
  const std::optional<bool> saturates = args.size() == 12 ? TruthOf(args[11]) : false;
  if ((args.size() != 11 && args.size() != 12) || !saturates || *saturates) return std::nullopt;
  if (TextOf(args[1]) != "row" || TextOf(args[2]) != "col") return std::nullopt;
  if (PtxOf(args[3]) != PtxOf(args[6])) return std::nullopt;
  MmaCall call;
  call.form = FormOf(TextOf(args[0]), PtxOf(args[3]), PtxOf(args[4]), PtxOf(args[5]), op);
  if (call.form == nullptr) return std::nullopt;
  const auto d = Registers(args[7], ElementOf(call.form->c));
  const auto a = Registers(args[8], ElementOf(call.form->a));
  const auto b = Registers(args[9], ElementOf(call.form->b));
  const auto c = Registers(args[10], ElementOf(call.form->c));
  if (!d || !a || !b || !c) return std::nullopt;
  call.d = *d;
  call.a = *a;
  call.b = *b;
  call.c = *c;
  return call;
}

// The number of registers for a thread's `elements`.
size_t RegistersOf(int elements, absl::string_view ptx) {
  const int bits = std::max<int>(32, ElementOf(ptx).bits);
  return static_cast<size_t>(elements / 32 * ElementOf(ptx).bits / bits);
}

// mma.sync.aligned.m..n..k...row.col.d.a.b.c{.xor.popc}(d..., a..., b..., c...), each a register.
std::optional<MmaCall> BySyllables(const std::vector<std::string>& words,
                                   const std::vector<PrimRef>& args) {
  const bool counts = words.size() == 12 && words[11] == "popc";
  if ((words.size() != 10 && !counts) || words[1] != "sync" || words[2] != "aligned" ||
      words[4] != "row" || words[5] != "col" || words[6] != words[9]) {
    return std::nullopt;
  }
  MmaCall call;
  call.form = FormOf(words[3], words[6], words[7], words[8], counts ? words[10] : "");
  if (call.form == nullptr) return std::nullopt;
  const MmaForm& form = *call.form;
  size_t next = 0;
  const auto take = [&](Fragment& fragment, int elements, absl::string_view ptx) {
    for (size_t n = RegistersOf(elements, ptx); n > 0 && next < args.size(); --n, ++next) {
      if (!IsPointer(args[next])) return false;
      fragment.registers.push_back(AddressAtOffset(args[next], nullptr, ElementOf(ptx)));
    }
    return true;
  };
  const bool fine = take(call.d, form.m * form.n, form.c) &&
                    take(call.a, form.m * form.k, form.a) &&
                    take(call.b, form.k * form.n, form.b) && take(call.c, form.m * form.n, form.c);
  const size_t wanted = 2 * RegistersOf(form.m * form.n, form.c) +
                        RegistersOf(form.m * form.k, form.a) + RegistersOf(form.k * form.n, form.b);
  return fine && next == args.size() && next == wanted ? std::make_optional(call) : std::nullopt;
}

}  // namespace

absl::Span<const MmaForm> MmaForms() { return kForms; }

std::string FormName(const MmaForm& form) {
  return absl::StrCat("m", form.m, "n", form.n, "k", form.k, "_", form.c, "_", form.a, "_", form.b,
                      form.op.empty() ? "" : "_", form.op);
}

DType ElementOf(absl::string_view ptx) {
  if (ptx == "f16") return DType::Float(16);
  if (ptx == "bf16") return DType::Make(TypeCode::kBFloat, 16, 1);
  if (ptx == "f64") return DType::Float(64);
  if (ptx == "s8") return DType::Int(8);
  if (ptx == "u8") return DType::UInt(8);
  if (ptx == "s4") return DType::Int(4);
  if (ptx == "u4") return DType::UInt(4);
  if (ptx == "b1") return DType::UInt(1);
  if (ptx == "e4m3") return DType::Make(TypeCode::kFloat8E4M3Fn, 8, 1);
  if (ptx == "e5m2") return DType::Make(TypeCode::kFloat8E5M2, 8, 1);
  return ptx == "s32" ? DType::Int(32) : DType::Float(32);
}

std::optional<MmaCall> MmaCallOf(const Intrinsic& call) {
  if (call.name == "ptx_mma" || call.name == "ptx.mma.legacy" || call.name == "ptx_legacy.mma") {
    return ByOffsets(SplitTypedArguments(call, DType::Void()).args);
  }
  if (call.name == "ptx.mma") return ByRegisters(call.args);
  const std::vector<std::string> words = PtxWords(call.name);
  return !words.empty() && words[0] == "mma" ? BySyllables(words, call.args) : std::nullopt;
}

}  // namespace lathe::ir

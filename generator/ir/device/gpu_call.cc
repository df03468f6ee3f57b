#include "generator/ir/device/gpu_call.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/ir/device/ptx_words.h"
#include "generator/ir/device_intrinsic.h"

namespace lathe::ir {
namespace {

constexpr GpuOpInfo kOps[] = {
#define GPU_OP(what, params, sync, cuda) {GpuOp::what, params, SyncScope::sync, cuda},
#define GPU_NAME(name, what)
#include "generator/ir/gpu_call_list.def"
#undef GPU_OP
#undef GPU_NAME
};

struct Name {
  absl::string_view name;
  GpuOp op;
};
constexpr Name kNames[] = {
#define GPU_OP(what, params, sync, cuda)
#define GPU_NAME(name, what) {name, GpuOp::what},
#include "generator/ir/gpu_call_list.def"
#undef GPU_OP
#undef GPU_NAME
};

const Name* FindName(absl::string_view name) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const Name& row) { return row.name == name; });
  return found == std::end(kNames) ? nullptr : found;
}

// T.cuda.warp_reduce(x, "max") is T.cuda.warp_max(x): appends the operator to the name.
struct NamedCall {
  std::string name;
  std::vector<PrimRef> args;
};
NamedCall WithOperator(const Intrinsic& call) {
  NamedCall named{CanonicalPtxName(call.name), call.args};
  absl::string_view stem = named.name;
  if (!absl::ConsumeSuffix(&stem, "_reduce")) return named;
  for (size_t i = 0; i < named.args.size(); ++i) {
    const KeywordArgument keyword = KeywordOf(named.args[i]);
    const PrimRef value = keyword.value != nullptr ? keyword.value : named.args[i];
    const auto* text = value->As<StringImm>();
    if (text == nullptr || (keyword.value != nullptr && keyword.name != "op")) continue;
    named.name = absl::StrCat(stem, "_", text->value);
    named.args.erase(named.args.begin() + static_cast<ptrdiff_t>(i));
    break;
  }
  return named;
}

// Returns whether `value` is a valid argument.
bool Fits(const GpuParam& param, PrimRef value) {
  switch (param.kind) {
    case GpuParam::Kind::kScalar:
      return value->dtype().is_scalar() && !value->dtype().is_handle();
    case GpuParam::Kind::kChanged:
    case GpuParam::Kind::kRead:
      return value->dtype().is_handle() || value->As<Load>() != nullptr;
    case GpuParam::Kind::kText:
      return value->As<StringImm>() != nullptr;
  }
  return false;
}

}  // namespace

const GpuOpInfo& InfoOf(GpuOp op) { return kOps[static_cast<size_t>(op)]; }

std::vector<GpuParam> ParamsOf(GpuOp op) {
  std::vector<GpuParam> params;
  for (absl::string_view text : absl::StrSplit(InfoOf(op).params, ' ', absl::SkipEmpty())) {
    GpuParam param;
    if (absl::ConsumePrefix(&text, "*")) param.kind = GpuParam::Kind::kChanged;
    if (absl::ConsumePrefix(&text, "@")) param.kind = GpuParam::Kind::kRead;
    if (absl::ConsumePrefix(&text, "'")) param.kind = GpuParam::Kind::kText;
    param.in_cuda = !absl::ConsumePrefix(&text, "-") && param.kind != GpuParam::Kind::kText;
    const std::vector<absl::string_view> parts = absl::StrSplit(text, '=');
    param.name = parts[0];
    int number = 0;
    if (parts.size() == 2 && absl::SimpleAtoi(parts[1], &number)) param.left_out = number;
    params.push_back(param);
  }
  return params;
}

std::optional<GpuCall> GpuCallOf(const Intrinsic& call) {
  const NamedCall named = WithOperator(call);
  const Name* row = FindName(named.name);
  if (row == nullptr) return std::nullopt;
  const std::vector<GpuParam> params = ParamsOf(row->op);
  GpuCall out{row->op, std::vector<PrimRef>(params.size(), nullptr)};
  size_t next = 0;
  for (PrimRef arg : named.args) {
    size_t at = next++;
    PrimRef value = arg;
    if (const KeywordArgument keyword = KeywordOf(arg); keyword.value != nullptr) {
      at = static_cast<size_t>(
          std::find_if(params.begin(), params.end(),
                       [&](const GpuParam& param) { return param.name == keyword.name; }) -
          params.begin());
      value = keyword.value;
    }
    if (at >= params.size() || out.args[at] != nullptr || !Fits(params[at], value)) {
      return std::nullopt;
    }
    out.args[at] = value;
  }
  for (size_t i = 0; i < params.size(); ++i) {
    if (out.args[i] == nullptr && !params[i].left_out) return std::nullopt;
  }
  return out;
}

std::vector<std::pair<std::string, GpuOp>> GpuCallNames() {
  std::vector<std::pair<std::string, GpuOp>> names;
  for (const Name& row : kNames) names.emplace_back(absl::StrCat("T.", row.name), row.op);
  names.emplace_back("T.cuda.warp_reduce", GpuOp::kWarpSum);
  names.emplace_back("T.cuda.cta_reduce", GpuOp::kBlockSum);
  return names;
}

}  // namespace lathe::ir

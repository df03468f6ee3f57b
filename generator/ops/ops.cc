#include "generator/ops/ops.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/ops/parse_schema.h"
#include "generator/support/check.h"

namespace lathe::ops {

// Declares the functions that the rows name.
using Infer = absl::StatusOr<ir::StructInfoRef>(ir::InferContext&, const ir::Call&);
using Normalize = bool(ir::NormalizeContext&, ir::Call&);
using Compute = absl::StatusOr<ir::PrimFunc>(ir::ComputeContext&, const ir::Call&);
#define OP(name, schema, ...) __VA_ARGS__
#define INFER(f) Infer f;
#define NORMALIZE(f) Normalize f;
#define COMPUTE(f) Compute f;
#define NO_COMPUTE(why)
#define IMPURE
#include "generator/ops/op_list.def"
#undef OP
#undef INFER
#undef NORMALIZE
#undef COMPUTE
#undef NO_COMPUTE
#undef IMPURE

namespace {

ir::Op Begin(absl::string_view name, absl::string_view schema_text) {
  absl::StatusOr<Schema> schema = ParseSchema(schema_text);
  LATHE_CHECK(schema.ok(), "op_list.def: a schema cannot be read");
  ir::Op op;
  op.name = std::string(name);
  op.params = std::move(schema->params);
  op.sinfo_args = schema->sinfo_args;
  return op;
}

std::vector<ir::Op> BuildOpTable() {
  std::vector<ir::Op> table;
#define OP(name, schema, ...)        \
  {                                  \
    ir::Op op = Begin(name, schema); \
    __VA_ARGS__                      \
    table.push_back(std::move(op));  \
  }
#define INFER(f) op.infer = f;
#define NORMALIZE(f) op.normalize = f;
#define COMPUTE(f) op.compute = f;
#define NO_COMPUTE(why) op.without_compute = why;
#define IMPURE op.pure = false;
#include "generator/ops/op_list.def"
#undef OP
#undef INFER
#undef NORMALIZE
#undef COMPUTE
#undef NO_COMPUTE
#undef IMPURE
  return table;
}

struct Alias {
  absl::string_view spelling;
  absl::string_view name;
};
constexpr Alias kAliases[] = {
    {"dist.call_tir", "relax.call_tir"},
    {"dot", "relax.matmul"},  // spelling of old programs
    {"stop_lift_params", "relax.builtin.stop_lift_params"},
};

}  // namespace

absl::Span<const ir::Op> AllOps() {
  static const std::vector<ir::Op>& table = *new std::vector<ir::Op>(BuildOpTable());
  return table;
}

const ir::Op* FindOp(absl::string_view name) {
  const absl::Span<const ir::Op> all = AllOps();
  const auto it =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const ir::Op& op, absl::string_view wanted) { return op.name < wanted; });
  return it != all.end() && it->name == name ? &*it : nullptr;
}

const ir::Op* FindSurfaceOp(absl::string_view spelling) {
  for (const Alias& alias : kAliases) {
    if (alias.spelling == spelling) return FindOp(alias.name);
  }
  return FindOp(absl::StrCat("relax.", spelling));
}

}  // namespace lathe::ops

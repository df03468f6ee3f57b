#include "generator/transform/pointwise_ops.h"

#include "absl/algorithm/container.h"

namespace lathe::transform {
namespace {

constexpr absl::string_view kPointwise[] = {
    "relax.abs",      "relax.add",     "relax.atan",         "relax.ceil",         "relax.clip",
    "relax.cos",      "relax.cosh",    "relax.divide",       "relax.erf",          "relax.exp",
    "relax.floor",    "relax.log",     "relax.maximum",      "relax.minimum",      "relax.multiply",
    "relax.negative", "relax.nn.gelu", "relax.nn.gelu_tanh", "relax.nn.leakyrelu", "relax.nn.relu",
    "relax.nn.relu6", "relax.nn.selu", "relax.nn.silu",      "relax.nn.softplus",  "relax.power",
    "relax.round",    "relax.rsqrt",   "relax.sigmoid",      "relax.sign",         "relax.sin",
    "relax.sinh",     "relax.sqrt",    "relax.square",       "relax.subtract",     "relax.tanh",
};

}  // namespace

bool IsPointwise(absl::string_view op) { return absl::c_linear_search(kPointwise, op); }

}  // namespace lathe::transform

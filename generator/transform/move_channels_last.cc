#include "generator/transform/move_channels_last.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ir/each_body.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/complete_call.h"
#include "generator/transform/dead_code_elimination.h"
#include "generator/transform/emit_ops.h"

namespace lathe::transform {
namespace {

using ir::Operand;

constexpr char kFirst[] = "NCHW";
constexpr char kLast[] = "NHWC";

// The effect of an operator on image layouts.
enum class Role {
  kOther,
  kConv,      // has a layout for the input and one for the output
  kPool,      // one layout for both
  kResize,    // one layout, in one attribute
  kMean,      // over height and width
  kPad,       // widths for each axis
  kConcat,    // of channels
  kElements,  // elementwise, with one or several tensors
};

constexpr absl::string_view kElementwise[] = {
    "relax.abs",      "relax.add",     "relax.clip",         "relax.divide",       "relax.erf",
    "relax.exp",      "relax.log",     "relax.maximum",      "relax.minimum",      "relax.multiply",
    "relax.negative", "relax.nn.gelu", "relax.nn.gelu_tanh", "relax.nn.leakyrelu", "relax.nn.relu",
    "relax.nn.selu",  "relax.nn.silu", "relax.nn.softplus",  "relax.power",        "relax.rsqrt",
    "relax.sigmoid",  "relax.sqrt",    "relax.square",       "relax.subtract",     "relax.tanh"};

ir::AttrValue List(const std::vector<int64_t>& numbers) {
  ir::AttrList list;
  for (int64_t n : numbers) list.push_back(ir::AttrValue(n));
  return ir::AttrValue(std::move(list));
}

bool IsOneOf(absl::string_view name, std::initializer_list<absl::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Channels per run that tensor cores load.
constexpr int64_t kRun = 8;

// The operators around which images are moved.
enum class MoveTarget { kVectors, kCores };

Role RoleOf(const ir::Call& call, MoveTarget target) {
  const absl::string_view name = call.op()->name;
  const bool cores = target == MoveTarget::kCores;
  if (name == "relax.astype") return cores ? Role::kElements : Role::kOther;
  if (name == "relax.nn.conv2d_transpose" && cores) return Role::kOther;
  const auto is_first = [&](const char* attribute) {
    return ops::FindString(call, attribute) == kFirst;
  };
  if (IsOneOf(name, {"relax.nn.conv2d", "relax.nn.conv2d_transpose"})) {
    return is_first("data_layout") && is_first("out_layout") ? Role::kConv : Role::kOther;
  }
  if (IsOneOf(name,
              {"relax.nn.max_pool2d", "relax.nn.avg_pool2d", "relax.nn.adaptive_avg_pool2d"})) {
    return is_first("layout") && is_first("out_layout") ? Role::kPool : Role::kOther;
  }
  if (name == "relax.image.resize2d") return is_first("layout") ? Role::kResize : Role::kOther;
  if (IsOneOf(name, {"relax.mean", "relax.sum", "relax.max", "relax.min"})) {
    auto axes = ops::FindInts(call, "axis").value_or(std::vector<int64_t>());
    for (int64_t& axis : axes) axis = ops::FromFront(axis, 4);
    std::sort(axes.begin(), axes.end());
    return axes == std::vector<int64_t>{2, 3} ? Role::kMean : Role::kOther;
  }
  if (name == "relax.nn.pad") return Role::kPad;
  if (name == "relax.concat") {
    const auto axis = ops::FindInt(call, "axis");
    return axis && ops::FromFront(*axis, 4) == 1 ? Role::kConcat : Role::kOther;
  }
  const bool elements =
      std::find(std::begin(kElementwise), std::end(kElementwise), name) != std::end(kElementwise);
  return elements ? Role::kElements : Role::kOther;
}

bool IsGrouped(const ir::Call& call) { return ops::IntAttr(call, "groups") > 1; }

// Rewrites one block of bindings.
class BlockMover {
 public:
  BlockMover(ir::Context& context, ir::Module& module, MoveTarget target, bool dataflow)
      : context_(context), module_(module), target_(target), dataflow_(dataflow) {}

  // Visits bindings from last to first to find images that a user wants with channels last.
  void FindWanted(const std::vector<ir::Binding>& bindings) {
    for (auto it = bindings.rbegin(); it != bindings.rend(); ++it) {
      const ir::Call* call = ImageCall(*it);
      if (call == nullptr) continue;
      const Role role = RoleOf(*call, target_);
      const bool result = wanted_.contains(it->var);
      const bool conv = role == Role::kConv && !IsGrouped(*call) && IsWholeRuns(call->args[0]);
      if (conv || role == Role::kMean || result || IsSinglePlace(it->var)) {
        for (const Operand& arg : ImagesOf(*call)) Want(arg);
      }
    }
  }

  void Move(ir::Binding binding, std::vector<ir::Binding>& out) {
    out_ = &out;
    loc_ = binding.loc;
    name_ = module_.values[binding.var].name;
    if (const ir::Call* call = ImageCall(binding)) {
      if (std::optional<ir::Rhs> moved = Moved(binding.var, *call)) {
        binding.rhs = *std::move(moved);
      }
    }
    out.push_back(std::move(binding));
  }

  bool has_changed() const { return changed_; }

 private:
  const ir::TensorInfo* InfoOf(const Operand& operand) const {
    return analysis::KnownInfo(context_, module_, operand)->As<ir::TensorInfo>();
  }

  // Sums of 16-bit floats are float32 before they are rounded.
  bool IsImage(const Operand& operand, Role role) const {
    const ir::TensorInfo* info = InfoOf(operand);
    if (info == nullptr || info->ndim != 4) return false;
    const bool single = info->dtype == ir::DType::Float(32);
    const bool small = info->dtype.is_floating() && info->dtype.bits == 16;
    if (target_ == MoveTarget::kVectors) return single;
    return small || (single && role != Role::kConv);
  }

  bool IsWholeRuns(const Operand& image) const {
    if (target_ == MoveTarget::kVectors) return true;
    const auto* dims = InfoOf(image)->dims();
    const auto* channels = dims == nullptr ? nullptr : (*dims)[1]->As<ir::IntImm>();
    return channels != nullptr && channels->value % kRun == 0;
  }

  // The call when one of its image operands is an image.
  const ir::Call* ImageCall(const ir::Binding& binding) const {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr || call->args.empty()) return nullptr;
    const Role role = RoleOf(*call, target_);
    if (role == Role::kOther) return nullptr;
    const std::vector<Operand> images = ImagesOf(*call);
    return std::any_of(images.begin(), images.end(),
                       [&](const Operand& image) { return IsImage(image, role); })
               ? call
               : nullptr;
  }

  std::vector<Operand> ImagesOf(const ir::Call& call) const {
    switch (RoleOf(call, target_)) {
      case Role::kElements:
        return call.args;
      case Role::kConcat: {
        const auto* tuple = call.args[0].As<ir::TupleExpr>();
        return tuple == nullptr ? std::vector<Operand>() : tuple->fields;
      }
      default:
        return {call.args[0]};
    }
  }

  // An image of height and width 1, which is equal in both layouts.
  bool IsSinglePlace(ir::ValueId var) const { return IsSinglePlace(Operand{var}); }
  bool IsSinglePlace(const Operand& image) const {
    const ir::TensorInfo* info = InfoOf(image);
    if (info == nullptr || info->dims() == nullptr || info->dims()->size() != 4) return false;
    return (*info->dims())[2] == context_.Int(1) && (*info->dims())[3] == context_.Int(1);
  }

  void Want(const Operand& operand) {
    if (const auto* id = operand.As<ir::ValueId>()) wanted_.insert(*id);
  }

  const Operand* FindLast(const Operand& operand) const {
    const auto* id = operand.As<ir::ValueId>();
    const auto found = id == nullptr ? last_.end() : last_.find(*id);
    return found == last_.end() ? nullptr : &found->second;
  }

  Operand Op(absl::string_view op, std::vector<Operand> args, ir::AttrMap attrs) {
    return Bind(ops::CallOf(op, std::move(args), std::move(attrs)));
  }

  Operand Bind(ir::Call call) {
    return EmitOps(module_, *out_, dataflow_, loc_).Bind(std::move(call), name_);
  }

  // `operand` broadcast to rank 4, with channels last. Nullopt when its rank is unknown.
  std::optional<Operand> Last(const Operand& operand) {
    if (const Operand* last = FindLast(operand)) return *last;
    if (operand.As<ir::PrimValue>() != nullptr) return operand;
    const ir::TensorInfo* info = InfoOf(operand);
    if (info == nullptr || info->ndim < 0 || info->ndim > 4) return std::nullopt;
    if (info->ndim == 0) return operand;
    Operand image = operand;
    if (info->ndim < 4) {
      std::vector<int64_t> axes;
      for (int axis = 0; axis < 4 - info->ndim; ++axis) axes.push_back(axis);
      image = Op("relax.expand_dims", {image}, {{"axis", List(axes)}});
    }
    return Op("relax.permute_dims", {image}, {{"axes", List({0, 2, 3, 1})}});
  }

  // The new right-hand side of `var`, whose value with channels last is `last`.
  ir::Rhs First(ir::ValueId var, Operand last) {
    last_[var] = last;
    changed_ = true;
    if (IsSinglePlace(var)) {
      const Operand shape{ir::ShapeExpr{*InfoOf(Operand{var})->dims()}};
      return ops::CallOf("relax.reshape", {std::move(last), shape});
    }
    return ops::CallOf("relax.permute_dims", {std::move(last)}, {{"axes", List({0, 3, 1, 2})}});
  }

  std::optional<ir::Rhs> Moved(ir::ValueId var, const ir::Call& call) {
    const Role role = RoleOf(call, target_);
    const bool wanted = wanted_.contains(var);
    if (role == Role::kConv) return MovedConv(var, call, wanted);
    if (!wanted && role != Role::kMean && !IsSinglePlace(var)) return std::nullopt;
    const std::vector<Operand> images = ImagesOf(call);
    const auto moved = std::count_if(images.begin(), images.end(), [&](const Operand& image) {
      return FindLast(image) != nullptr;
    });
    if (moved == 0 || (role == Role::kConcat && 2 * moved < std::ssize(images))) {
      return std::nullopt;
    }
    ir::Call last = call;
    if (!MoveArgs(last, images)) return std::nullopt;
    switch (role) {
      case Role::kPool:
        last.attrs["layout"] = last.attrs["out_layout"] = kLast;
        break;
      case Role::kResize:
        last.attrs["layout"] = kLast;
        break;
      case Role::kMean:
        last.attrs["axis"] = List({1, 2});
        if (!ops::FindBool(call, "keepdims")) {
          changed_ = true;
          return last;
        }
        break;
      case Role::kPad: {
        const std::vector<int64_t> w = ops::IntsAttr(call, "pad_width");
        if (w.size() != 8) return std::nullopt;
        last.attrs["pad_width"] = List({w[0], w[1], w[4], w[5], w[6], w[7], w[2], w[3]});
        break;
      }
      case Role::kConcat:
        last.attrs["axis"] = ir::AttrValue(int64_t{3});
        break;
      default:
        break;
    }
    return First(var, Bind(std::move(last)));
  }

  // Grouped convolutions have vectors of channels only if both images have channels last.
  std::optional<ir::Rhs> MovedConv(ir::ValueId var, const ir::Call& call, bool wanted) {
    const Operand* image = FindLast(call.args[0]);
    if (image == nullptr && !wanted) return std::nullopt;
    if (IsGrouped(call) && (image == nullptr || !wanted)) return std::nullopt;
    ir::Call last = call;
    if (image != nullptr) last.args[0] = *image;
    if (image != nullptr && target_ == MoveTarget::kCores && !IsSinglePlace(call.args[1]) &&
        ops::FindString(call, "kernel_layout") == "OIHW") {
      last.args[1] = Op("relax.permute_dims", {call.args[1]}, {{"axes", List({0, 2, 3, 1})}});
      last.attrs["kernel_layout"] = "OHWI";
    }
    last.attrs["data_layout"] = image != nullptr ? kLast : kFirst;
    last.attrs["out_layout"] = wanted ? kLast : kFirst;
    if (wanted) return First(var, Bind(std::move(last)));
    changed_ = true;
    return last;
  }

  bool MoveArgs(ir::Call& call, const std::vector<Operand>& images) {
    std::vector<Operand> moved;
    for (const Operand& image : images) {
      auto last = Last(image);
      if (!last) return false;
      moved.push_back(*std::move(last));
    }
    if (RoleOf(call, target_) == Role::kConcat) {
      call.args[0] = Operand{ir::TupleExpr{std::move(moved)}};
    } else {
      std::move(moved.begin(), moved.end(), call.args.begin());
    }
    return true;
  }

  ir::Context& context_;
  ir::Module& module_;
  const MoveTarget target_;
  const bool dataflow_;
  std::vector<ir::Binding>* out_ = nullptr;
  Location loc_;
  std::string name_;
  absl::flat_hash_set<ir::ValueId> wanted_;
  absl::flat_hash_map<ir::ValueId, Operand> last_;
  bool changed_ = false;
};

bool MoveIn(ir::Context& context, ir::Module& module, MoveTarget target, ir::Body& body) {
  bool changed = false;
  for (ir::Block& block : body.blocks) {
    BlockMover mover(context, module, target, block.dataflow);
    mover.FindWanted(block.bindings);
    std::vector<ir::Binding> bindings;
    for (ir::Binding& binding : block.bindings) {
      ForEachBody(binding.rhs, [&](ir::Body& inner) {
        changed = MoveIn(context, module, target, inner) || changed;
      });
      mover.Move(std::move(binding), bindings);
    }
    block.bindings = std::move(bindings);
    changed = changed || mover.has_changed();
  }
  return changed;
}

void Move(ir::Context& context, ir::Module& module, MoveTarget target) {
  bool changed = false;
  ir::ForEachFunction(module, [&](ir::Function& f) {
    changed = MoveIn(context, module, target, f.body) || changed;
  });
  if (changed) DeadCodeElimination(context, module);
}

}  // namespace

void MoveChannelsLast(ir::Context& context, ir::Module& module) {
  Move(context, module, MoveTarget::kVectors);
}

void MoveChannelsLastForCores(ir::Context& context, ir::Module& module) {
  Move(context, module, MoveTarget::kCores);
}

}  // namespace lathe::transform

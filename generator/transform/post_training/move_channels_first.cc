#include "generator/transform/post_training/move_channels_first.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/complete_call.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/pointwise_ops.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::ValueId;

constexpr size_t kImageRank = 4;
constexpr int64_t kToFirst[] = {0, 3, 1, 2};
constexpr int64_t kToLast[] = {0, 2, 3, 1};
// The axis of an image with channels in front that holds the axis of one with channels last.
constexpr int64_t kAxisInFirst[] = {0, 2, 3, 1};

template <typename Axes>
ir::AttrList ListOf(const Axes& axes) {
  ir::AttrList list;
  for (int64_t axis : axes) list.emplace_back(axis);
  return list;
}

// The constant with its axes in the order `axes`.
ir::Constant PermutedConstant(const ir::Constant& from, const std::vector<int64_t>& axes) {
  const size_t rank = axes.size();
  std::vector<int64_t> strides(rank, 1);
  for (size_t a = rank; a-- > 1;) strides[a - 1] = strides[a] * from.shape[a];
  ir::Constant to{from.dtype, {}, nullptr};
  uint64_t count = 1;
  for (int64_t axis : axes) {
    to.shape.push_back(from.shape[static_cast<size_t>(axis)]);
    count *= static_cast<uint64_t>(to.shape.back());
  }
  auto bytes = std::make_shared<std::vector<uint8_t>>(from.bytes->size());
  std::vector<int64_t> at(rank);
  for (uint64_t i = 0; i < count; ++i) {
    int64_t source = 0;
    for (size_t a = 0; a < rank; ++a) source += at[a] * strides[static_cast<size_t>(axes[a])];
    interp::WriteElement(
        bytes->data(), from.dtype, i,
        interp::ReadElement(from.bytes->data(), from.dtype, static_cast<uint64_t>(source)));
    for (size_t a = rank; a-- > 0;) {
      if (++at[a] < to.shape[a]) break;
      at[a] = 0;
    }
  }
  to.bytes = std::move(bytes);
  return to;
}

class ChannelMover {
 public:
  explicit ChannelMover(ir::Module& module) : module_(module) {}

  void In(ir::Function& function) {
    for (ir::Block& block : function.body.blocks) {
      std::vector<ir::Binding> bindings = std::move(block.bindings);
      out_.clear();
      dataflow_ = block.dataflow;
      for (ir::Binding& binding : bindings) {
        if (Move(binding)) continue;
        // What the binding reads must exist with channels last.
        ForEachUse(module_, binding, [&](ValueId id) { Materialize(id); });
        out_.push_back(std::move(binding));
      }
      // Other blocks, and the result, read what is not local to the block.
      for (const auto& [id, first] : SortedMoved()) {
        if (!module_.values[id].dataflow) Materialize(id);
      }
      block.bindings = std::move(out_);
    }
  }

 private:
  // Images of which only the version with channels in front was emitted, in the order of the ids.
  std::vector<std::pair<ValueId, ValueId>> SortedMoved() const {
    std::vector<std::pair<ValueId, ValueId>> list(moved_.begin(), moved_.end());
    std::sort(list.begin(), list.end());
    return list;
  }

  const ir::TensorInfo* InfoOf(const Operand& operand) const {
    const auto* id = operand.As<ValueId>();
    const ir::StructInfoRef info = id == nullptr ? nullptr : module_.values[*id].info;
    return info == nullptr ? nullptr : info->As<ir::TensorInfo>();
  }

  bool IsImage(const Operand& operand) const {
    const ir::TensorInfo* info = InfoOf(operand);
    return info != nullptr && info->dims() != nullptr && info->dims()->size() == kImageRank;
  }

  void Materialize(ValueId id) {
    const auto found = moved_.find(id);
    if (found == moved_.end()) return;
    const ValueId first = found->second;
    moved_.erase(found);
    first_[id] = first;
    out_.push_back(
        {id, ops::CallOf("relax.permute_dims", {Operand{first}}, {{"axes", ListOf(kToLast)}}),
         module_.values[id].loc});
  }

  // The image with channels in front.
  Operand First(const Operand& image) {
    const ValueId id = *image.As<ValueId>();
    if (const auto found = moved_.find(id); found != moved_.end()) return Operand{found->second};
    if (const auto found = first_.find(id); found != first_.end()) return Operand{found->second};
    EmitOps emit(module_, out_, dataflow_ && module_.values[id].dataflow, module_.values[id].loc);
    const Operand moved = emit.Op("relax.permute_dims", {image}, {{"axes", ListOf(kToFirst)}});
    module_.values[*moved.As<ValueId>()].name = module_.values[id].name + "_first";
    first_[id] = *moved.As<ValueId>();
    return moved;
  }
  bool IsMoved(const Operand& operand) const {
    const auto* id = operand.As<ValueId>();
    return id != nullptr && (moved_.contains(*id) || first_.contains(*id));
  }

  // Emits the call as the version of the bound image with channels in front.
  bool Emit(const ir::Binding& binding, ir::Call call) {
    const ir::Value& bound = module_.values[binding.var];
    ir::Value value;
    value.name = bound.name;
    value.dataflow = bound.dataflow;
    value.loc = bound.loc;
    const ValueId id = module_.values.Add(std::move(value));
    out_.push_back({id, std::move(call), binding.loc});
    moved_[binding.var] = id;
    return true;
  }

  bool Move(const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr || !IsImage(Operand{binding.var})) return false;
    if (module_.values[binding.var].annotation != nullptr) return false;
    const std::string& name = call->op()->name;
    if (name == "relax.nn.conv2d") return MoveConv(binding, *call);
    if (name == "relax.nn.max_pool2d" || name == "relax.nn.avg_pool2d" ||
        name == "relax.nn.adaptive_avg_pool2d") {
      return MovePool(binding, *call);
    }
    if (name == "relax.concat") return MoveConcat(binding, *call);
    if (name == "relax.mean") return MoveMean(binding, *call);
    if (name == "relax.nn.pad") return MovePad(binding, *call);
    return IsPointwise(name) && MovePointwise(binding, *call);
  }

  bool MoveConv(const ir::Binding& binding, ir::Call call) {
    const std::string out = ops::FindString(call, "out_layout");
    const std::string kernel = ops::FindString(call, "kernel_layout");
    if (ops::FindString(call, "data_layout") != "NHWC" || (out != "NHWC" && !out.empty())) {
      return false;
    }
    std::vector<int64_t> axes;
    for (char axis : std::string("OIHW")) {
      const size_t at = kernel.find(axis);
      if (kernel.size() != kImageRank || at == std::string::npos) return false;
      axes.push_back(static_cast<int64_t>(at));
    }
    if (call.args[0].As<ValueId>() == nullptr) return false;
    call.args[0] = First(call.args[0]);
    if (const auto* id = call.args[1].As<ir::ConstantId>()) {
      ir::Constant moved = PermutedConstant(module_.constants[*id], axes);
      call.args[1] = Operand{module_.constants.Add(std::move(moved))};
    } else {
      if (const auto* kernel_id = call.args[1].As<ValueId>()) Materialize(*kernel_id);
      EmitOps emit(module_, out_, dataflow_, binding.loc);
      call.args[1] = emit.Op("relax.permute_dims", {call.args[1]}, {{"axes", ListOf(axes)}});
    }
    call.attrs["data_layout"] = "NCHW";
    call.attrs["kernel_layout"] = "OIHW";
    call.attrs["out_layout"] = "NCHW";
    return Emit(binding, std::move(call));
  }

  bool MovePool(const ir::Binding& binding, ir::Call call) {
    const std::string out = ops::FindString(call, "out_layout");
    if (ops::FindString(call, "layout") != "NHWC" || (out != "NHWC" && !out.empty()) ||
        call.args[0].As<ValueId>() == nullptr) {
      return false;
    }
    call.args[0] = First(call.args[0]);
    call.attrs["layout"] = "NCHW";
    call.attrs["out_layout"] = "NCHW";
    return Emit(binding, std::move(call));
  }

  bool MoveConcat(const ir::Binding& binding, ir::Call call) {
    auto* tuple = call.args[0].As<ir::TupleExpr>();
    const auto axis = ops::FindInt(call, "axis");
    if (tuple == nullptr || !axis) return false;
    const bool all = std::all_of(tuple->fields.begin(), tuple->fields.end(),
                                 [&](const Operand& field) { return IsMoved(field); });
    if (!all) return false;
    for (Operand& field : tuple->fields) field = First(field);
    call.attrs["axis"] = kAxisInFirst[ops::FromFront(*axis, kImageRank)];
    return Emit(binding, std::move(call));
  }

  bool MoveMean(const ir::Binding& binding, ir::Call call) {
    const auto axes = ops::FindInts(call, "axis");
    if (!axes || !ops::FindBool(call, "keepdims") || !IsMoved(call.args[0])) return false;
    std::vector<int64_t> moved;
    for (int64_t axis : *axes) moved.push_back(kAxisInFirst[ops::FromFront(axis, kImageRank)]);
    call.args[0] = First(call.args[0]);
    call.attrs["axis"] = ListOf(moved);
    return Emit(binding, std::move(call));
  }

  bool MovePad(const ir::Binding& binding, ir::Call call) {
    const std::vector<int64_t> width = ops::IntsAttr(call, "pad_width");
    if (!IsMoved(call.args[0]) || width.size() != 2 * kImageRank) return false;
    std::vector<int64_t> moved;
    for (int64_t axis : kToFirst) {
      moved.push_back(width[static_cast<size_t>(2 * axis)]);
      moved.push_back(width[static_cast<size_t>(2 * axis + 1)]);
    }
    call.args[0] = First(call.args[0]);
    call.attrs["pad_width"] = ListOf(moved);
    return Emit(binding, std::move(call));
  }

  // A constant of an elementwise operator: a number, a list for the channels, or an image.
  std::optional<Operand> FirstConstant(ir::ConstantId id) {
    const ir::Constant& constant = module_.constants[id];
    const std::vector<int64_t>& shape = constant.shape;
    if (std::all_of(shape.begin(), shape.end(), [](int64_t dim) { return dim == 1; })) {
      return Operand{id};
    }
    if (shape.size() == kImageRank) {
      return Operand{module_.constants.Add(
          PermutedConstant(constant, {std::begin(kToFirst), std::end(kToFirst)}))};
    }
    if (shape.size() != 1) return std::nullopt;
    return Operand{module_.constants.Add({constant.dtype, {shape[0], 1, 1}, constant.bytes})};
  }

  bool MovePointwise(const ir::Binding& binding, ir::Call call) {
    bool any = false;
    for (const Operand& arg : call.args) {
      any |= IsMoved(arg);
      if (arg.As<ir::ConstantId>() != nullptr || arg.As<ir::PrimValue>() != nullptr) continue;
      if (!IsImage(arg)) return false;
    }
    if (!any) return false;
    std::vector<Operand> args;
    for (const Operand& arg : call.args) {
      if (arg.As<ir::PrimValue>() != nullptr) {
        args.push_back(arg);
      } else if (const auto* id = arg.As<ir::ConstantId>()) {
        const auto constant = FirstConstant(*id);
        if (!constant) return false;
        args.push_back(*constant);
      } else {
        args.push_back(First(arg));
      }
    }
    call.args = std::move(args);
    return Emit(binding, std::move(call));
  }

  ir::Module& module_;
  bool dataflow_ = false;
  std::vector<ir::Binding> out_;
  absl::flat_hash_map<ValueId, ValueId> moved_;  // emitted with channels in front only
  absl::flat_hash_map<ValueId, ValueId> first_;  // emitted both ways
};

}  // namespace

void MoveChannelsFirst(ir::Context&, ir::Module& module) {
  ForEachFunction(module, [&](ir::Function& f) { ChannelMover(module).In(f); });
}

}  // namespace lathe::transform

#include "generator/transform/reduce/reduce_sizes.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/each_body.h"
#include "generator/transform/reduce/copy_element.h"
#include "generator/transform/reduce/resize_prim_func.h"

namespace lathe::transform {
namespace {

class Resizer {
 public:
  Resizer(ir::Context& context, ir::Module& module, Resize resize)
      : context_(context), module_(module), resize_(resize) {}

  void Run() {
    ForEachFunction(module_, [&](ir::Function& f) {
      for (ir::ValueId id : f.params) {
        ir::Value& value = module_.values[id];
        value.annotation = value.info = In(value.annotation);
      }
      f.ret = nullptr;
      In(f.body);
    });
    for (int32_t i = 0; i < std::ssize(module_.globals); ++i) {
      ir::PrimFunc* func = module_.globals[ir::GlobalId{i}].prim_func();
      if (func != nullptr) changed_ |= ResizePrimFunc(context_, resize_, *func);
    }
  }

  bool changed() const { return changed_; }

 private:
  ir::PrimRef In(ir::PrimRef size) {
    const auto* imm = size->As<ir::IntImm>();
    if (imm == nullptr) return size;
    const int64_t resized = resize_(imm->value);
    if (resized == imm->value) return size;
    changed_ = true;
    return context_.Int(resized, size->dtype());
  }

  std::vector<ir::PrimRef> In(std::vector<ir::PrimRef> sizes) {
    for (ir::PrimRef& size : sizes) size = In(size);
    return sizes;
  }

  ir::StructInfoRef In(ir::StructInfoRef info) {
    if (info == nullptr) return nullptr;
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      ir::TupleInfo resized = *tuple;
      for (ir::StructInfoRef& field : resized.fields) field = In(field);
      return context_.Make(ir::StructInfo::Node(std::move(resized)));
    }
    if (const auto* tensor = info->As<ir::TensorInfo>(); tensor != nullptr && tensor->dims()) {
      ir::TensorInfo resized = *tensor;
      resized.shape = In(*tensor->dims());
      return context_.Make(ir::StructInfo::Node(std::move(resized)));
    }
    if (const auto* shape = info->As<ir::ShapeInfo>(); shape != nullptr && shape->values) {
      ir::ShapeInfo resized = *shape;
      resized.values = In(*shape->values);
      return context_.Make(ir::StructInfo::Node(std::move(resized)));
    }
    return info;
  }

  void In(ir::Operand& operand) {
    if (auto* shape = operand.As<ir::ShapeExpr>()) shape->values = In(shape->values);
    if (const auto* id = operand.As<ir::ConstantId>()) In(*id);
    if (auto* tuple = operand.As<ir::TupleExpr>()) {
      for (ir::Operand& field : tuple->fields) In(field);
    }
  }

  void In(ir::Call& call) {
    for (ir::Operand& arg : call.args) In(arg);
    for (ir::StructInfoRef& info : call.sinfo_args) info = In(info);
    // A depthwise convolution has as many groups as channels.
    const auto groups = call.attrs.find("groups");
    const auto* count = groups == call.attrs.end() ? nullptr : groups->second.As<int64_t>();
    if (count != nullptr) groups->second = resize_(*count);
  }

  void In(ir::Rhs& rhs) {
    if (auto* operand = std::get_if<ir::Operand>(&rhs)) {
      In(*operand);
    } else if (auto* call = std::get_if<ir::Call>(&rhs)) {
      In(*call);
    } else if (auto* get = std::get_if<ir::GetField>(&rhs)) {
      In(get->tuple);
    } else if (auto* cast = std::get_if<ir::MatchCast>(&rhs)) {
      In(cast->value);
      cast->info = In(cast->info);
    } else if (auto* branch = std::get_if<ir::If>(&rhs)) {
      In(branch->cond);
    }
  }

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        module_.values[binding.var].annotation = nullptr;
        In(binding.rhs);
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
      }
    }
    In(body.result);
  }

  // Keeps the first elements along each axis.
  void In(ir::ConstantId id) {
    if (!resized_.insert(id).second) return;
    ir::Constant& constant = module_.constants[id];
    std::vector<int64_t> shape = constant.shape;
    for (int64_t& size : shape) size = resize_(size);
    if (shape == constant.shape) return;
    const auto before = interp::CountElements(constant.shape);
    const auto after = interp::CountElements(shape);
    const ir::DType dtype = constant.dtype;
    if (!before || !after || constant.bytes->size() != ir::StorageBytes(dtype, *before)) return;
    std::vector<uint8_t> bytes(ir::StorageBytes(dtype, *after), 0);
    std::vector<int64_t> at(shape.size(), 0);
    for (uint64_t i = 0; i < *after; ++i) {
      uint64_t offset = 0;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        offset =
            offset * static_cast<uint64_t>(constant.shape[axis]) + static_cast<uint64_t>(at[axis]);
      }
      CopyElement(dtype, *constant.bytes, offset, bytes, i);
      for (size_t axis = shape.size(); axis-- > 0;) {
        if (++at[axis] < shape[axis]) break;
        at[axis] = 0;
      }
    }
    changed_ = true;
    constant.shape = std::move(shape);
    constant.bytes = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  }

  ir::Context& context_;
  ir::Module& module_;
  const Resize resize_;
  bool changed_ = false;
  absl::flat_hash_set<ir::ConstantId> resized_;
};

// Collects the sizes above 1 of the parameters of functions, and of the constants that they use.
class SizesOfModule {
 public:
  explicit SizesOfModule(const ir::Module& module) : module_(module) {
    ForEachFunction(module, [&](const ir::Function& f) {
      for (ir::ValueId id : f.params) In(module.values[id].annotation);
      ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
        ForEachOperand(binding.rhs, [&](const ir::Operand& operand) {
          ForEachLeaf(operand, [&](const ir::Operand& leaf) { In(leaf); });
        });
      });
      ForEachLeaf(f.body.result, [&](const ir::Operand& leaf) { In(leaf); });
    });
  }

  const std::set<int64_t, std::greater<>>& sizes() const { return sizes_; }

 private:
  void In(int64_t size) {
    if (size > 1) sizes_.insert(size);
  }

  void In(const std::vector<ir::PrimRef>& sizes) {
    for (ir::PrimRef size : sizes) {
      if (const auto* imm = size->As<ir::IntImm>()) In(imm->value);
    }
  }

  void In(ir::StructInfoRef info) {
    if (info == nullptr) return;
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      for (ir::StructInfoRef field : tuple->fields) In(field);
    }
    const auto* tensor = info->As<ir::TensorInfo>();
    if (tensor != nullptr && tensor->dims() != nullptr) In(*tensor->dims());
  }

  void In(const ir::Operand& operand) {
    if (const auto* id = operand.As<ir::ConstantId>()) {
      for (int64_t size : module_.constants[*id].shape) In(size);
    }
    if (const auto* shape = operand.As<ir::ShapeExpr>()) In(shape->values);
  }

  const ir::Module& module_;
  std::set<int64_t, std::greater<>> sizes_;
};

void DropAnnotations(ir::Module& module, ir::Function& f) {
  f.ret = nullptr;
  ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
    module.values[binding.var].annotation = nullptr;
  });
}

// The sizes that ReduceAxis tries.
constexpr int64_t kAxisSizes[] = {1, 2};

std::vector<Resize> ResizesOf(const ir::Module& module) {
  std::vector<Resize> resizes;
  const SizesOfModule found(module);
  for (int64_t from : found.sizes()) {
    std::set<int64_t> smaller = {1, 2, 3, 4, 8, 16, from / 2};
    for (int64_t to : smaller) {
      if (to < 1 || to >= from) continue;
      resizes.push_back({from, to, false});
      resizes.push_back({from, to, true});
    }
  }
  return resizes;
}

}  // namespace

Reduced ReduceSize(ir::Context& context, ir::Module& module, int place) {
  const std::vector<Resize> resizes = ResizesOf(module);
  if (place >= std::ssize(resizes)) return Reduced::kNoSuchPlace;
  Resizer resizer(context, module, resizes[static_cast<size_t>(place)]);
  resizer.Run();
  return resizer.changed() ? Reduced::kChanged : Reduced::kUnchanged;
}

Reduced ReduceAxis(ir::Context& context, ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    for (ir::ValueId id : f->params) {
      ir::Value& value = module.values[id];
      const auto* tensor =
          value.annotation == nullptr ? nullptr : value.annotation->As<ir::TensorInfo>();
      if (tensor == nullptr || tensor->dims() == nullptr) continue;
      std::vector<ir::PrimRef> dims = *tensor->dims();
      for (ir::PrimRef& dim : dims) {
        for (int64_t size : kAxisSizes) {
          if (place-- > 0) continue;
          const auto* imm = dim->As<ir::IntImm>();
          if (imm == nullptr || imm->value <= size) return Reduced::kUnchanged;
          dim = context.Int(size, dim->dtype());
          ir::TensorInfo resized = *tensor;
          resized.shape = std::move(dims);
          value.annotation = value.info = context.Make(ir::StructInfo::Node(std::move(resized)));
          DropAnnotations(module, *f);
          return Reduced::kChanged;
        }
      }
    }
  }
  return Reduced::kNoSuchPlace;
}

}  // namespace lathe::transform

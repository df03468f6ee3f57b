#include "generator/transform/kernel_builder.h"

#include <utility>

#include "generator/ir/program.h"
#include "generator/transform/legalize.h"

namespace lathe::transform {

using ir::BufferRef;

BufferRef KernelBuilder::NewBuffer(absl::string_view name, const std::vector<int64_t>& dims,
                                   ir::DType dtype, absl::string_view scope) {
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.dtype = dtype;
  buffer.scope = std::string(scope);
  for (int64_t dim : dims) buffer.shape.push_back(context_.Int(dim));
  buffer.data = context_.NewPointer(name, dtype, scope);
  return context_.NewBuffer(std::move(buffer));
}

BufferRef KernelBuilder::Parameter(absl::string_view name, const std::vector<int64_t>& dims,
                                   ir::DType dtype) {
  params_.push_back(NewBuffer(name, dims, dtype, "global"));
  if (dims.size() == 1) return params_.back();
  ir::Buffer flat = *params_.back();
  int64_t count = 1;
  for (int64_t dim : dims) count *= dim;
  flat.shape = {context_.Int(count)};
  flat_.push_back(context_.NewBuffer(std::move(flat)));
  return flat_.back();
}

BufferRef KernelBuilder::Scratch(absl::string_view name, int64_t count, ir::DType dtype) {
  allocs_.push_back(NewBuffer(name, {count}, dtype, "global"));
  return allocs_.back();
}

BufferRef KernelBuilder::Register(absl::string_view name, ir::DType dtype) {
  allocs_.push_back(NewBuffer(name, {}, dtype, ir::kRegisterScope));
  return allocs_.back();
}

ir::PrimFunc KernelBuilder::Finish() {
  ir::PrimFunc func;
  for (BufferRef buffer : params_) {
    func.params.push_back({context_.NewVar(buffer->name, ir::DType::Handle()), buffer, {}});
  }
  std::vector<ir::StmtRef> stmts;
  for (BufferRef view : flat_) {
    stmts.push_back(context_.Make(ir::Stmt::Node(ir::DeclBufferStmt{view, nullptr}), {}));
  }
  const ir::StmtRef rest = statements_.Finish();
  // One flat sequence, as readers produce.
  if (const auto* seq = rest->As<ir::SeqStmt>()) {
    stmts.insert(stmts.end(), seq->stmts.begin(), seq->stmts.end());
  } else {
    stmts.push_back(rest);
  }
  ir::BlockStmt root;
  root.name = "root";
  root.allocs = allocs_;
  root.body = stmts.size() == 1 ? stmts[0]
                                : context_.Make(ir::Stmt::Node(ir::SeqStmt{std::move(stmts)}), {});
  func.body = context_.Make(ir::Stmt::Node(std::move(root)), {});
  func.attrs[kOperatorName] = ir::AttrValue(op_name_);
  return func;
}

}  // namespace lathe::transform

#include "generator/writer/onnx/write_kernel.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "generator/nest/parse_nest.h"
#include "generator/writer/onnx/stage_writer.h"
#include "generator/writer/onnx/write_dequantize.h"

namespace lathe::onnx {

Written WriteKernel(CallWriter& w, std::string& what) {
  const auto* id = w.call().args[0].As<ir::GlobalId>();
  const ir::PrimFunc* func = id == nullptr ? nullptr : w.graph().module().globals[*id].prim_func();
  if (func == nullptr) return w.Fail("a function that is not of the module");
  const auto* name = ir::FindAttr<std::string>(func->attrs, "operator_name");
  what = absl::StrCat("R.call_tir of ",
                      name != nullptr ? *name : w.graph().module().globals[*id].name);
  const std::vector<ir::Operand> args = w.FieldsOf(1);
  const auto nest = nest::ParseNest(w.graph().ir(), *func);
  if (!nest) return w.Fail("a loop nest that is not a list of stages");
  if (!nest->rows.empty()) return w.Fail("a loop nest with rows");
  std::vector<ir::BufferRef> buffers;
  for (const ir::PrimParam& param : func->params) {
    if (param.buffer == nullptr) return w.Fail("a loop nest with scalar parameters");
    buffers.push_back(param.buffer);
  }
  std::map<ir::BufferRef, std::string> tensors;
  for (size_t i = 0; i < args.size() && i < buffers.size(); ++i) {
    tensors[buffers[i]] = w.NameOf(args[i], absl::StrCat(w.graph().hint(), ".", buffers[i]->name));
  }
  for (const nest::NestStage& stage : nest->stages) {
    const auto dequantized = WriteDequantize(w, tensors, stage);
    const std::string stored = dequantized ? *dequantized : StageWriter(w, tensors, stage).Write();
    if (w.failed()) return {};
    tensors[stage.to] = stored;
  }
  for (size_t i = args.size(); i < buffers.size(); ++i) {
    if (!tensors.contains(buffers[i])) return w.Fail("a loop nest that does not store a result");
  }
  if (w.result()->As<ir::TupleInfo>() == nullptr) return {tensors[buffers.back()], {}};
  Written out;
  for (size_t i = args.size(); i < buffers.size(); ++i) {
    out.fields.push_back({tensors[buffers[i]], {}});
  }
  return out;
}

}  // namespace lathe::onnx

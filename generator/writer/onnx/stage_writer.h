// Writes one stage of a loop nest as ONNX nodes over its whole iteration space.
#ifndef LATHE_WRITER_ONNX_STAGE_WRITER_H_
#define LATHE_WRITER_ONNX_STAGE_WRITER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generator/nest/nest.h"
#include "generator/writer/onnx/call_writer.h"

namespace lathe::onnx {

class StageWriter {
 public:
  // `tensors` has the tensors of the buffers that the stage loads.
  StageWriter(CallWriter& w, const std::map<ir::BufferRef, std::string>& tensors,
              const nest::NestStage& stage)
      : w_(w), tensors_(tensors), stage_(stage) {}

  // Returns the name of the stored tensor. A failure is recorded in the CallWriter.
  std::string Write();

 private:
  // A tensor that is broadcast to the iteration space: its last axes are the last `rank` axes of
  // the space. `varies[a]` is false where the value is equal along axis `a`.
  struct Spread {
    std::string name;
    size_t rank = 0;
    std::vector<bool> varies;
  };

  bool FindAxes();
  Spread Evaluate(ir::PrimRef e);
  Spread EvaluateIntrinsic(const ir::Intrinsic& call, ir::DType dtype);
  Spread Load(const ir::Load& load);
  Spread Node(absl::string_view op, const std::vector<Spread>& inputs,
              std::vector<Attribute> attributes = {});
  Spread Binary(ir::BinaryOp op, const Spread& a, const Spread& b, ir::DType dtype);
  Spread Reduce();
  std::string Filled(const Spread& value, size_t axes);
  Spread Fail(absl::string_view reason);

  CallWriter& w_;
  const std::map<ir::BufferRef, std::string>& tensors_;
  const nest::NestStage& stage_;
  std::vector<nest::NestAxis> axes_;  // as in the stored tensor, then the reduced ones
  std::map<ir::PrimRef, Spread> bound_;
  std::string reduced_;  // the value of the accumulator after the reduction
};

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_STAGE_WRITER_H_

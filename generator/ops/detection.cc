// Infers the operators of object detectors: multibox_transform_loc, get_valid_counts,
// non_max_suppression, all_class_non_max_suppression.
#include <string>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/support/status.h"

namespace lathe::ops {

using Dims = std::vector<PrimRef>;

namespace {

absl::Status NeedEqual(InferContext& c, const Call& call, int i, PrimRef wanted, PrimRef got,
                       absl::string_view what) {
  if (c.CanEqual(wanted, got)) return absl::OkStatus();
  return c.Error("op-argument-shape") << what << " of " << DescribeArg(c, call, i) << " must be "
                                      << ToString(wanted) << ", got " << ToString(got);
}

// Checks a column index of the boxes; -1 means none where allowed.
absl::Status NeedColumn(InferContext& c, const Call& call, const char* name, int64_t least,
                        int64_t width, const Dims* data) {
  LATHE_ASSIGN_OR_RETURN(const int64_t column, NeedInt(c, call, name));
  // A sanity bound for boxes of unknown width.
  constexpr int64_t kLimit = 1 << 20;
  if (column < least || column > kLimit) {
    return c.Error("op-attribute") << "'" << name << "' of " << SurfaceName(call) << " is "
                                   << column << ", which is not a column of a box";
  }
  if (data == nullptr || c.CanBeAtMost(c.ir().Int(column + width), (*data)[2])) {
    return absl::OkStatus();
  }
  return c.Error("op-attribute") << "'" << name << "' of " << SurfaceName(call) << " is " << column
                                 << ", but a box has " << ToString((*data)[2]) << " numbers";
}

// Checks for a tensor of rank 0 or of one element.
absl::Status NeedOneNumber(InferContext& c, const Call& call, int i) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, i));
  if (x->ndim == ir::kUnknownRank || x->ndim == 0) return absl::OkStatus();
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x, 1));
  if (x->dims() == nullptr) return absl::OkStatus();
  return NeedEqual(c, call, i, c.ir().Int(1), x->dims()->front(), "dimension 0");
}

}  // namespace

Result InferMultiboxTransformLoc(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  const int ranks[] = {3, 2, 3};
  for (int i = 0; i < 3; ++i) LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x[i], ranks[i]));
  LATHE_RETURN_IF_ERROR(SameDType(c, call, x).status());
  LATHE_RETURN_IF_ERROR(NeedFloats(c, call, "variances", 4));
  const Dims *classes = x[0]->dims(), *places = x[1]->dims(), *anchors = x[2]->dims();
  ScalarMath m(c.ir());
  if (places != nullptr) {
    LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 1, m.Int(0), m.FloorMod((*places)[1], m.Int(4)),
                                    "the remainder by 4 of dimension 1"));
  }
  if (anchors != nullptr) {
    LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 2, m.Int(1), (*anchors)[0], "dimension 0"));
    LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 2, m.Int(4), (*anchors)[2], "dimension 2"));
  }
  if (classes == nullptr) {
    StructInfoRef cube = c.ir().Tensor(3, x[0]->dtype, x[0]->vdevice);
    return c.ir().Tuple({cube, cube});
  }
  const PrimRef batch = (*classes)[0], count = (*classes)[2];
  if (places != nullptr) {
    LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 1, batch, (*places)[0], "dimension 0"));
    LATHE_RETURN_IF_ERROR(
        NeedEqual(c, call, 1, m.Mul(count, m.Int(4)), (*places)[1], "dimension 1"));
  }
  if (anchors != nullptr) {
    LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 2, count, (*anchors)[1], "dimension 1"));
  }
  return c.ir().Tuple({c.ir().Tensor(Dims{batch, count, m.Int(4)}, x[0]->dtype, x[0]->vdevice),
                       c.ir().Tensor(*classes, x[0]->dtype, x[0]->vdevice)});
}

Result InferValidCounts(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, 3));
  const Dims* data = x->dims();
  LATHE_RETURN_IF_ERROR(NeedColumn(c, call, "score_index", 0, 1, data));
  LATHE_RETURN_IF_ERROR(NeedColumn(c, call, "id_index", -1, 1, data));
  const DType i32 = DType::Int(32);
  if (data == nullptr) {
    return c.ir().Tuple({c.ir().Tensor(1, i32, x->vdevice), c.ir().Tensor(3, x->dtype, x->vdevice),
                         c.ir().Tensor(2, i32, x->vdevice)});
  }
  return c.ir().Tuple({c.ir().Tensor(Dims{(*data)[0]}, i32, x->vdevice),
                       c.ir().Tensor(*data, x->dtype, x->vdevice),
                       c.ir().Tensor(Dims{(*data)[0], (*data)[1]}, i32, x->vdevice)});
}

Result InferNonMaxSuppression(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  const int ranks[] = {3, 1, 2};
  for (int i = 0; i < 3; ++i) LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x[i], ranks[i]));
  const DType i32 = DType::Int(32);
  for (int i : {1, 2}) {
    if (x[i]->dtype.is_void() || x[i]->dtype == i32) continue;
    return c.Error("op-argument-dtype")
           << DescribeArg(c, call, i) << " must be of int32, got " << ToString(x[i]->dtype);
  }
  const Dims* data = x[0]->dims();
  if (data != nullptr && x[1]->dims() != nullptr) {
    LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 1, (*data)[0], x[1]->dims()->front(), "dimension 0"));
  }
  for (int i = 0; data != nullptr && x[2]->dims() != nullptr && i < 2; ++i) {
    LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 2, (*data)[i], (*x[2]->dims())[i],
                                    i == 0 ? "dimension 0" : "dimension 1"));
  }
  LATHE_RETURN_IF_ERROR(NeedColumn(c, call, "score_index", 0, 1, data));
  LATHE_RETURN_IF_ERROR(NeedColumn(c, call, "coord_start", 0, 4, data));
  LATHE_RETURN_IF_ERROR(NeedColumn(c, call, "id_index", -1, 1, data));
  const bool known = data != nullptr;
  ir::VDeviceRef device = x[0]->vdevice;
  StructInfoRef boxes =
      known ? c.ir().Tensor(*data, x[0]->dtype, device) : c.ir().Tensor(3, x[0]->dtype, device);
  if (!FindBool(call, "return_indices")) return boxes;
  StructInfoRef unknown = c.ir().Tensor(2, i32, device);
  StructInfoRef kept = known ? c.ir().Tensor(Dims{(*data)[0], (*data)[1]}, i32, device) : unknown;
  StructInfoRef counts =
      known ? c.ir().Tensor(Dims{(*data)[0], c.ir().Int(1)}, i32, device) : unknown;
  if (FindFloat(call, "soft_nms_sigma").value_or(0) > 0) return c.ir().Tuple({boxes, kept, counts});
  return c.ir().Tuple({kept, counts});
}

// Shapes are for the maximum number of boxes; the counts give the actual number.
Result InferAllClassSuppression(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* boxes, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* scores, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *boxes, 3));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *scores, 3));
  for (int i = 2; i < static_cast<int>(call.args.size()); ++i) {
    LATHE_RETURN_IF_ERROR(NeedOneNumber(c, call, i));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string format,
                         NeedOneOf(c, call, "output_format", {"onnx", "tensorflow"}));
  const bool onnx = format == "onnx";
  const DType i64 = DType::Int(64);
  ir::VDeviceRef device = boxes->vdevice;
  const PrimRef one = c.ir().Int(1);
  if (boxes->dims() == nullptr || scores->dims() == nullptr) {
    if (onnx) {
      return c.ir().Tuple({c.ir().Tensor(2, i64, device), c.ir().Tensor(Dims{one}, i64, device)});
    }
    return c.ir().Tuple({c.ir().Tensor(3, i64, device), c.ir().Tensor(2, DType::Float(32), device),
                         c.ir().Tensor(1, i64, device)});
  }
  const Dims &box = *boxes->dims(), &score = *scores->dims();
  LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 0, c.ir().Int(4), box[2], "dimension 2"));
  LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 1, box[0], score[0], "dimension 0"));
  LATHE_RETURN_IF_ERROR(NeedEqual(c, call, 1, box[1], score[2], "dimension 2"));
  const PrimRef batch = (*boxes->dims())[0];
  const PrimRef each = Product(c, {(*scores->dims())[1], (*boxes->dims())[1]});
  if (onnx) {
    return c.ir().Tuple({c.ir().Tensor(Dims{Product(c, {batch, each}), c.ir().Int(3)}, i64, device),
                         c.ir().Tensor(Dims{one}, i64, device)});
  }
  return c.ir().Tuple({c.ir().Tensor(Dims{batch, each, c.ir().Int(2)}, i64, device),
                       c.ir().Tensor(Dims{batch, each}, DType::Float(32), device),
                       c.ir().Tensor(Dims{batch}, i64, device)});
}

}  // namespace lathe::ops

// Rows of operators on images and boxes. Coordinates are finite and small.
#include "absl/strings/match.h"
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

// Numbers of 0 to 1, whatever went in.
Operand UnitPlace(Sketch& s, DType dtype, const Dims& dims) {
  const Operand x = s.Like(dtype, dims);
  const Operand zero = s.Constant(dtype, {}, {0});
  const Operand finite = s.Op("relax.isfinite", {x});
  return s.Op("relax.sigmoid", {s.Op("relax.where", {finite, x, zero})});
}

Dims Picture(Sketch& s, int spatial) {
  Dims dims = {s.Dim(), s.Dim()};
  for (int i = 0; i < spatial; ++i) dims.push_back(s.Int(s.Size(2, 4)));
  return dims;
}

void AffineGrid(Sketch& s, const std::string& op) {
  const DType dtype = DType::Float(32);
  s.Op(op, {s.Like(dtype, {s.Dim(), s.Int(2), s.Int(3)}), s.builder.Shape({s.Int(2), s.Int(3)})},
       {{"align_corners", AttrValue(s.dice.Percent(50))}});
}

void GridSample(Sketch& s, const std::string& op) {
  const DType dtype = DType::Float(32);
  const Dims dims = Picture(s, 2);
  s.Op(op, {s.Like(dtype, dims), UnitPlace(s, dtype, {dims[0], s.Int(2), s.Int(2), s.Int(3)})},
       {{"method", AttrValue(s.dice.Of({"bilinear", "nearest", "bicubic"}))},
        {"padding_mode", AttrValue(s.dice.Of({"zeros", "border", "reflection"}))},
        {"align_corners", AttrValue(s.dice.Percent(50))}});
}

void Resize(Sketch& s, const std::string& op) {
  const int n = absl::StrContains(op, "3d") ? 3 : 2;
  Dims size;
  for (int i = 0; i < n; ++i) size.push_back(s.Int(s.Size(1, n == 3 ? 3 : 5)));
  const std::string method = s.dice.Of({"nearest_neighbor", "linear", n == 2 ? "cubic" : "linear"});
  const std::string mode =
      s.dice.Of({"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"});
  AttrMap attrs = {{"method", AttrValue(method)},
                   {"coordinate_transformation_mode", AttrValue(mode)}};
  if (n == 2) attrs["rounding_method"] = AttrValue(s.dice.Of({"round", "floor", "ceil"}));
  s.Op(op, {s.Like(s.SomeDType(Kind::kFloat), Picture(s, n)), s.builder.Shape(size)}, attrs);
}

void Regions(Sketch& s, const std::string& op) {
  const DType dtype = DType::Float(32);
  const Operand rois = s.Constant(dtype, {2, 5}, {0, 0, 0, 2, 2, 0, 0.5, 0, 1.5, 3});
  AttrMap attrs = {{"pooled_size", Ints({2, s.dice.Between(1, 2)})},
                   {"spatial_scale", AttrValue(s.dice.Of({0.5, 1.0}))}};
  if (op == "relax.vision.roi_align") {
    attrs["sample_ratio"] = AttrValue(s.dice.Of({-1, 1, 2}));
    attrs["aligned"] = AttrValue(s.dice.Percent(50));
    attrs["mode"] = AttrValue(s.dice.Of({"avg", "max"}));
  }
  s.Op(op, {s.Like(dtype, Picture(s, 2)), rois}, attrs);
}

void Boxes(Sketch& s, const std::string& op) {
  const DType dtype = DType::Float(32);
  const PrimRef batch = s.Dim();
  const int64_t boxes = s.Size(1, 3);
  const Operand all = s.Op(op,
                           {UnitPlace(s, dtype, {batch, s.Int(s.dice.Between(2, 3)), s.Int(boxes)}),
                            UnitPlace(s, dtype, {batch, s.Int(4 * boxes)}),
                            UnitPlace(s, dtype, {s.Int(1), s.Int(boxes), s.Int(4)})},
                           {{"clip", AttrValue(s.dice.Percent(50))},
                            {"threshold", AttrValue(0.25)},
                            {"variances", AttrValue(ir::AttrList{0.5, 0.5, 0.25, 0.25})},
                            {"keep_background", AttrValue(s.dice.Percent(50))}});
  s.Keep(s.builder.Field(all, static_cast<int>(s.dice.Below(2))));
}

void ValidCounts(Sketch& s, const std::string& op) {
  const Operand data = UnitPlace(s, DType::Float(32), {s.Dim(), s.Dim(), s.Int(6)});
  const Operand all = s.Op(op, {data}, {{"score_threshold", AttrValue(0.5)}});
  s.Keep(s.builder.Field(all, static_cast<int>(s.dice.Below(3))));
}

void Suppression(Sketch& s, const std::string& op) {
  const Operand data = UnitPlace(s, DType::Float(32), {s.Dim(), s.Dim(), s.Int(6)});
  const Operand valid =
      s.Op("relax.vision.get_valid_counts", {data}, {{"score_threshold", AttrValue(0.5)}});
  const bool positions = s.dice.Percent(50);
  const Operand kept =
      s.Op(op, {s.builder.Field(valid, 1), s.builder.Field(valid, 0), s.builder.Field(valid, 2)},
           {{"return_indices", AttrValue(positions)},
            {"iou_threshold", AttrValue(0.25)},
            {"top_k", AttrValue(s.dice.Of({-1, 2}))},
            {"max_output_size", AttrValue(s.dice.Of({-1, 1}))},
            {"force_suppress", AttrValue(s.dice.Percent(50))},
            {"invalid_to_bottom", AttrValue(s.dice.Percent(50))}});
  s.Keep(positions ? s.builder.Field(kept, static_cast<int>(s.dice.Below(2))) : kept);
}

void SuppressionOfAllClasses(Sketch& s, const std::string& op) {
  const DType dtype = DType::Float(32);
  const PrimRef batch = s.Int(s.dice.Between(1, 2)), boxes = s.Int(s.Size(2, 3));
  const Operand kept =
      s.Op(op, {UnitPlace(s, dtype, {batch, boxes, s.Int(4)}),
                UnitPlace(s, dtype, {batch, s.Int(2), boxes}), s.Constant(DType::Int(64), {}, {2}),
                s.Constant(dtype, {}, {0.5}), s.Constant(dtype, {}, {0.25})});
  s.Keep(s.builder.Field(kept, static_cast<int>(s.dice.Below(2))));
}

constexpr OpRow kImageRows[] = {
    {"relax.image.affine_grid", AffineGrid},
    {"relax.image.grid_sample", GridSample},
    {"relax.image.resize2d", Resize},
    {"relax.image.resize3d", Resize},
    {"relax.vision.all_class_non_max_suppression", SuppressionOfAllClasses},
    {"relax.vision.get_valid_counts", ValidCounts},
    {"relax.vision.multibox_transform_loc", Boxes},
    {"relax.vision.non_max_suppression", Suppression},
    {"relax.vision.roi_align", Regions},
    {"relax.vision.roi_pool", Regions},
};

}  // namespace

absl::Span<const OpRow> ImageRows() { return kImageRows; }

}  // namespace lathe::random

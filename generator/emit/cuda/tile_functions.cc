#include "generator/emit/cuda/tile_functions.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/ir/packed_elements.h"
#include "generator/ir/program.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/product_factor.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {

using ir::GridAxis;
using ir::PrimRef;

std::string SumType(ir::DType dtype) {
  if (dtype.is_floating()) return std::string(CScalarType(dtype));
  return absl::StrCat("uint", int{dtype.bits}, "_t");
}

absl::StatusOr<std::string> TileFunctions::Count(const std::vector<GridAxis>& axes) {
  const PrimRef count = CountOf(scope_, axes);
  if (!scope_.wide && analysis::BoundsOf(scope_.ir, count, scope_.ranges).hi > kMaxNarrow) {
    scope_.must_be_wide = true;
  }
  LATHE_ASSIGN_OR_RETURN(const CText text, PrintCIndexValue(scope_, count));
  return text.In(kProduct + 1);
}

std::string TileFunctions::NameOf(const GridAxis& axis) {
  BoundAxis(scope_, axis);
  const auto known = scope_.vars.find(axis.var);
  const std::string name =
      known == scope_.vars.end() ? UniqueName(ir::ToString(axis.var)) : known->second.name;
  NameAxis(scope_, axis, name);
  return name;
}

absl::StatusOr<std::string> TileFunctions::Delinearize(const std::vector<GridAxis>& axes,
                                                       const std::string& linear) {
  LineWriter lines(2);
  if (axes.size() == 1) {
    NameAxis(scope_, axes[0], UniqueName(ir::ToString(axes[0].var)));
    lines.Line("const ", index(), " ", scope_.vars.at(axes[0].var).name, " = ", linear, ";");
  } else {
    LATHE_RETURN_IF_ERROR(PrintAxes(scope_, axes, linear, lines));
  }
  return std::string(absl::StripSuffix(lines.text(), "\n"));
}

absl::StatusOr<LinearAxes> TileFunctions::AsParameter(const std::vector<GridAxis>& axes,
                                                      const char* name) {
  if (axes.size() == 1) return LinearAxes{NameOf(axes[0]), ""};
  LinearAxes linear{UniqueName(name), ""};
  for (const GridAxis& axis : axes) (void)NameOf(axis);
  LineWriter lines(2);
  LATHE_RETURN_IF_ERROR(PrintAxes(scope_, axes, linear.name, lines));
  linear.declarations = lines.Take();
  return linear;
}

std::string TileFunctions::Param(const std::string& type, const std::string& name,
                                 const std::string& body) {
  return MentionsName(body, name) ? absl::StrCat(type, " ", name) : type;
}

std::string TileFunctions::Needed(const std::string& head, std::string body) {
  std::vector<std::string> lines = absl::StrSplit(head, '\n', absl::SkipEmpty());
  for (size_t i = lines.size(); i-- > 0;) {
    const std::vector<std::string> words = absl::StrSplit(lines[i], ' ');
    if (MentionsName(body, words[2])) body = absl::StrCat(lines[i], "\n", body);
  }
  return body;
}

absl::StatusOr<std::string> TileFunctions::Number(PrimRef value) {
  LATHE_ASSIGN_OR_RETURN(const CText number, PrintCNumber(scope_, value));
  return number.text;
}

// Returns `value` in its stored form, without conversion: an element, or zero in the padding.
absl::StatusOr<std::string> TileFunctions::Stored(PrimRef value) {
  const auto* choice = value->As<ir::Intrinsic>();
  const bool bordered = choice != nullptr && choice->name == "if_then_else" &&
                        choice->args.size() == 3 && nest::IsNumber(choice->args[2], 0);
  const auto* load = (bordered ? choice->args[1] : value)->As<ir::Load>();
  if (load != nullptr && load->predicate == nullptr && !ir::IsPacked(load->buffer->dtype) &&
      !scope_.locals.contains(load->buffer)) {
    LATHE_ASSIGN_OR_RETURN(const std::string element,
                           PrintCElement(scope_, load->buffer, load->indices));
    if (!bordered) return element;
    LATHE_ASSIGN_OR_RETURN(const CText inside, PrintCTruth(scope_, choice->args[0]));
    return absl::StrCat(inside.In(kTernary + 1), " ? ", element, " : (", CType(value->dtype()),
                        ")0");
  }
  LATHE_ASSIGN_OR_RETURN(const CText number, PrintCNumber(scope_, value));
  const std::string put = WriteElement(scope_.needs, value->dtype(), {"code", "", true}, number);
  return std::string(absl::StripSuffix(absl::StripPrefix(put, "code = "), ";"));
}

std::string TileFunctions::Function(const std::vector<LinearAxes>& params,
                                    const std::string& result, const std::string& more) const {
  std::string head;
  for (const LinearAxes& param : params) head += param.declarations;
  const std::string body = Needed(head, absl::StrCat("return ", result, ";"));
  std::string all = absl::StrJoin(params, ", ", [&](std::string* out, const LinearAxes& param) {
    absl::StrAppend(out, Param(index(), param.name, body));
  });
  if (!more.empty()) absl::StrAppend(&all, ", ", more);
  const std::vector<std::string> lines = absl::StrSplit(body, '\n');
  if (lines.size() == 1) return absl::StrCat("[=](", all, ") { ", body, " }");
  return absl::StrCat("[=](", all, ") {\n  ", absl::StrJoin(lines, "\n  "), "\n}");
}

absl::StatusOr<std::vector<std::string>> TileFunctions::HostCounts(
    const ir::TiledProduct& product) const {
  CScope host = scope_;
  host.sizes.clear();  // variables that only the kernel declares
  std::vector<std::string> counts;
  for (const auto* axes : {&product.batch, &product.rows, &product.columns}) {
    LATHE_ASSIGN_OR_RETURN(const CText count, PrintCIndexValue(host, CountOf(host, *axes)));
    counts.push_back(count.In(kProduct + 1));
  }
  return counts;
}

std::string TileFunctions::Tiles(const std::vector<std::string>& counts, int64_t rows,
                                 int64_t columns) {
  return absl::StrCat("lathe_tiles(", counts[0], ", ", counts[1], ", ", rows, ", ", counts[2], ", ",
                      columns, ")");
}

absl::StatusOr<TileFunctions::Depth> TileFunctions::DepthOf(const ir::TiledProduct& product,
                                                            const std::string& count) {
  const std::string as = absl::StrCat("(", index(), ")");
  if (!product.part) return Depth{"", as + "0", as + count};
  Depth depth;
  depth.first = UniqueName("first");
  depth.line =
      absl::StrCat("const ", index(), " ", depth.first, " = ",
                   scope_.vars.at(product.part->part).name, " * ", product.part->each, ";");
  depth.end = absl::StrCat(depth.first, " + ", product.part->each);
  const auto steps = nest::Number(CountOf(scope_, product.depth));
  if (!steps || *steps % product.part->each != 0) {
    depth.end = absl::StrCat(depth.end, " < ", count, " ? ", depth.end, " : ", count);
  }
  return depth;
}

absl::StatusOr<std::string> TileFunctions::Factor(const ir::ProductFactor& factor,
                                                  const char* line_name, const char* depth_name) {
  LATHE_ASSIGN_OR_RETURN(const LinearAxes line, AsParameter(factor.lines, line_name));
  LATHE_ASSIGN_OR_RETURN(const LinearAxes k, AsParameter(factor.depth, depth_name));
  const std::string along = factor.along_depth ? "along_depth" : "along_lines";
  if (factor.element == nullptr) {
    LATHE_ASSIGN_OR_RETURN(const std::string value,
                           cores_ ? Stored(factor.value) : Number(factor.value));
    return absl::StrCat("lathe_elements_", along, "(", Function({line, k}, value), ")");
  }
  const auto* load = factor.element->As<ir::Load>();
  LATHE_ASSIGN_OR_RETURN(std::string address, PrintCAddress(scope_, load->buffer, load->indices));
  if (factor.inside != nullptr) {
    LATHE_ASSIGN_OR_RETURN(const CText inside, PrintCTruth(scope_, factor.inside));
    address = absl::StrCat(inside.In(kTernary + 1), " ? ", address, " : nullptr");
  }
  ir::Buffer one;
  one.name = "element";
  one.dtype = load->buffer->dtype;
  one.scope = ir::kRegisterScope;
  one.data = scope_.ir.NewPointer(one.name, one.dtype, "local");
  const ir::BufferRef element = scope_.ir.NewBuffer(std::move(one));
  scope_.locals.insert(element);
  scope_.buffers[element] = "element";
  nest::RewriteScalar rewrite(scope_.ir);
  rewrite.ReplaceLoads(load->buffer, scope_.ir.MakeLoad(element, {}));
  const PrimRef whole = factor.inside == nullptr ? factor.value : schedule::ValueInside(factor);
  LATHE_ASSIGN_OR_RETURN(std::string value, PrintCExpr(scope_, rewrite(whole)));
  if (cores_) value = "element";
  std::string aligned;
  if (factor.alignment && cores_) {
    LATHE_ASSIGN_OR_RETURN(aligned, AlignmentCheck(*factor.alignment));
    if (factor.inside != nullptr) aligned = absl::StrCat("lathe_aligned_or_zeros{", aligned, "}");
    aligned = absl::StrCat(",\n    ", aligned);
  }
  return absl::StrCat("lathe_contiguous_", along, "<", CType(load->buffer->dtype), ">(\n    ",
                      absl::StrReplaceAll(Function({line, k}, address), {{"\n", "\n    "}}),
                      ",\n    [](", CType(load->buffer->dtype), " element) { return ", value, "; }",
                      aligned, ")");
}

absl::StatusOr<std::string> TileFunctions::AlignmentCheck(const ir::VectorAlignment& places) const {
  std::string steps;
  for (PrimRef step : places.steps) {
    LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCIndex(scope_, step));
    absl::StrAppend(&steps, ", ", text);
  }
  return absl::StrCat("lathe_runs_are_aligned(", scope_.buffers.at(places.buffer), steps, ")");
}

TileFunctions::SumParameter TileFunctions::DeclareSum(ir::BufferRef sum, ir::DType exact) {
  const std::string name = UniqueName(sum->name);
  scope_.locals.insert(sum);
  scope_.buffers[sum] = name;
  const std::string type(CLocalType(sum->dtype));
  if (SmallFloatName(sum->dtype).empty()) return {type, name, ""};
  const std::string given = UniqueName("exact");
  const std::string rounded =
      WriteElement(scope_.needs, sum->dtype, {name, "", true}, CText{given});
  return {SumType(exact), given, absl::StrCat("const ", type, " ", rounded, "\n")};
}

}  // namespace lathe::emit

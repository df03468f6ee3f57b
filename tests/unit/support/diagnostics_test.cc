#include "generator/support/diagnostics.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe {
namespace {

TEST(DiagnosticsTest, RendersPlaceCaretNotesAndHelp) {
  const SourceFile file("m.py", "x: int\ny = R.add(x)\n");
  Diagnostics diags;
  const absl::Status status =
      diags.Error(TextSpan{&file, 11, 19}, "wrong-arity").Note(TextSpan{&file, 0, 1}, "bound here")
      << "expected " << 2;
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  ASSERT_EQ(diags.error_count(), 1);
  EXPECT_EQ(Render(diags.all()[0]),
            "m.py:2:5: error: expected 2 [wrong-arity]\n"
            "  y = R.add(x)\n"
            "      ^~~~~~~~\n"
            "m.py:1:1: note: bound here\n"
            "  x: int\n"
            "  ^");
}

TEST(DiagnosticsTest, NamesTheNodeOfABinaryModel) {
  Diagnostics diags;
  diags.Unsupported(std::make_shared<ModelNode>(ModelNode{"net.onnx", "conv1", "Conv", 12}),
                    "unsupported-attribute")
      << "auto_pad=SAME_LOWER";
  EXPECT_EQ(Render(diags.all()[0]),
            "net.onnx: node 'conv1' (Conv, #12): error: auto_pad=SAME_LOWER "
            "[unsupported-attribute]");
}

TEST(DiagnosticsTest, WarningIsNotAnError) {
  Diagnostics diags;
  diags.Warning({}, "shape-unproven") << "cannot prove n == m";
  EXPECT_FALSE(diags.has_errors());
  EXPECT_EQ(diags.all().size(), 1u);
}

TEST(DiagnosticsTest, PlacesShortenNamesOfNodes) {
  const std::string name(1 << 20, 'n'), op(1 << 20, 'o');
  const Location loc = std::make_shared<const ModelNode>(ModelNode{"m.onnx", name, op, 3});
  const std::string place = RenderPlace(loc);
  EXPECT_LT(place.size(), 2200u);
  EXPECT_THAT(place, ::testing::StartsWith("m.onnx: node 'nnn"));
  EXPECT_THAT(place, ::testing::EndsWith("ooo, #3): "));
}

}  // namespace
}  // namespace lathe

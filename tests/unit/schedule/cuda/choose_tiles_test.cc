// Which tiles products get: large ones where they fill a GPU, none that stays half empty, and for
// dynamic sizes one for each kind of size.
#include "generator/schedule/cuda/choose_tiles.h"

#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/ir/context.h"
#include "gtest/gtest.h"

namespace lathe::schedule {
namespace {

class ChooseTilesTest : public ::testing::Test {
 protected:
  ir::PrimRef Size(int64_t size) { return ir_.Int(size); }

  ir::TiledProduct Product(ir::PrimRef rows, ir::PrimRef columns, ir::PrimRef depth) {
    ir::TiledProduct product;
    for (auto [axes, extent] :
         {std::pair(&product.rows, rows), std::pair(&product.columns, columns),
          std::pair(&product.depth, depth)}) {
      axes->push_back({ir_.NewVar("i"), ir_.Int(0), extent});
    }
    product.sum_dtype = ir::DType::Float(32);
    return product;
  }

  // "128x64" for each, with what they are taken for.
  static std::string Chosen(const ir::TiledProduct& product, const std::string& gpus) {
    std::string text;
    for (const ir::TileChoice& choice : ChooseTiles(product, *ReadGpus(gpus))) {
      absl::StrAppend(&text, text.empty() ? "" : " ", choice.shape.rows, "x", choice.shape.columns);
      if (choice.at_least > 0) absl::StrAppend(&text, ">=", choice.at_least);
    }
    return text;
  }

  // Of float16, "128x256" for each tile by groups of warps.
  static std::string Groups(ir::TiledProduct& product, const std::string& gpus) {
    product.cores = ir::DType::Float(16);
    product.tiles = ChooseTiles(product, *ReadGpus(gpus));
    std::string text;
    for (const ir::GroupTile& tile : ChooseGroupTiles(product, *ReadGpus(gpus))) {
      absl::StrAppend(&text, text.empty() ? "" : " ", tile.rows, "x", tile.columns);
      if (tile.at_least > 0) absl::StrAppend(&text, ">=", tile.at_least);
    }
    return text;
  }

  ir::Context ir_;
};

TEST_F(ChooseTilesTest, LargeProductsGetLargeTiles) {
  ir::TiledProduct product = Product(Size(4096), Size(4096), Size(4096));
  for (const char* gpu : {"cuda:sm_80", "cuda:sm_90a", "cuda:sm_120", "cuda:sm_80,sm_120"}) {
    EXPECT_EQ(Chosen(product, gpu), "128x128") << gpu;
  }
  product.cores = ir::DType::Float(16);
  EXPECT_EQ(Chosen(product, "cuda:sm_80"), "128x128");
  EXPECT_EQ(Chosen(product, "cuda:sm_90a"), "128x128");
}

TEST_F(ChooseTilesTest, SmallProductsAreSpreadOverTheGpu) {
  EXPECT_EQ(Chosen(Product(Size(512), Size(512), Size(512)), "cuda:sm_90a"), "64x64");
  ir::TiledProduct product = Product(Size(512), Size(512), Size(512));
  product.cores = ir::DType::Float(16);
  EXPECT_EQ(Chosen(product, "cuda:sm_90a"), "32x32");
}

TEST_F(ChooseTilesTest, NoTileStaysHalfEmpty) {
  const ir::TiledProduct few = Product(Size(16), Size(4096), Size(4096));
  EXPECT_EQ(ChooseTiles(few, *ReadGpus("cuda:sm_80"))[0].shape.rows, 32);
  const ir::TiledProduct narrow = Product(Size(4096), Size(60), Size(64));
  EXPECT_LE(ChooseTiles(narrow, *ReadGpus("cuda:sm_80"))[0].shape.columns, 64);
}

TEST_F(ChooseTilesTest, DynamicSizesHaveAListOfTiles) {
  const ir::PrimRef n = ir_.NewVar("n");
  EXPECT_EQ(Chosen(Product(n, n, Size(64)), "cuda:sm_80"), "128x128>=108 64x64>=108 32x32");
  EXPECT_EQ(Chosen(Product(n, Size(40), n), "cuda:sm_80,sm_90a"), "128x64>=132 64x64>=132 32x32");
  EXPECT_EQ(Chosen(Product(Size(20), n, n), "cuda:sm_80"), "32x128>=108 32x64>=108 32x32");
}

// By groups of warps: where they are faster, on GPUs that have them.
TEST_F(ChooseTilesTest, GroupsOfWarpsServeLargeProducts) {
  ir::TiledProduct large = Product(Size(4096), Size(4096), Size(4096));
  EXPECT_EQ(Groups(large, "cuda:sm_90a"), "128x256");
  EXPECT_EQ(Groups(large, "cuda:sm_80,sm_90a"), "128x256");
  EXPECT_EQ(Groups(large, "cuda:sm_80,sm_120"), "");
  ir::TiledProduct narrow = Product(Size(16384), Size(60), Size(512));
  EXPECT_EQ(Groups(narrow, "cuda:sm_90a"), "128x64");
}

TEST_F(ChooseTilesTest, GroupsOfWarpsLeaveSmallProductsAlone) {
  for (const auto& [rows, columns, depth] :
       {std::array{128, 128, 128}, std::array{64, 16384, 4096}, std::array{4096, 4096, 32},
        std::array{16384, 32, 4096}}) {
    ir::TiledProduct product = Product(Size(rows), Size(columns), Size(depth));
    EXPECT_EQ(Groups(product, "cuda:sm_90a"), "") << rows << " " << columns << " " << depth;
  }
}

TEST_F(ChooseTilesTest, GroupsOfWarpsAskForEnoughTiles) {
  const ir::PrimRef n = ir_.NewVar("n");
  ir::TiledProduct product = Product(n, n, n);
  EXPECT_EQ(Groups(product, "cuda:sm_90a"), "128x256>=132 128x128>=66");
  ir::TiledProduct narrow = Product(n, Size(64), n);
  EXPECT_EQ(Groups(narrow, "cuda:sm_90a"), "128x64>=66");
}

// Sums of 64 bits take two registers each.
TEST_F(ChooseTilesTest, WideSumsAreFewer) {
  const ir::PrimRef n = ir_.NewVar("n");
  for (ir::PrimRef rows : {n, Size(4096)}) {
    ir::TiledProduct product = Product(rows, Size(4096), Size(4096));
    product.sum_dtype = ir::DType::Float(64);
    for (const ir::TileChoice& choice : ChooseTiles(product, *ReadGpus("cuda:sm_80"))) {
      EXPECT_LE(choice.shape.each_row * choice.shape.each_column, 16);
    }
  }
}

}  // namespace
}  // namespace lathe::schedule

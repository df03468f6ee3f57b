#include "generator/reader/relax_text/elaboration/metadata.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::relax_text {
namespace {

using testing::DifferenceOf;
using testing::ProblemsOf;

// A tensor of int64, [1, 2, 3], as TVM saves it.
constexpr char kTensor[] =
    "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAABAAQADAAAAAAAAABgAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAA"
    "AAAA";

std::string FfiJson(const std::string& tensor) {
  return R"({"root_index": 5, "nodes": [{"type": "ffi.String", "data": "relax.expr.Constant"},
    {"type": "None"}, {"type": "ffi.Tensor", "data": ")" +
         tensor + R"("},
    {"type": "relax.expr.Constant", "data": {"span": 1, "ty": 1, "data": 2}},
    {"type": "ffi.Array", "data": [3]}, {"type": "ffi.Map", "data": [0, 4]}],
    "metadata": {"tvm_version": "0.26.0"}})";
}

std::string ClassicJson(const std::string& tensor) {
  return R"({"root": 1, "nodes": [{"type_key": ""},
    {"type_key": "Map", "keys": ["relax.expr.Constant"], "data": [2]},
    {"type_key": "Array", "data": [3]},
    {"type_key": "relax.expr.Constant", "attrs": {"_checked_type_": "0", "data": "0", "span": "0"}}],
    "b64ndarrays": [")" +
         tensor + R"("], "attrs": {"tvm_version": "0.18.0"}})";
}

std::string Program(const std::string& json, const std::string& value) {
  const std::string metadata =
      json.empty() ? "" : "metadata = tvm.ir.load_json(\"\"\"" + json + "\"\"\")\n";
  return metadata + "@R.function\ndef f():\n    return " + value + "\n";
}

TEST(MetadataTest, BothFormsHoldConstants) {
  const std::string written = Program("", "R.const([1, 2, 3], \"int64\")");
  const std::string referred = "metadata[\"relax.expr.Constant\"][0]";
  EXPECT_EQ(DifferenceOf(written, Program(FfiJson(kTensor), referred)), "");
  EXPECT_EQ(DifferenceOf(written, Program(ClassicJson(kTensor), referred)), "");
}

TEST(MetadataTest, SharedConstantIsOneEntry) {
  const auto program = testing::ReadText(
      Program(FfiJson(kTensor),
              "(metadata[\"relax.expr.Constant\"][0], metadata[\"relax.expr.Constant\"][0])"));
  ASSERT_TRUE(program.module) << program.problems;
  EXPECT_EQ(program.module->constants.size(), 1u);
}

TEST(MetadataTest, MissingMetadata) {
  EXPECT_EQ(ProblemsOf(Program("", "metadata[\"relax.expr.Constant\"][0]")),
            "3:12: metadata-omitted: metadata[\"relax.expr.Constant\"][0] is not in the file: the "
            "module was printed without metadata\n");
  EXPECT_EQ(
      ProblemsOf("# a comment\n" +
                 Program(R"({"root_index": 0, "nodes": [{"type": "ffi.Map", "data": [1, 1]}]})",
                         "metadata[\"a\"][7]")),
      "5:12: metadata-missing: metadata[\"a\"][7] is not in the metadata of the file\n");
}

TEST(MetadataTest, Malformed) {
  const auto problem = [](const std::string& json) {
    const auto metadata = ReadMetadata(json);
    return metadata.ok() ? std::string("read") : std::string(metadata.status().message());
  };
  EXPECT_EQ(problem("{"), "it is not JSON");
  EXPECT_EQ(problem("[]"), "it has no \"root_index\" and no \"root\"");
  EXPECT_EQ(problem(R"({"root_index": 7, "nodes": []})"), "it contains no map");
  EXPECT_EQ(problem(R"({"root_index": -1, "nodes": 3})"), "it contains no map");
  EXPECT_EQ(problem(R"({"root": "x"})"), "it contains no map");
  EXPECT_EQ(problem(FfiJson("!")), "a tensor is not valid base64");
  EXPECT_EQ(problem(FfiJson("AAAA")), "malformed tensor: wrong magic number");
  EXPECT_EQ(problem(FfiJson(std::string(kTensor).substr(0, 60))),
            "malformed tensor: its data is missing");
}

}  // namespace
}  // namespace lathe::relax_text

#include "tests/sizes/form_rows.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::sizes {
namespace {

using Dims = std::vector<FormDim>;

FormDim Number(int64_t size) { return {absl::StrCat(size), size}; }

std::string Call(const std::string& op, const std::vector<std::string>& args) {
  return absl::StrCat("R.", op, "(", absl::StrJoin(args, ", "), ")");
}

// What may follow a sum: of one tensor of these dimensions.
std::string Then(FormText& t, const std::string& sum, const Dims& dims) {
  std::string last = sum;
  if (t.dice.Percent(60)) {
    const FormDim& columns = dims.back();
    const bool number = columns.text[0] != 'n' && columns.text[0] != 'm';
    last = t.Line(Call("add", {last, number ? FormText::Weights({columns}) : t.Param({columns})}));
  }
  if (t.dice.Percent(30)) last = t.Line(Call("multiply", {last, t.Param(dims)}));
  switch (t.dice.Below(5)) {
    case 0:
      return t.Line(Call("nn.relu", {last}));
    case 1:
      return t.Line(Call("sigmoid", {last}));
    case 2:
      return t.Line(Call("astype", {last, "\"float16\""}));
    case 3:
      return t.Line(Call("sum", {last, "axis=[-1]"}));
    default:
      return last;
  }
}

std::string ProductOfWeights(FormText& t) {
  const FormDim rows = t.Open(), depth = t.Fixed(), columns = t.Fixed();
  const std::string x = t.Param({rows, depth});
  const std::string sum = t.Line(Call("matmul", {x, FormText::Weights({depth, columns})}));
  return Then(t, sum, {rows, columns});
}

std::string Product(FormText& t) {
  const FormDim rows = t.Open(), depth = t.Open(), columns = t.Open();
  std::string x = t.Param({rows, depth}), y;
  if (t.dice.Percent(30)) {
    y = t.Line(Call("permute_dims", {t.Param({columns, depth})}));
  } else {
    y = t.Param({depth, columns});
  }
  return Then(t, t.Line(Call("matmul", {x, y})), {rows, columns});
}

std::string HalfProduct(FormText& t) {
  const FormDim rows = t.Open(), depth = t.Open(), columns = t.Open();
  const char* dtype = t.dice.Percent(50) ? "float16" : "bfloat16";
  return t.Line(Call("matmul", {t.Param({rows, depth}, dtype), t.Param({depth, columns}, dtype),
                                t.dice.Percent(50) ? "out_dtype=\"float32\"" : "out_dtype=\"\""}));
}

std::string Batch(FormText& t) {
  const FormDim batch = t.Few(), rows = t.Open(), keys = t.Open(), size = t.Open();
  const std::string x = t.Param({batch, rows, size}), y = t.Param({batch, keys, size}),
                    z = t.Param({batch, keys, size});
  const std::string turned = t.Line(Call("permute_dims", {y, "axes=[0, 2, 1]"}));
  const std::string scores = t.Line(Call("matmul", {x, turned}));
  const std::string share = t.Line(Call("nn.softmax", {scores, "axis=-1"}));
  return t.Line(Call("matmul", {share, z}));
}

std::string Attention(FormText& t) {
  const FormDim batch = t.Few(), queries = t.Open(), keys = t.Open(), heads = t.Few(),
                size = t.Open();
  const Dims all = {batch, keys, heads, size};
  return t.Line(
      Call("nn.attention", {t.Param({batch, queries, heads, size}), t.Param(all), t.Param(all)}));
}

std::string List(FormText& t, int count, int64_t low, int64_t high) {
  std::vector<std::string> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(absl::StrCat(t.dice.Between(low, high)));
  return absl::StrCat("[", absl::StrJoin(numbers, ", "), "]");
}

std::string Conv(FormText& t) {
  const int spatial = t.dice.Percent(25) ? 1 : 2;
  const bool last = t.dice.Percent(40), known = t.dice.Percent(70), deep = t.dice.Percent(25);
  const FormDim channels = t.Fixed(), out = deep ? channels : t.Fixed();
  Dims image = {t.Few()}, kernel = {out, deep ? Number(1) : channels};
  for (int i = 0; i < spatial; ++i) {
    image.push_back(t.Open());
    kernel.push_back(Number(t.dice.Between(1, 3)));
  }
  image.insert(last ? image.end() : image.begin() + 1, channels);
  const std::string weights = known ? FormText::Weights(kernel) : t.Param(kernel);
  const bool line = spatial == 1;
  std::string y =
      t.Line(Call(line ? "nn.conv1d" : "nn.conv2d",
                  {t.Param(image), weights, absl::StrCat("strides=", List(t, spatial, 1, 3)),
                   absl::StrCat("padding=", t.dice.Percent(50) ? List(t, 2 * spatial, 0, 0)
                                                               : List(t, 2 * spatial, 0, 2)),
                   absl::StrCat("dilation=", List(t, spatial, 1, t.dice.Percent(20) ? 2 : 1)),
                   absl::StrCat("groups=", deep ? std::max<int64_t>(channels.size, 1) : 1),
                   absl::StrCat("data_layout=\"",
                                line   ? (last ? "NWC" : "NCW")
                                : last ? "NHWC"
                                       : "NCHW",
                                "\""),
                   absl::StrCat("kernel_layout=\"", line ? "OIW" : "OIHW", "\"")}));
  if (last && t.dice.Percent(60)) y = t.Line(Call("add", {y, FormText::Weights({out})}));
  return t.dice.Percent(50) ? t.Line(Call("nn.relu", {y})) : y;
}

std::string ConvTranspose(FormText& t) {
  const FormDim channels = t.Fixed(), out = t.Fixed();
  const Dims image = {t.Few(), channels, t.Open(), t.Few()};
  return t.Line(Call(
      "nn.conv2d_transpose",
      {t.Param(image), FormText::Weights({channels, out, Number(2), Number(3)}),
       absl::StrCat("strides=", List(t, 2, 1, 2)), absl::StrCat("padding=", List(t, 4, 0, 1))}));
}

std::string Pool(FormText& t) {
  const Dims image = {t.Few(), t.Fixed(), t.Open(), t.Open()};
  const std::string y = t.Line(
      Call(t.dice.Percent(50) ? "nn.max_pool2d" : "nn.avg_pool2d",
           {t.Param(image), absl::StrCat("pool_size=", List(t, 2, 1, 3)),
            absl::StrCat("strides=", List(t, 2, 1, 3)), absl::StrCat("padding=", List(t, 4, 0, 1)),
            t.dice.Percent(30) ? "ceil_mode=True" : "ceil_mode=False",
            t.dice.Percent(40) ? "layout=\"NHWC\"" : "layout=\"NCHW\""}));
  return t.Line(Call("nn.relu", {y}));
}

std::string OverRows(FormText& t) {
  const FormDim rows = t.Open(), length = t.Open();
  const std::string x = t.Param({rows, length});
  const std::string y = t.dice.Percent(50) ? t.Line(Call("add", {x, t.Param({length})})) : x;
  switch (t.dice.Below(6)) {
    case 0:
      return t.Line(Call("nn.softmax", {y, t.dice.Percent(70) ? "axis=-1" : "axis=0"}));
    case 1:
      return t.Line(Call("nn.log_softmax", {y, "axis=-1"}));
    case 2:
      return t.Line(Call("nn.layer_norm", {y, t.Param({length}), t.Param({length}), "axes=[-1]"}));
    case 3:
      return t.Line(Call("nn.rms_norm", {y, t.Param({length}), "axes=[-1]"}));
    case 4:
      return t.Line(Call("cumsum", {y, t.dice.Percent(50) ? "axis=0" : "axis=1"}));
    default:
      return t.Line(Call("sort", {y, t.dice.Percent(50) ? "axis=0" : "axis=1"}));
  }
}

std::string Reduced(FormText& t) {
  const FormDim a = t.Few(), b = t.Open(), c = t.Open();
  std::string x = t.Param({a, b, c});
  if (t.dice.Percent(50)) x = t.Line(Call("multiply", {x, x}));
  const char* ops[] = {"sum", "max", "min", "mean", "prod", "variance"};
  const char* axes[] = {"axis=[0]",    "axis=[1]",    "axis=[2]",
                        "axis=[0, 2]", "axis=[1, 2]", "axis=None"};
  const std::string y = t.Line(Call(t.dice.From(ops), {x, t.dice.From(axes), "keepdims=True"}));
  return t.Line(Call("subtract", {x, y}));
}

std::string Elements(FormText& t) {
  const FormDim rows = t.Open(), columns = t.Open();
  const char* dtypes[] = {"float32", "float32", "float16", "int8", "int32", "float64"};
  const char* dtype = t.dice.From(dtypes);
  const std::string x = t.Param({rows, columns}, dtype);
  const std::string y = t.Line(Call("add", {x, t.Param({columns}, dtype)}));
  const std::string z = t.Line(Call("multiply", {y, t.Param({rows, Number(1)}, dtype)}));
  const std::string r = t.Line(Call("nn.relu", {z}));
  if (t.dice.Percent(50)) return r;
  return t.Line(absl::StrCat("(", r, ", ", y, ")"));
}

std::string Moved(FormText& t) {
  const FormDim rows = t.Open(), columns = t.Open(), more = t.Open();
  const std::string x = t.Line(Call("nn.relu", {t.Param({rows, columns})}));
  const std::string y = t.Param({rows, more});
  const std::string both = t.Line(Call("concat", {absl::StrCat("(", x, ", ", y, ")"), "axis=1"}));
  switch (t.dice.Below(5)) {
    case 0:
      return t.Line(Call("permute_dims", {both}));
    case 1:
      return t.Line(Call("strided_slice", {both, "axes=[1]", "begin=[0]", "end=[2]"}));
    case 2:
      return t.Line(Call("flip", {both, "axis=0"}));
    case 3:
      return t.Line(Call("reshape", {both, "R.shape([-1])"}));
    default:
      return t.Line(Call("repeat", {both, "2", "axis=1"}));
  }
}

std::string Found(FormText& t) {
  const FormDim rows = t.Open(), columns = t.Fixed();
  const std::string at = t.Line(Call("argmax", {t.Param({rows, columns}), "axis=1"}));
  return t.Line(Call("take", {FormText::Weights({columns, Number(5)}), at, "axis=0"}));
}

std::string Resized(FormText& t) {
  const Dims image = {t.Few(), t.Few(), t.Open(), t.Open()};
  const char* methods[] = {"nearest_neighbor", "linear", "cubic"};
  const std::string y = t.Line(
      Call("image.resize2d",
           {t.Param(image), absl::StrCat("R.shape([", t.Fixed().text, ", ", t.Few().text, "])"),
            absl::StrCat("method=\"", t.dice.From(methods), "\"")}));
  return t.Line(Call("nn.relu", {y}));
}

// x as integers and back, as quantised models have it.
std::string Quantised(FormText& t, const std::string& x, double scale) {
  const std::string how =
      absl::StrCat(", R.const(", scale, ", \"float32\"), R.const(-5, \"int8\")");
  const std::string q = t.Line(absl::StrCat("R.quantize(", x, how, ", out_dtype=\"int8\")"));
  return t.Line(absl::StrCat("R.dequantize(", q, how, ")"));
}

std::string Integers(FormText& t, const Dims& dims) {
  const std::string real = FormText::Weights(dims);
  const std::string q = t.Line(absl::StrCat("R.quantize(", real,
                                            ", R.const(0.011, \"float32\"), R.const(0, \"int8\"), "
                                            "out_dtype=\"int8\")"));
  return t.Line(
      absl::StrCat("R.dequantize(", q, ", R.const(0.011, \"float32\"), R.const(0, \"int8\"))"));
}

std::string IntegerProduct(FormText& t) {
  const FormDim rows = t.Fixed(), depth = t.Fixed(), columns = t.Fixed();
  const std::string x = Quantised(t, t.Param({rows, depth}), 0.009);
  const std::string y = t.Line(Call("matmul", {x, Integers(t, {depth, columns})}));
  return t.dice.Percent(70) ? Quantised(t, y, 0.07) : t.Line(Call("nn.relu", {y}));
}

std::string IntegerConv(FormText& t) {
  const bool deep = t.dice.Percent(30);
  const FormDim channels = t.Fixed(), out = deep ? channels : t.Fixed();
  const Dims kernel = {out, deep ? Number(1) : channels, Number(t.dice.Between(1, 3)),
                       Number(t.dice.Between(1, 3))};
  const std::string x = Quantised(t, t.Param({t.Few(), channels, t.Fixed(), t.Few()}), 0.009);
  const std::string y = t.Line(
      Call("nn.conv2d", {x, Integers(t, kernel), absl::StrCat("strides=", List(t, 2, 1, 2)),
                         absl::StrCat("padding=", List(t, 4, 0, 1)),
                         absl::StrCat("groups=", deep ? std::max<int64_t>(channels.size, 1) : 1)}));
  return t.dice.Percent(70) ? Quantised(t, t.Line(Call("nn.relu", {y})), 0.07) : y;
}

std::string IntegerElements(FormText& t) {
  const Dims image = {t.Few(), t.Fixed(), t.Fixed(), t.Few()};
  const std::string x = Quantised(t, t.Param(image), 0.01), y = Quantised(t, t.Param(image), 0.02);
  switch (t.dice.Below(5)) {
    case 0:
      return Quantised(t, t.Line(Call("add", {x, y})), 0.03);
    case 1:
      return Quantised(t, t.Line(Call("multiply", {x, y})), 0.03);
    case 2:
      return Quantised(t, t.Line(Call("nn.avg_pool2d", {x, "pool_size=[2, 2]"})), 0.01);
    case 3:
      return Quantised(t, t.Line(Call("mean", {x, "axis=[2, 3]"})), 0.01);
    default:
      return Quantised(t, t.Line(Call("sigmoid", {x})), 0.01);
  }
}

constexpr FormRow kRows[] = {
    {"form: attention", Attention},
    {"form: batch of products", Batch},
    {"form: convolution", Conv},
    {"form: elements", Elements},
    {"form: found and taken", Found},
    {"form: integer convolution", IntegerConv, 0.0701},
    {"form: integer elements", IntegerElements, 0.0701},
    {"form: integer product", IntegerProduct, 0.0701},
    {"form: moved", Moved},
    {"form: pool", Pool},
    {"form: product", Product},
    {"form: product of halves", HalfProduct},
    {"form: product of weights", ProductOfWeights},
    {"form: reduced", Reduced},
    {"form: resized", Resized},
    {"form: rows", OverRows},
    {"form: transposed convolution", ConvTranspose},
};

}  // namespace

absl::Span<const FormRow> FormRows() { return kRows; }

}  // namespace lathe::sizes

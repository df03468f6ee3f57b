#include "generator/emit/text/template.h"

#include "gtest/gtest.h"

namespace lathe {
namespace {

// Text without tags renders as it is: ; [ ] \ $ @ and quotes are not special.
constexpr char kModelTemplate[] = R"(/* {{ model.name }}.c */
#include "{{ model.name }}.h"
{{ nothing }}
//% if model.has_weights
extern const unsigned char {{ model.name }}_weights[];
//% else
/* No weights. */
//% end
//% for kernel in kernels
{{ kernel.signature }} {
  {{ kernel.body }}
}
//% end
static const char* odd[] = { {"a;b[0]", "$x @y@ \\"}, };
)";

TEST(TemplateTest, RendersAWholeFile) {
  const TemplateValue::Dict model = {{"name", "net"}, {"has_weights", false}};
  const TemplateValue::List kernels = {TemplateValue::Dict{
      {"signature", "static void k0(float* y)"}, {"body", "for (;;) {\n  y[0] = 0;\n}"}}};
  auto out = RenderTemplate("model.c.tmpl", kModelTemplate,
                            {{"model", model}, {"kernels", kernels}, {"nothing", ""}}, nullptr);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(*out, R"(/* net.c */
#include "net.h"
/* No weights. */
static void k0(float* y) {
  for (;;) {
    y[0] = 0;
  }
}
static const char* odd[] = { {"a;b[0]", "$x @y@ \\"}, };
)");
}

TEST(TemplateTest, Includes) {
  const TemplateLookup lookup = [](absl::string_view name) -> absl::string_view {
    return name == "line" ? "x = {{ x }};\n" : absl::string_view();
  };
  auto out = RenderTemplate("t", "//% include \"line\"\n", {{"x", "1"}}, lookup);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(*out, "x = 1;\n");
  EXPECT_EQ(RenderTemplate("t", "//% include \"none\"\n", {}, lookup).status().message(),
            "t:1: no template named 'none'");
}

TEST(TemplateTest, NamesTheLineOfAMissingValue) {
  auto out = RenderTemplate("t.tmpl", "a\n{{ b.c }}\n", {}, nullptr);
  EXPECT_EQ(out.status().message(), "t.tmpl:2: no text named 'b.c'");
}

TEST(TemplateTest, UnclosedBlock) {
  auto out =
      RenderTemplate("t.tmpl", "//% for x in xs\n", {{"xs", TemplateValue::List{}}}, nullptr);
  EXPECT_EQ(out.status().message(), "t.tmpl:1: block is not closed");
}

}  // namespace
}  // namespace lathe

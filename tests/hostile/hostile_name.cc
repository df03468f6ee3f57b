#include "tests/hostile/hostile_name.h"

#include <iterator>
#include <random>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/support/utf8.h"

namespace lathe::hostile {
namespace {

using std::literals::string_literals::operator""s;

// clang-format off
// Words of C, of C++ and of make, names of the standard library, of the runtime, of the model that
// the test compiles ("net"), and of what its files call their own variables.
constexpr absl::string_view kWords[] = {
    "auto", "bool", "char8_t", "class", "co_await", "concept", "const", "constexpr", "decltype",
    "default", "delete", "double", "else", "enum", "export", "false", "float", "for", "goto", "if",
    "inline", "int", "long", "namespace", "new", "noexcept", "not", "nullptr", "operator",
    "private", "register", "requires", "restrict", "return", "short", "signed", "sizeof", "static",
    "static_assert", "struct", "switch", "template", "this", "thread_local", "true", "try",
    "typedef", "typename", "typeof", "typeof_unqual", "union", "unsigned", "using", "virtual",
    "void", "volatile", "wchar_t", "while", "xor", "asm", "fortran", "alignas", "char16_t",
    "_Bool", "_Complex", "_Generic", "_Static_assert", "_Thread_local", "_Pragma", "__asm__",
    "__attribute__", "__builtin_trap", "__func__", "__FILE__", "__LINE__", "__COUNTER__",
    "__VA_ARGS__", "__STDC__", "__cplusplus", "__x", "_X", "_", "__", "___", "_0", "main",
    "memcpy", "memset", "printf", "malloc", "free", "exit", "abort", "puts", "system", "strcmp",
    "expf", "exp", "fabsf", "fabs", "sqrtf", "powf", "sin", "cos", "floor", "roundf", "nearbyintf",
    "isnan", "isinf", "signbit", "abs", "div", "index", "read", "write", "time", "signal", "errno",
    "stdin", "stdout", "y0", "y1", "j0", "jn", "gamma", "lgamma", "remainder", "NULL", "EOF",
    "NAN", "INFINITY", "HUGE_VALF", "I", "INT8_MAX", "INT32_MIN", "INT64_C", "UINT64_C",
    "SIZE_MAX", "UINTPTR_MAX", "M_PI", "FLT_MAX", "DBL_EPSILON", "CHAR_BIT", "BUFSIZ", "RAND_MAX",
    "EXIT_FAILURE", "linux", "unix", "i386", "assert", "offsetof", "va_arg", "int8_t", "int32_t",
    "int64_t", "uint8_t", "uint64_t", "size_t", "ptrdiff_t", "uintptr_t", "FILE", "DIR", "div_t",
    "time_t", "std", "string", "vector", "net", "net_run", "net_init", "net_inputs", "net_outputs",
    "net_missing", "net_externs", "net_find", "net_pools", "net_selftest", "net_weights",
    "net_checksum", "net_main", "net_add", "net_kernel", "net_const_0", "net_arena_size", "NET_H",
    "NET_ARENA_SIZE", "NET_ARENA_ALIGN", "NET_BUNDLE", "NET_EXTERN_COUNT", "NET_IN_X_LEN",
    "NET_OUT_OUT_LEN", "NET_WEIGHTS_SIZE", "net_launch_add", "net_create", "net_destroy",
    "net_config", "net_workspace_size", "net_dims", "lathe", "lathe_rt", "lathe_value",
    "lathe_call", "lathe_call_packed", "lathe_keep", "lathe_host", "lathe_fail", "lathe_f16",
    "lathe_floormod", "lathe_print", "lathe_ccl_x", "LATHE_OK", "LATHE_E_SHAPE",
    "LATHE_API_VERSION", "LATHE_RANGE", "LATHE_DT_FLOAT", "m", "in", "out", "arena", "arena_size",
    "status", "externs", "weights", "region", "pools", "functions", "result", "args", "fields",
    "dims", "sizes", "number", "given", "kept", "again", "size", "part", "need", "most", "i", "n",
    "x", "a0", "a1", "v", "out_1", "x_shape", "x_capacity", "words", "values", "hash", "none",
    "host", "stream", "failed", "count", "at", "threadIdx", "blockIdx", "blockDim", "gridDim",
    "warpSize", "dim3", "half", "float4", "cudaMalloc", "cudaStream_t", "cuInit", "__expf",
    "__syncthreads", "__shared__", "__global__", "self", "cls", "M", "R", "T", "lambda", "None",
    "all", "clean", "check", ".PHONY", "CFLAGS"};

// Texts with a meaning of their own, or in a comment, a literal or a make rule.
const std::string kTexts[] = {
    "", " ", "\n", "\r", "\r\n", "\t", "\v\f", "\0"s, "a\0b"s, "\x1b[2J", "\x7f", "\x01\x02",
    "a\nint injected;\n", "f\n#define NET_H\n(", "f\n#include \"/etc/passwd\"\n", "f\n#error no\n",
    "*/ int injected; /*", "*/", "/*", "//", "// \\\n", "*\\\n/", "/\\\n*", "**/", "*/*/", "/*/",
    "\\", "\\\\", "\\\n", "\\\r\n", "\\ \n", "a\\", "\"", "\\\"", "\"); system(\"true\"); (\"",
    "'", "'\\''", "\"\"", "\"\n\"", "L\"x\"", "R\"(x)\"", "u8\"", "%s%n%p", "%", "%%", "%d\n",
    "?\?/", "?\?/\n", "?\?/\nint injected;", "?\?=define x", "?\?(", "?\?)", "?\?'", "?\?!",
    "?\?-", "?\?\?", "%:define x", "<:", ":>", "<%", "%>", "%:%:", "##", "#", "#pragma once",
    "_Pragma(\"once\")", "a b", "a.b", "a-b", "a/b", "a:b", "a::b", "a;b", "a,b", "a(b)", "a[0]",
    "a{b}", "a=b", "a+b", "a&b", "a|b", "a`b`", "a~b", "a!b", "a@b", "$", "$(shell true)",
    "${HOME}", "$$", "$@", "$<", "#comment", "a#b", "a\tb", "target: dep", "\tcommand", "!include",
    "@file", "-Dx", "--help", "../../etc/passwd", "/etc/passwd", "..", ".", "~", "con", "nul",
    "a\\b", "C:\\x", "file:///x", "{{ model.name }}", "{{", "}}", "//% end", "#% end",
    "//% for x in y", "@bundle@", "@runtime@", "\xE2\x80\xAE" "gnp",
    "\xE2\x81\xA6" "x\xE2\x81\xA9", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xC2\xA0", "\xD0\xB0",
    "\xC3\xA9", "\xE6\x97\xA5", "\xF0\x9F\x92\xA9", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xC2\x85",
    "\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x80", "\xCC\x81", "\\u0041",
    "\\U0001F4A9", "\\x41", "\\101", "\\N{DIGIT ONE}", "0", "1x", "0x10", "1e5", "-1",
    "'; DROP TABLE", "<script>", "&amp;", "a\nb\nc", "\n\n", "} int injected; {", "); injected(",
    "; injected();", "x; return 0; }", "x] = 1; y[0", "0; x", "a ? b : c", "__asm__(\"nop\")",
    "__attribute__((constructor)) void f(void) {}", "x __attribute__((weak))", "[[noreturn]]",
    "int x", "void *", "const", "f\n#undef LATHE_OK\n", "f\\\n#define x\n", "#\\\ndefine x"};

// clang-format on

uint64_t WordCount() { return std::size(kWords); }
uint64_t TextCount() { return std::size(kTexts); }

std::string Any(std::minstd_rand& random) {
  const uint64_t which = random() % 8;
  if (which < 3) return std::string(kWords[random() % WordCount()]);
  if (which < 7) return kTexts[random() % TextCount()];
  std::string bytes;
  for (uint64_t i = random() % 6; i > 0; --i) bytes += static_cast<char>(random() % 256);
  return bytes;
}

// clang-format off
// Those of Python, what programs of TVMScript call their modules, and the doors' own names.
constexpr absl::string_view kOfPython[] = {
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "None",
    "True", "False", "match", "case", "type", "print", "I", "R", "T", "cls", "M", "main", "f", "g",
    "x", "y", "z", "A", "B", "i", "n", "m", "kernel", "y_1", "float", "int", "bool", "range",
    "tvm", "pl"};
// clang-format on

}  // namespace

uint64_t KnownNames() { return WordCount() + TextCount() + 2; }

std::string HostileName(uint64_t n) {
  if (n < WordCount()) return std::string(kWords[n]);
  if (n < WordCount() + TextCount()) return kTexts[n - WordCount()];
  if (n == WordCount() + TextCount()) return std::string(size_t{1} << 20, 'x');
  if (n == WordCount() + TextCount() + 1) return std::string(5000, '\n');
  std::minstd_rand random(static_cast<uint32_t>(n) * 2654435761u + 1);
  std::string name;
  for (uint64_t i = 1 + random() % 4; i > 0; --i) name += Any(random);
  if (random() % 64 == 0) name += std::string(1000 + random() % 4000, '/');
  return name;
}

std::string ToPythonName(absl::string_view name) {
  std::string id;
  for (size_t at = 0; at < name.size() && id.size() < 2000;) {
    const int length = Utf8Length(name, at);
    const bool is_letter = length == 2 && MayBeInName(DecodeChar(name, at).code);
    if (absl::ascii_isalnum(static_cast<unsigned char>(name[at])) || name[at] == '_') {
      id += name[at];
    } else if (is_letter) {
      id += std::string(name.substr(at, 2));
    }
    at += static_cast<size_t>(length < 1 ? 1 : length);
  }
  if (id.empty() || absl::ascii_isdigit(static_cast<unsigned char>(id[0]))) id = "v" + id;
  for (absl::string_view word : kOfPython) {
    if (id == word) return id + "_";
  }
  return id;
}

std::string ToPythonText(absl::string_view name) {
  std::string text = "\"";
  for (size_t at = 0; at < name.size();) {
    const auto c = static_cast<unsigned char>(name[at]);
    const int length = c < 0x80 ? 1 : Utf8Length(name, at);
    if (c >= 0x80 && length > 1) {
      absl::StrAppend(&text, name.substr(at, static_cast<size_t>(length)));
    } else if (absl::ascii_isprint(c) && c != '"' && c != '\\') {
      text += static_cast<char>(c);
    } else {
      absl::StrAppendFormat(&text, "\\x%02x", c);
    }
    at += static_cast<size_t>(length < 1 ? 1 : length);
  }
  return text + "\"";
}

}  // namespace lathe::hostile

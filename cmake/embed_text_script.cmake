# Runs at build time for embed_text(). Writes a raw string for each file, which debuggers and grep find.
file(READ "${list}" names)
set(entries "")
foreach(name IN LISTS names)
  file(SIZE "${dir}/${name}" size)
  # The C++ standard guarantees string literals up to this size.
  if(size GREATER 65535)
    message(FATAL_ERROR "${name}: ${size} bytes; a string literal holds 65535 at most")
  endif()
  file(READ "${dir}/${name}" text)
  if(text MATCHES "\\)text\"")
    message(FATAL_ERROR "${name}: contains )text\", the raw-string delimiter")
  endif()
  string(APPEND entries "    {\"${name}\", R\"text(${text})text\"},\n")
endforeach()
# The first element is a sentinel outside of the span, because C++ has no empty arrays.
file(WRITE "${output}.tmp"
  "#include \"generator/support/embedded_text.h\"\n\nnamespace lathe {\nnamespace {\n\n"
  "constexpr EmbeddedText kFiles[] = {\n    {\"\", \"\"},\n${entries}};\n\n}  // namespace\n\n"
  "absl::Span<const EmbeddedText> ${function}() {\n"
  "  return absl::Span<const EmbeddedText>(kFiles).subspan(1);\n}\n\n}  // namespace lathe\n")
file(RENAME "${output}.tmp" "${output}")

#include "generator/emit/text/template.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace lathe {
namespace {

// Returns the words of a statement line; nullopt: the line is text.
std::optional<std::vector<absl::string_view>> Statement(absl::string_view line) {
  line = absl::StripAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "//%") && !absl::ConsumePrefix(&line, "#%")) return std::nullopt;
  return std::vector<absl::string_view>(absl::StrSplit(line, ' ', absl::SkipEmpty()));
}

class Renderer {
 public:
  Renderer(absl::string_view name, absl::string_view text, TemplateLookup lookup, std::string& out)
      : name_(name), lines_(absl::StrSplit(text, '\n')), lookup_(lookup), out_(out) {
    if (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
  }

  absl::Status Run(const TemplateValue::Dict& data) {
    scopes_.push_back(&data);
    size_t end = 0;
    if (auto s = Block(0, /*emit=*/true, end); !s.ok()) return s;
    if (end != lines_.size()) return Error(end, "'end' or 'else' without a block to close");
    return absl::OkStatus();
  }

 private:
  // Renders from line `i` to the statement that ends the block, left in `end`.
  absl::Status Block(size_t i, bool emit, size_t& end) {
    for (; i < lines_.size(); ++i) {
      auto words = Statement(lines_[i]);
      if (!words) {
        if (emit) {
          if (auto s = Line(i); !s.ok()) return s;
        }
        continue;
      }
      if (words->empty() || (*words)[0] == "#") continue;  // a comment
      const absl::string_view kind = (*words)[0];
      absl::Status s;
      if (kind == "end" || kind == "else") {
        break;
      } else if (kind == "for" && words->size() == 4 && (*words)[2] == "in") {
        s = For(i, (*words)[1], (*words)[3], emit);
      } else if (kind == "if" && words->size() == 2) {
        s = If(i, (*words)[1], emit);
      } else if (kind == "include" && words->size() == 2) {
        s = emit ? Include(i, (*words)[1]) : absl::OkStatus();
      } else {
        s = Error(i, absl::StrCat("not a statement: ", lines_[i]));
      }
      if (!s.ok()) return s;
    }
    end = i;
    return absl::OkStatus();
  }

  absl::Status For(size_t& i, absl::string_view var, absl::string_view path, bool emit) {
    const size_t start = i;
    static const TemplateValue::List nothing;
    const TemplateValue::List* items = &nothing;
    if (emit) {
      const TemplateValue* v = Find(path);
      items = v ? v->As<TemplateValue::List>() : nullptr;
      if (!items) return Error(start, absl::StrCat("'", path, "' is not a list"));
    }
    if (auto s = Block(start + 1, false, i); !s.ok()) return s;  // finds the end
    for (const TemplateValue& item : *items) {
      const TemplateValue::Dict scope = {{std::string(var), item}};
      scopes_.push_back(&scope);
      auto s = Block(start + 1, true, i);
      scopes_.pop_back();
      if (!s.ok()) return s;
    }
    return ExpectEnd(start, i);
  }

  absl::Status If(size_t& i, absl::string_view path, bool emit) {
    const size_t start = i;
    bool cond = false;
    if (emit) {
      const TemplateValue* v = Find(path);
      const bool* b = v ? v->As<bool>() : nullptr;
      if (!b) return Error(start, absl::StrCat("'", path, "' is not a condition"));
      cond = *b;
    }
    if (auto s = Block(start + 1, emit && cond, i); !s.ok()) return s;
    if (i < lines_.size() && Statement(lines_[i])->front() == "else") {
      if (auto s = Block(i + 1, emit && !cond, i); !s.ok()) return s;
    }
    return ExpectEnd(start, i);
  }

  absl::Status Include(size_t i, absl::string_view quoted) {
    const absl::string_view name = absl::StripSuffix(absl::StripPrefix(quoted, "\""), "\"");
    const absl::string_view text = lookup_ ? lookup_(name) : absl::string_view();
    if (text.data() == nullptr) return Error(i, absl::StrCat("no template named '", name, "'"));
    Renderer inner(name, text, lookup_, out_);
    inner.scopes_ = scopes_;
    size_t end = 0;
    return inner.Block(0, true, end);
  }

  absl::Status ExpectEnd(size_t start, size_t i) {
    if (i < lines_.size() && Statement(lines_[i])->front() == "end") return absl::OkStatus();
    return Error(start, "block is not closed");
  }

  // Prints one text line with its {{ }} replaced.
  absl::Status Line(size_t i) {
    absl::string_view rest = lines_[i];
    const std::string newline_indent =
        absl::StrCat("\n", rest.substr(0, rest.find_first_not_of(' ')));
    std::string line;
    bool only_empty = false;  // the line may have only empty substitutions
    for (size_t open; (open = rest.find("{{")) != absl::string_view::npos;) {
      const size_t close = rest.find("}}", open);
      if (close == absl::string_view::npos) return Error(i, "'{{' is not closed");
      const absl::string_view path =
          absl::StripAsciiWhitespace(rest.substr(open + 2, close - open - 2));
      const TemplateValue* v = Find(path);
      const std::string* s = v ? v->As<std::string>() : nullptr;
      if (!s) return Error(i, absl::StrCat("no text named '", path, "'"));
      absl::StrAppend(&line, rest.substr(0, open),
                      absl::StrReplaceAll(*s, {{"\n", newline_indent}}));
      rest.remove_prefix(close + 2);
      only_empty = true;
    }
    absl::StrAppend(&line, rest);
    if (only_empty && absl::StripAsciiWhitespace(line).empty()) return absl::OkStatus();
    absl::StrAppend(&out_, line, "\n");
    return absl::OkStatus();
  }

  const TemplateValue* Find(absl::string_view path) const {
    const std::vector<std::string> parts = absl::StrSplit(path, '.');
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const TemplateValue* v = nullptr;
      const TemplateValue::Dict* dict = *scope;
      for (const std::string& part : parts) {
        auto it = dict ? dict->find(part) : TemplateValue::Dict::const_iterator();
        if (!dict || it == dict->end()) {
          v = nullptr;
          break;
        }
        v = &it->second;
        dict = v->As<TemplateValue::Dict>();
      }
      if (v) return v;
    }
    return nullptr;
  }

  absl::Status Error(size_t line, absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat(name_, ":", line + 1, ": ", what));
  }

  absl::string_view name_;
  std::vector<absl::string_view> lines_;
  TemplateLookup lookup_;
  std::string& out_;
  std::vector<const TemplateValue::Dict*> scopes_;
};

}  // namespace

absl::StatusOr<std::string> RenderTemplate(absl::string_view name, absl::string_view text,
                                           const TemplateValue::Dict& data, TemplateLookup lookup) {
  std::string out;
  if (auto s = Renderer(name, text, lookup, out).Run(data); !s.ok()) return s;
  return out;
}

}  // namespace lathe

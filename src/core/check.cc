#include "core/check.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/suggest.h"
#include "core/checker.h"

namespace gfxisa::core {

std::string fill(const std::string& text, const std::vector<std::pair<std::string, std::string>>& lists) {
  if (text.find('{') == std::string::npos) return text;
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) break;
    out.append(text, at, open - at);
    const std::string_view inside = std::string_view(text).substr(open + 1, close - open - 1);
    const auto list =
        std::find_if(lists.begin(), lists.end(), [&](const auto& entry) { return entry.first == inside; });
    out += list == lists.end() ? text.substr(open, close - open + 1) : list->second;
    at = close + 1;
  }
  return out.append(text, std::min(at, text.size()));
}

std::string fill_body(const std::string& text, const std::vector<std::pair<std::string, std::string>>& lists) {
  const std::string filled = fill(text, lists);
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string out;
  for (std::size_t at = 0; at < filled.size();) {
    std::size_t end = at;
    while (end < filled.size() && is_letter(filled[end])) ++end;
    if (end == at) {
      out += filled[at++];
      continue;
    }
    while (end < filled.size() && filled[end] == '\'') ++end;
    const std::string_view word = std::string_view(filled).substr(at, end - at);
    const auto list = std::find_if(lists.begin(), lists.end(), [&](const auto& entry) { return entry.first == word; });
    out += list == lists.end() ? word : std::string_view(list->second);
    at = end;
  }
  return out;
}

Type immediate_type(std::string_view style) {
  const Type type = type_named(style);
  if (type.is_integer() && type.bits > 32 && type.bits <= 64) return type;
  if (type.bits == 64) return {TypeKind::unsigned_, 64};
  const bool is_signed = type.kind == TypeKind::signed_ || style == "simm" || style == "label" ||
                         style == "address_offset" || style == "scalar_offset" || style == "buffer_offset";
  return {is_signed ? TypeKind::signed_ : TypeKind::unsigned_, 32};
}

Checker::Checker(BodyKind kind, const Scope& scope, Diagnostics& diagnostics)
    : scope_(scope), diagnostics_(diagnostics), builder_(body_), out_(&body_.statements) {
  body_.kind = kind;
  body_.slots = scope.slots;
  for (SlotInfo& slot : body_.slots) {
    if (slot.is_immediate) slot.type = immediate_type(name_of(slot.type));
  }
  slots_.resize(body_.slots.size());
}

Value Checker::error(Location at, std::string message, std::string hint) {
  const std::string trace = call_trace();
  if (!trace.empty()) hint += hint.empty() ? trace : "; " + trace;
  diagnostics_.error(at, std::move(message), std::move(hint));
  failed_ = true;
  return {};
}

// An error inside a shared function concerns its caller as well.
std::string Checker::call_trace() const {
  if (frames_.empty()) return {};
  return "in " + frames_.back().function + ", for line " + std::to_string(frames_.front().at.line);
}

/// A name with list names in braces filled in; a name that is a list is its value.
std::string Checker::resolved(const std::string& text) const {
  for (const auto& [list, value] : scope_.lists) {
    if (list == text) return value;
  }
  return fill(text, scope_.lists);
}

std::vector<std::string_view> Checker::known_names() const {
  std::vector<std::string_view> names = {"lane", "wave_size", "pc.next"};
  for (std::size_t i = first_local_; i < locals_.size(); ++i) names.push_back(locals_[i].first);
  if (frames_.empty()) {
    for (const SlotInfo& slot : body_.slots) names.push_back(slot.name);
  }
  for (const auto& [list, value] : scope_.lists) names.push_back(list);
  return names;
}

Body Checker::take() {
  drop_unused_nodes(body_);
  return std::move(body_);
}

/// A slot that is written by nothing would leave a register as it was, which no page says.
void Checker::check_outputs(Location at) {
  if (failed_) return;  // the assignment may be what was wrong
  for (std::size_t i = 0; i < body_.slots.size(); ++i) {
    const SlotInfo& slot = body_.slots[i];
    if (slot.is_written && !slots_[i].assigned && !(slot.is_read && slot.is_written)) {
      error(at, "nothing is assigned to '" + slot.name + "'", "it is declared out; assign it, or drop the slot");
    }
  }
}

void Checker::function_to_slot(const lang::Function& function, Location at) {
  for (std::size_t i = 0; i < function.parameters.size() && i + 1 < body_.slots.size(); ++i) {
    locals_.emplace_back(function.parameters[i].text, read_slot(i + 1, at));
  }
  const Value result = function_result(function);
  locals_.clear();
  if (!result.is_error()) assign_slot(0, result, at);
}

static BodyKind kind_of(lang::Body::Kind kind) {
  if (kind == lang::Body::Kind::lane) return BodyKind::lane;
  return kind == lang::Body::Kind::wave ? BodyKind::wave : BodyKind::scalar;
}

Body check_body(const lang::Body& body, const Scope& scope, Diagnostics& diagnostics) {
  Checker checker(kind_of(body.kind), scope, diagnostics);
  checker.use_ieee(body.is_ieee);
  checker.block(body.block);
  checker.check_outputs(body.at);
  return checker.take();
}

Body check_function(const lang::Function& function, const std::vector<SlotInfo>& parameters, const Scope& scope,
                    Diagnostics& diagnostics) {
  Scope own{parameters, scope.lists, scope.functions};
  const bool has_result = !parameters.empty() && parameters[0].is_written;
  if (!has_result || function.parameters.size() + 1 != parameters.size()) {
    diagnostics.error(function.name.at, "'" + function.name.text + "' takes " +
                                            std::to_string(function.parameters.size()) + " arguments, not " +
                                            std::to_string(parameters.size() - (has_result ? 1 : 0)));
    return {};
  }
  Checker checker(BodyKind::lane, own, diagnostics);
  checker.function_to_slot(function, function.name.at);
  return checker.take();
}

}  // namespace gfxisa::core

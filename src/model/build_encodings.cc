// Encodings, suffix words, promotions.
#include <algorithm>
#include <map>

#include "base/suggest.h"
#include "model/builder.h"

namespace gfxisa::model {

void Builder::add_encodings() {
  for (const lang::File& file : files_) {
    for (const lang::Encoding& encoding : file.encodings) add_encoding(encoding);
  }
  // What refers to other encodings or fields comes after all of them.
  for (std::size_t i = 0; i < isa_.encodings.size(); ++i) {
    Encoding& encoding = isa_.encodings[i];
    const lang::Encoding& source = *encoding_sources_[i];
    check_coverage(encoding, source);
    add_hosts(encoding, source);
    check_syntax(encoding, source);
    add_stage_lines(encoding, source);
    for (const lang::AddressLine& line : source.addresses) add_address(encoding, line);
  }
}

void Builder::add_encoding(const lang::Encoding& source) {
  Encoding encoding;
  encoding.name = source.name.text;
  encoding.title = source.title.text;
  encoding.about = source.about.text;
  encoding.bits = source.bits;
  encoding.chips = resolve(source.on);
  encoding.is_suffix = source.is_suffix;
  encoding.mnemonic_suffix = source.mnemonic_suffix.text;
  if (!source.like.text.empty() && base_of(source, encoding.chips) == nullptr) {
    fail(source.like.at, "no encoding '" + source.like.text + "' on " + chip_names(encoding.chips),
         "an encoding is like one that says everything itself");
  }
  if (source.bits == 0 || source.bits % 32 != 0) fail(source.name.at, "an encoding has 32, 64, 96, 128 or 160 bits");
  std::vector<u32>& others = encodings_[encoding.name];
  for (const u32 other : others) {
    const ChipSet both = isa_.encodings[other].chips & encoding.chips;
    if (both) fail(source.name.at, "encoding '" + encoding.name + "' is declared twice on " + chip_names(both));
  }
  for (const lang::BitLine* bits : bit_lines_of(source, encoding.chips)) add_field(encoding, *bits);
  const lang::Encoding* syntax = &source;
  for (const lang::Encoding* from = &source; from != nullptr; from = base_of(*from, encoding.chips)) {
    for (const lang::ImpliedLine& line : from->implied) add_implied(encoding, line);
    if (encoding.mnemonic_suffix.empty()) encoding.mnemonic_suffix = from->mnemonic_suffix.text;
    if (syntax->syntax.empty()) syntax = from;
  }
  add_syntax(encoding.syntax, syntax->syntax, encoding.chips);
  add_widths(encoding, source);
  others.push_back(static_cast<u32>(isa_.encodings.size()));
  isa_.encodings.push_back(std::move(encoding));
  encoding_sources_.push_back(&source);
}

void Builder::add_widths(Encoding& encoding, const lang::Encoding& source) {
  for (const lang::WidestLine& line : source.widest)
    encoding.widest.push_back({line.bits, resolve(line.on) & encoding.chips});
  const lang::Encoding* base = base_of(source, encoding.chips);
  ChipSet taken = 0;
  for (const lang::HalvesLine& line : source.halves.empty() && base != nullptr ? base->halves : source.halves) {
    const ChipSet on = resolve(line.on) & encoding.chips;
    if ((taken & on) != 0) fail(line.way.at, "two ways to name halves of registers on " + chip_names(taken & on));
    taken |= on;
    encoding.halves.push_back({line.way.text == "numbered", on});
  }
  add_scalars(source.scalars.empty() && base != nullptr ? base->scalars : source.scalars, encoding.chips,
              encoding.scalars);
}

void Builder::add_scalars(const std::vector<lang::ScalarsLine>& lines, ChipSet chips, std::vector<Scalars>& out) {
  ChipSet taken = 0;
  for (const lang::ScalarsLine& line : lines) {
    const ChipSet on = resolve(line.on) & chips;
    if ((taken & on) != 0) fail(line.at, "two numbers of scalar values on " + chip_names(taken & on));
    taken |= on;
    const auto is_named = [&](const Code& code) {
      return code.cls == CodeClass::special && code.name == line.besides.text;
    };
    if (!line.besides.text.empty() && std::none_of(isa_.codes.begin(), isa_.codes.end(), is_named))
      fail(line.besides.at, "no code is the register '" + line.besides.text + "'");
    out.push_back({line.most, line.besides.text, on});
  }
}

/// Fields stand from high bits to low ones; those at the same place on different chips as they were written.
static void insert_field(Encoding& encoding, Field field) {
  const auto lower = [](const Field& a, const Field& b) { return a.low > b.low; };
  encoding.fields.insert(std::upper_bound(encoding.fields.begin(), encoding.fields.end(), field, lower),
                         std::move(field));
}

const lang::Encoding* Builder::base_of(const lang::Encoding& encoding, ChipSet chips) {
  if (encoding.like.text.empty()) return nullptr;
  for (const lang::File& file : files_) {
    for (const lang::Encoding& other : file.encodings) {
      if (other.name.text == encoding.like.text && (resolve(other.on) & chips) == chips && other.like.text.empty())
        return &other;
    }
  }
  return nullptr;
}

// Its own, then those of the encoding it is like that have none of their bits.
std::vector<const lang::BitLine*> Builder::bit_lines_of(const lang::Encoding& encoding, ChipSet chips) {
  std::vector<const lang::BitLine*> lines;
  for (const lang::BitLine& bits : encoding.bit_lines) lines.push_back(&bits);
  const lang::Encoding* base = base_of(encoding, chips);
  if (base == nullptr) return lines;
  const std::size_t own = lines.size();
  for (const lang::BitLine& bits : base->bit_lines) {
    const auto meets = [&](const lang::BitLine* other) {
      const bool on_same = (resolve(other->on) & resolve(bits.on) & chips) != 0;
      return on_same && other->low <= bits.high && bits.low <= other->high;
    };
    const bool is_replaced = std::any_of(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(own), meets);
    if (!is_replaced && (resolve(bits.on) & chips) != 0) lines.push_back(&bits);
  }
  return lines;
}

// Of the encoding that it is like it has those stages for which it has the fields.
void Builder::add_stage_lines(Encoding& encoding, const lang::Encoding& source) {
  add_stages(encoding, source.reads, encoding.reads);
  add_stages(encoding, source.writes, encoding.writes);
  const lang::Encoding* base = base_of(source, encoding.chips);
  if (base == nullptr) return;
  const auto is_modifier = [&](const lang::ExpressionPtr& argument) {
    const bool is_indexed = argument->kind == lang::Expression::Kind::index;
    const std::string& name = is_indexed ? argument->args[0]->text : argument->text;
    return is_stage_word(name) || std::any_of(encoding.fields.begin(), encoding.fields.end(), [&](const Field& field) {
             return field.role == FieldRole::modifier && field.name == name;
           });
  };
  const auto add_from = [&](const std::vector<lang::StageLine>& lines, std::vector<Stage>& stages) {
    for (const lang::StageLine& line : lines) {
      if (std::all_of(line.arguments.begin(), line.arguments.end(), is_modifier)) add_stage(encoding, line, stages);
    }
  };
  if (source.reads.empty()) add_from(base->reads, encoding.reads);
  if (source.writes.empty()) add_from(base->writes, encoding.writes);
}

void Builder::add_field(Encoding& encoding, const lang::BitLine& bits) {
  Field field;
  field.name = bits.name.text;
  field.low = bits.low;
  field.width = bits.high - bits.low + 1;
  field.constant = bits.constant;
  field.slots.reserve(bits.slots.size());
  for (const lang::Word& slot : bits.slots) field.slots.push_back(slot.text);
  field.is_zero_unused = bits.is_zero_unused;
  field.unless = bits.unless.text;
  const ChipSet on = resolve(bits.on);
  field.chips = on & encoding.chips;
  if (field.chips == 0 && on != 0) fail(bits.at, encoding.name + " does not exist on " + chip_names(on));
  if (bits.high >= encoding.bits) {
    return fail(bits.at, "bit " + std::to_string(bits.high) + " is outside " + encoding.name + ", which has " +
                             std::to_string(encoding.bits) + " bits");
  }
  if (field.width > 64) return fail(bits.at, "a field has at most 64 bits");
  using Kind = lang::BitLine::Kind;
  field.role = bits.kind == Kind::constant   ? FieldRole::constant
               : bits.kind == Kind::opcode   ? FieldRole::opcode
               : bits.kind == Kind::reserved ? FieldRole::reserved
               : bits.kind == Kind::operand  ? FieldRole::operand
                                             : FieldRole::modifier;
  field.style = bits.type.text;
  if (field.role == FieldRole::constant) field.name.clear();
  if (field.role == FieldRole::operand && field.style == "acc") field.role = FieldRole::modifier;
  if (!bits.via.text.empty()) (field.role == FieldRole::operand ? field.dpp_kind : field.kind) = kind_named(bits.via);
  field.bits = static_cast<u32>(bits.via_bits);
  if (field.role == FieldRole::operand && field.style == "joined") {
    field.role = FieldRole::joined;
    field.style = "imm";
    insert_field(encoding, std::move(field));
    return;
  }
  if (field.role == FieldRole::operand && field.style != "imm" && field.style != "simm") {
    return add_operand_fields(encoding, field, bits);
  }
  insert_field(encoding, std::move(field));
}

// One row for each operand kind of that name, since a kind may differ from chip to chip.
void Builder::add_operand_fields(Encoding& encoding, const Field& field, const lang::BitLine& bits) {
  ChipSet left = field.chips;
  const auto found = kinds_.find(field.style);
  if (found != kinds_.end()) {
    for (const u32 index : found->second) {
      const OperandKind& kind = isa_.kinds[index];
      if ((kind.chips & left) == 0) continue;
      Field part = field;
      part.kind = index;
      part.chips = kind.chips & left;
      left &= ~kind.chips;
      if (kind.bits != field.width) {
        fail(bits.type.at, "kind '" + kind.name + "' has " + std::to_string(kind.bits) + " bits, but the field has " +
                               std::to_string(field.width));
      }
      insert_field(encoding, std::move(part));
    }
  }
  if (left == 0) return;
  if (found != kinds_.end())
    return fail(bits.type.at, "kind '" + field.style + "' does not exist on " + chip_names(left));
  std::vector<std::string_view> names{"imm", "simm", "joined"};
  for (const OperandKind& kind : isa_.kinds) names.push_back(kind.name);
  fail(bits.type.at, "unknown operand kind '" + field.style + "'", suggestion(field.style, names));
  // The field stays, so that the bits do not look unowned as well.
  Field part = field;
  part.chips = left;
  insert_field(encoding, std::move(part));
}

void Builder::add_implied(Encoding& encoding, const lang::ImpliedLine& line) {
  const ChipSet chips = resolve(line.on) & encoding.chips;
  for (const Implied& other : encoding.implied) {
    const bool twice = other.slot == line.slot.text && (other.chips & chips) != 0;
    if (twice) fail(line.slot.at, "slot '" + other.slot + "' is implied twice");
  }
  std::map<u32, ChipSet> by_code;
  for (u32 chip = 0; chip < isa_.chips.size(); ++chip) {
    if ((chips >> chip & 1) == 0) continue;
    if (const std::optional<u32> code = code_of(line.reg.text, chip)) {
      by_code[*code] |= ChipSet{1} << chip;
      continue;
    }
    std::vector<std::string_view> names;
    for (const Code& known : isa_.codes) names.push_back(known.name);
    const std::string hint = suggestion(line.reg.text, names);
    fail(line.reg.at, "'" + line.reg.text + "' is no register of " + isa_.chips[chip].name, hint);
    break;
  }
  for (const auto& [code, on] : by_code) encoding.implied.push_back({line.slot.text, line.reg.text, on, code});
}

void Builder::add_syntax(std::vector<SyntaxOrder>& orders, const std::vector<lang::SyntaxLine>& lines, ChipSet chips) {
  ChipSet taken = 0;
  for (const lang::SyntaxLine& line : lines) {
    SyntaxOrder order;
    order.chips = resolve(line.on) & chips;
    for (const lang::Word& item : line.items) order.items.push_back(item.text);
    if ((order.chips & taken) != 0) fail(line.at, "two syntax lines for " + chip_names(order.chips & taken));
    taken |= order.chips;
    orders.push_back(std::move(order));
  }
}

// Items are slots that some field holds or that are implied, or modifier fields.
void Builder::check_syntax(const Encoding& encoding, const lang::Encoding& source) {
  std::vector<std::string_view> known;
  for (const Field& field : encoding.fields) {
    if (field.role == FieldRole::modifier) known.push_back(field.name);
    for (const std::string& slot : field.slots) known.push_back(slot);
  }
  for (const Implied& implied : encoding.implied) known.push_back(implied.slot);
  for (const lang::SyntaxLine& line : source.syntax) {
    for (const lang::Word& item : line.items) {
      if (std::find(known.begin(), known.end(), item.text) != known.end()) continue;
      fail(item.at, "'" + item.text + "' is neither a slot nor a modifier of " + encoding.name,
           suggestion(item.text, known));
    }
  }
}

void Builder::add_hosts(Encoding& encoding, const lang::Encoding& source) {
  if (!encoding.is_suffix) return;
  for (const lang::Hosts& hosts : source.hosts) {
    const ChipSet on = resolve(hosts.on) & encoding.chips;
    for (const lang::Word& name : hosts.encodings) {
      const auto found = encodings_.find(name.text);
      if (found == encodings_.end()) {
        unknown_encoding(name);
        continue;
      }
      for (const u32 host : found->second) {
        const ChipSet chips = isa_.encodings[host].chips & on;
        if (isa_.encodings[host].is_suffix) fail(name.at, "'" + name.text + "' is itself a suffix");
        if (chips) encoding.hosts.push_back({host, chips});
      }
    }
  }
  if (source.hosts.empty()) fail(source.name.at, "the suffix follows no encoding", "suffix DPP16 32 of VOP1 VOP2");
  encoding.selects_field = source.selects_field.text;
  encoding.selects_value = source.selects_value;
  check_selected(encoding, source);
}

void Builder::check_selected(const Encoding& encoding, const lang::Encoding& source) {
  if (encoding.selects_field.empty()) {
    return fail(source.name.at, "nothing selects the suffix", "selects src0 = 250, or selects literal");
  }
  if (encoding.selects_field == "literal" || encoding.selects_field == "literal64") return;
  for (const Host& host : encoding.hosts) {
    const Encoding& follows = isa_.encodings[host.encoding];
    ChipSet without = host.chips;
    for (const Field& field : follows.fields) {
      if (field.name == encoding.selects_field) without &= ~field.chips;
    }
    if (without == 0) continue;
    std::vector<std::string_view> names;
    for (const Field& field : follows.fields) names.push_back(field.name);
    fail(source.selects_field.at,
         follows.name + " on " + chip_names(without) + " has no field '" + encoding.selects_field + "'",
         suggestion(encoding.selects_field, names));
  }
}

void Builder::add_promotes() {
  for (const lang::File& file : files_) {
    for (const lang::Promote& source : file.promotes) {
      bool known = true;
      for (const lang::Word* name : {&source.from, &source.to}) {
        if (encodings_.count(name->text) != 0) continue;
        unknown_encoding(*name);
        known = false;
      }
      const ChipSet chips =
          resolve(source.on) & chips_of_encoding(source.from.text) & chips_of_encoding(source.to.text);
      std::vector<std::string> without;
      for (const lang::Word& name : source.without) {
        if (!is_modifier(name.text)) fail(name.at, "no encoding has a modifier '" + name.text + "'");
        without.push_back(name.text);
      }
      if (known) promotions_.push_back({source.from.text, source.to.text, source.step, std::move(without), chips});
    }
  }
}

void Builder::unknown_encoding(const lang::Word& name) {
  std::vector<std::string_view> names;
  for (const Encoding& encoding : isa_.encodings) names.push_back(encoding.name);
  fail(name.at, "unknown encoding '" + name.text + "'", suggestion(name.text, names));
}

bool Builder::is_modifier(const std::string& name) const {
  for (const Encoding& encoding : isa_.encodings) {
    for (const Field& field : encoding.fields) {
      if (field.role == FieldRole::modifier && field.name == name) return true;
    }
  }
  return false;
}

bool Builder::is_suffix(const std::string& name) const {
  const auto found = encodings_.find(name);
  return found != encodings_.end() && isa_.encodings[found->second.front()].is_suffix;
}

u32 Builder::find_encoding(const std::string& name, u32 chip) const {
  if (const auto found = encodings_.find(name); found != encodings_.end()) {
    for (const u32 index : found->second) {
      if (isa_.encodings[index].chips >> chip & 1) return index;
    }
  }
  return static_cast<u32>(isa_.encodings.size());
}

ChipSet Builder::chips_of_encoding(const std::string& name) const {
  ChipSet chips = 0;
  if (const auto found = encodings_.find(name); found != encodings_.end()) {
    for (const u32 index : found->second) chips |= isa_.encodings[index].chips;
  }
  return chips;
}

}  // namespace gfxisa::model

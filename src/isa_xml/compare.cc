#include "isa_xml/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "doc/catalogue.h"
#include "inst/instruction.h"
#include "isa_xml/compare_operands.h"
#include "isa_xml/groups.h"

namespace gfxisa::isa_xml {
namespace {

const Tables& all() { return tables(); }

/// Pieces that follow one another as one.
std::vector<Range> merged(const std::vector<Range>& pieces) {
  std::vector<Range> out;
  for (const Range& piece : pieces) {
    if (!out.empty() && out.back().low + out.back().width == piece.low) {
      out.back().width += piece.width;
    } else {
      out.push_back(piece);
    }
  }
  return out;
}

/// The pieces of a field of ours, least significant first: opsel_hi and opsel_hi2.
std::vector<Range> pieces_of(const EncodingRow& encoding, const FieldRow& field, unsigned at) {
  std::vector<Range> out{{field.low + at, field.width}};
  for (unsigned number = 2; const FieldRow* part = find_part(encoding, field, number); ++number)
    out.push_back({part->low + at, part->width});
  return merged(out);
}

/// Our fields of a host and of a suffix behind it, by key.
class OurFields {
 public:
  OurFields(const EncodingRow& host, const EncodingRow* suffix) : host_(host), suffix_(suffix) {}

  enum class Match { same, elsewhere, absent };
  /// `found` gets the pieces of the field of that name.
  Match find(std::string_view key, int part_at, const std::vector<Range>& wanted, std::vector<Range>& found) const {
    const std::vector<Range> ranges = merged(wanted);
    Match best = Match::absent;
    for_each([&](const EncodingRow& encoding, const FieldRow& field, unsigned at) {
      if (best == Match::same || key_of(field) != key) return;
      const auto pieces = pieces_of(encoding, field, at);
      const bool is_first = ranges.size() == 1 && Range{field.low + at, field.width} == ranges.front();
      const bool is_same =
          pieces == ranges || is_first || (ranges.size() == 1 && covers(pieces, ranges.front(), part_at));
      best = is_same ? Match::same : Match::elsewhere;
      found = pieces;
    });
    return best;
  }
  /// Whether the encoding fixes all these bits, or leaves them unused.
  bool is_fixed(const std::vector<Range>& ranges) const {
    return std::all_of(ranges.begin(), ranges.end(), [&](const Range& range) { return is_fixed(range); });
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const FieldRow& field : fields_of(host_)) {
      if (is_named(field)) visit(host_, field, 0u);
    }
    if (suffix_ == nullptr) return;
    for (const FieldRow& field : fields_of(*suffix_)) {
      if (is_named(field)) visit(*suffix_, field, static_cast<unsigned>(host_.bits));
    }
  }
  static std::string key_of(const FieldRow& field) {
    return field.role == FieldRole::opcode ? "op" : our_field_key(all().text(field.name));
  }

 private:
  bool is_fixed(const Range& range) const {
    for (unsigned bit = range.low; bit < range.low + range.width; ++bit) {
      const FieldRole role = role_of(bit);
      if (role != FieldRole::constant && role != FieldRole::reserved) return false;
    }
    return true;
  }
  /// Whether our pieces say the same as one range of the XML: it is inside of them, or beyond them are fixed bits only.
  bool covers(const std::vector<Range>& pieces, const Range& range, int part_at) const {
    if (pieces.size() != 1) return false;
    const Range& piece = pieces.front();
    const unsigned end = piece.low + piece.width, wanted = range.low + range.width;
    if (part_at >= 0) return range.low == piece.low + static_cast<unsigned>(part_at) && wanted <= end;
    return piece.low == range.low && end < wanted && is_fixed(Range{end, wanted - end});
  }
  static bool is_named(const FieldRow& field) {
    return field.role != FieldRole::constant && field.role != FieldRole::reserved;
  }
  /// What owns a bit of the host's words or of the suffix's behind them.
  FieldRole role_of(unsigned bit) const {
    const bool is_host = bit < host_.bits || suffix_ == nullptr;
    const unsigned at = is_host ? bit : bit - host_.bits;
    for (const FieldRow& field : fields_of(is_host ? host_ : *suffix_)) {
      if (field.role != FieldRole::joined && at >= field.low && at < static_cast<unsigned>(field.low + field.width))
        return field.role;
    }
    return FieldRole::reserved;
  }

  const EncodingRow& host_;
  const EncodingRow* suffix_;
};

class Comparer {
 public:
  Comparer(const Document& document, unsigned chip) : document_(document), groups_(chip) {
    out_.file = document.file;
    out_.architecture = document.architecture;
    out_.schema = document.schema;
    out_.date = document.date;
    out_.chip = chip;
  }

  Comparison run() {
    for (const Encoding& encoding : document_.encodings) compare_encoding(encoding);
    absent_encodings();
    for (const Instruction& instruction : document_.instructions) {
      // AMD's files say some ways twice, word for word.
      std::set<std::tuple<std::string_view, std::string_view, u32>> seen;
      for (const InstructionEncoding& way : instruction.encodings) {
        if (seen.emplace(way.encoding, way.condition, way.opcode).second) compare_way(instruction, way);
      }
    }
    absent_forms();
    compare_types(document_, groups_.chip(), type_uses_, out_);
    return std::move(out_);
  }

 private:
  void add(Kind kind, const std::string& encoding, std::string about, std::string xml, std::string here) {
    out_.differences.push_back({kind, encoding, "", -1, std::move(about), std::move(xml), std::move(here)});
  }

  void compare_encoding(const Encoding& official) {
    const EncodingName name = encoding_name(official.name);
    const auto ours = groups_.encodings(name.group);
    const EncodingRow* suffix = name.suffix.empty() ? nullptr : groups_.suffix(name.suffix);
    ++out_.encodings;
    // A literal that an encoding of ours always has (SOPK_LITERAL, VOP2_K) is no suffix there.
    if (ours.empty() || (!name.suffix.empty() && suffix == nullptr))
      return add(Kind::encoding, official.name, "", fmt::format("{} bits", official.bits), "none");
    const unsigned bits = ours.front()->bits + (suffix == nullptr ? 0u : suffix->bits);
    const bool has_size = bits == official.bits || std::any_of(ours.begin(), ours.end(), [&](const EncodingRow* e) {
                            return e->bits == official.bits;
                          });
    if (!has_size)
      add(Kind::encoding, official.name, "bits", fmt::format("{}", official.bits), fmt::format("{}", bits));
    if (suffix == nullptr) compare_identifiers(official, ours);
    compare_fields(official, ours, suffix);
  }

  void compare_identifiers(const Encoding& official, const std::vector<const EncodingRow*>& ours) {
    for (const Word& identifier : official.identifiers) {
      const bool is_ours = std::any_of(ours.begin(), ours.end(), [&](const EncodingRow* encoding) {
        const u64 low = encoding->mask & official.mask.low, high = encoding->high_mask & official.mask.high;
        return ((identifier.low ^ encoding->match) & low) == 0 &&
               ((identifier.high ^ encoding->high_match) & high) == 0;
      });
      if (is_ours) continue;
      return add(Kind::identifier, official.name, "", fmt::format("0x{:08x}", identifier.low),
                 fmt::format("0x{:08x} in the bits 0x{:08x}", ours.front()->match, ours.front()->mask));
    }
  }

  void compare_fields(const Encoding& official, const std::vector<const EncodingRow*>& ours,
                      const EncodingRow* suffix) {
    std::set<std::string> known;
    for (const Field& field : official.fields) {
      const std::string key = official_field_key(field.name);
      known.insert(key);
      if (key == "-" || key.starts_with("reserved")) continue;
      std::vector<Range> found;
      OurFields::Match best = OurFields::Match::absent;
      bool is_fixed = true;
      for (const EncodingRow* encoding : ours) {
        const OurFields fields(*encoding, suffix);
        std::vector<Range> place;
        const auto match = fields.find(key, place_in_field(field.name), field.ranges, place);
        // Where it is elsewhere in all of them, the first is the one of that very name.
        if (match == OurFields::Match::same ||
            (match == OurFields::Match::elsewhere && best == OurFields::Match::absent)) {
          best = match;
          found = place;
        }
        is_fixed = is_fixed && fields.is_fixed(field.ranges);
      }
      if (best == OurFields::Match::same || (best == OurFields::Match::absent && is_fixed)) continue;
      add(Kind::field, official.name, field.name, bits_text(field.ranges),
          best == OurFields::Match::absent ? "none" : bits_text(found));
    }
    OurFields(*ours.front(), suffix).for_each([&](const EncodingRow& encoding, const FieldRow& field, unsigned at) {
      const std::string key = OurFields::key_of(field);
      const bool is_part = is_piece(encoding, field);
      if (field.role == FieldRole::joined || is_part || known.count(key) != 0) return;
      add(Kind::field, official.name, std::string(all().text(field.name)), "none",
          bits_text(pieces_of(encoding, field, at)));
    });
  }

  /// Whether a field is the further piece of another: opsel_hi2.
  static bool is_piece(const EncodingRow& encoding, const FieldRow& field) {
    for (const FieldRow& other : fields_of(encoding)) {
      for (unsigned number = 2; const FieldRow* part = find_part(encoding, other, number); ++number) {
        if (part == &field) return true;
      }
    }
    return false;
  }

  void absent_encodings() {
    std::set<std::string> official;
    for (const Encoding& encoding : document_.encodings) official.insert(encoding_name(encoding.name).group);
    std::set<std::string_view> seen;
    const ChipRow& row = all().chips[groups_.chip()];
    for (u32 i = row.first_encoding; i < static_cast<u32>(row.first_encoding + row.encoding_count); ++i) {
      const EncodingRow& encoding = all().encodings[i];
      const std::string_view name = all().text(encoding.name);
      const bool is_there = std::any_of(official.begin(), official.end(),
                                        [&](const std::string& group) { return is_in_group(name, group); });
      if (encoding.is_suffix || is_there || !seen.insert(name).second) continue;
      add(Kind::encoding, std::string(name), "", "none", fmt::format("{} bits", encoding.bits));
    }
  }

  void compare_way(const Instruction& instruction, const InstructionEncoding& way) {
    const EncodingName name = encoding_name(way.encoding);
    const auto names = Groups::mnemonics(name, instruction);
    const auto candidates = groups_.forms(name.group, way.opcode);
    const auto differs = [&](Kind kind, std::string about, std::string xml, std::string here) {
      const std::string shown = names.back();
      // One line for an instruction, however many words may follow it.
      if (!name.suffix.empty() && kind != Kind::follows) return;
      out_.differences.push_back(
          {kind, way.encoding, shown, static_cast<int>(way.opcode), std::move(about), std::move(xml), std::move(here)});
    };
    const auto named =
        std::find_if(candidates.begin(), candidates.end(), [&](u32 form) { return groups_.is_called(form, names); });
    if (named != candidates.end()) {
      std::vector<u32> forms;
      for (const u32 form : candidates) {
        if (groups_.is_called(form, names)) forms.push_back(form);
      }
      matched_.insert(forms.begin(), forms.end());
      covered_.insert(name.group);
      if (name.suffix.empty()) {
        ++out_.instructions;
        out_.operands += compare_operands({way, names.front(), forms, groups_.chip()}, type_uses_, out_.differences);
      } else if (!takes(candidates, names, name.suffix)) {
        differs(Kind::follows, name.suffix, "may follow", "may not");
      }
      return;
    }
    if (!name.suffix.empty()) {
      if (!candidates.empty() || !groups_.encodings(name.group).empty())
        differs(Kind::follows, name.suffix, "may follow", "no such instruction");
      return;
    }
    covered_.insert(name.group);
    ++out_.instructions;
    if (!candidates.empty()) {
      for (const u32 form : candidates) matched_.insert(form);
      return differs(Kind::name, "", names.front(), std::string(all().text(all().forms[candidates.front()].mnemonic)));
    }
    for (const u32 form : groups_.forms(name.group)) {
      if (!groups_.is_called(form, names)) continue;
      matched_.insert(form);
      return differs(Kind::opcode, "", fmt::format("{}", way.opcode), fmt::format("{}", all().forms[form].opcode));
    }
    differs(Kind::only_xml, "", fmt::format("opcode {}", way.opcode), "none");
  }

  bool takes(const std::vector<u32>& forms, const std::vector<std::string>& names, std::string_view suffix) const {
    return std::any_of(forms.begin(), forms.end(), [&](u32 form) {
      if (!groups_.is_called(form, names)) return false;
      const FormRow& row = all().forms[form];
      if (suffix == "LITERAL" && all().encodings[row.encoding].literal_field != 0xff) return true;
      const auto there = suffixes_of(groups_.chip(), row);
      return std::find(there.begin(), there.end(), suffix) != there.end();
    });
  }

  void absent_forms() {
    const ChipRow& row = all().chips[groups_.chip()];
    std::set<std::pair<std::string_view, u32>> seen;
    for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) {
      const FormRow& form = all().forms[i];
      const std::string_view encoding = all().text(all().encodings[form.encoding].name);
      const bool is_covered = std::any_of(covered_.begin(), covered_.end(),
                                          [&](const std::string& group) { return is_in_group(encoding, group); });
      if (!is_covered || matched_.count(i) != 0) continue;
      out_.differences.push_back({Kind::only_here, std::string(encoding), std::string(all().text(form.mnemonic)),
                                  form.opcode, "", "none", fmt::format("opcode {}", form.opcode)});
    }
  }

  const Document& document_;
  Groups groups_;
  Comparison out_;
  TypeUses type_uses_;
  std::set<u32> matched_;
  std::set<std::string> covered_;
};

}  // namespace

std::array<u32, static_cast<std::size_t>(Kind::count)> Comparison::counts() const {
  std::array<u32, static_cast<std::size_t>(Kind::count)> out{};
  for (const Difference& difference : differences) ++out[static_cast<std::size_t>(difference.kind)];
  return out;
}

Comparison compare(const Document& document, unsigned chip) { return Comparer(document, chip).run(); }

}  // namespace gfxisa::isa_xml

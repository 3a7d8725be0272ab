// Bodies that a lane kernel's rows do not show: scalar ones, those of whole waves, and those of lanes that reach memory
// or registers. Each runs through its kernel on a wave with random registers, memory and data share, and through the
// reference evaluator on a copy of them; then all registers, memory and the data share must be the same.
#include <gtest/gtest.h>
#include <immintrin.h>

#include <cstring>
#include <map>
#include <memory>

#include "core/blob.h"
#include "core/evaluate.h"
#include "every_support.h"
#include "exec/access.h"
#include "exec/interpreter.h"
#include "exec/program.h"
#include "exec/wave_setup.h"
#include "inst/instruction.h"
#include "inst/tables.h"

namespace gfxisa::exec {
namespace {

using core::Op;

constexpr u32 vector_registers = 200, memory_bytes = 4096, share_bytes = 4096;
constexpr unsigned shared_scalars = 100;  ///< SGPRs that slots may be

/// Of operations whose effect is the engine's own, with no meaning in the tree: what it is, and the tests that have it.
std::string tested_elsewhere(Op op) {
  switch (op) {
    case Op::copy_tile:
      return "moves a tile as a descriptor says: Special.TilesOfTensors";
    case Op::index_begin:
      return "changes the operands of instructions behind it: Relative.IndexModeOfGfx9";
    case Op::set_banks:
      return "changes the operands of instructions behind it: Relative.RegistersAbove256";
    case Op::barrier_arrive:
    case Op::barrier_wait:
      return "concerns other waves: CompiledGroups.Groups, NamedBarrier.*, Vectors.WavesOfAWorkgroup";
    case Op::barrier_members:
    case Op::barrier_clear:
    case Op::barrier_join:
      return "concerns other waves: NamedBarrier.*";
    case Op::gws_init:
    case Op::gws_add:
    case Op::gws_free:
    case Op::gws_take:
    case Op::gws_barrier:
      return "concerns other workgroups: Dispatch.WorkgroupsMeetAtGlobalBarriers, "
             "Dispatch.GlobalSemaphoresLetAsManyPassAsTheyCount";
    default:
      return {};
  }
}

/// Where a slot lies: SGPRs or rows from `first` on.
struct Place {
  bool is_vector = false, is_there = false;
  u32 first = 0, words = 0;
};

/// A value that the tree makes of its slot's lanes.
bool is_by_lane(const core::Body& body, std::size_t slot) {
  const bool node = std::any_of(body.nodes.begin(), body.nodes.end(), [&](const core::Node& n) {
    return n.immediate == slot &&
           (n.op == Op::lane_input || n.op == Op::lane_current || n.op == Op::item || n.op == Op::item_store);
  });
  return node || std::any_of(body.statements.begin(), body.statements.end(), [&](const core::Statement& s) {
           return s.kind == core::Statement::Kind::assign && s.slot == slot && s.index != core::no_node;
         });
}

struct Image {
  std::vector<u32> scalars, vectors;
  u32 scc = 0, mode = 0;
  bool operator==(const Image&) const = default;
};

class EveryBody {
 public:
  explicit EveryBody(u32 semantics) : semantics_(semantics), row_(tables().semantics[semantics]) {}

  enum class Coverage { here, other_test, left_out };
  /// Whether the body is compared here. If not, another test has it (EveryKernel), or `why` says what the tree lacks.
  Coverage prepare(std::string& why) {
    auto body = core::deserialise(tables().tree_words.subspan(row_.first_blob, row_.blob_words));
    if (!body) {
      why = "the tree cannot be read";
      return Coverage::left_out;
    }
    body_ = std::move(*body);
    if (body_.kind == core::BodyKind::lane && !row_.has_effects) return Coverage::other_test;
    waves_ = sizes_of_waves();
    for (const core::Node& node : body_.nodes) {
      why = tested_elsewhere(node.op);
      if (!why.empty()) return Coverage::left_out;
    }
    return Coverage::here;
  }
  std::string name() const { return std::string(tables().text(tables().instructions[row_.instruction].name)); }
  /// Matrix operations take the reference long.
  bool is_slow() const { return !body_.arrays.empty(); }

  /// One random state; empty when both sides agree.
  std::string check(const KernelSet& set, unsigned seed) {
    random_.seed(seed * 2654435761u + semantics_);
    const unsigned wave_size = (waves_ & 1) != 0 && ((waves_ & 2) == 0 || random_() % 2 == 0) ? 32 : 64;
    Wave wave(wave_size, vector_registers);
    set_up(wave);
    const Image before = image_of(wave);
    const std::vector<u8> memory = memory_, share = share_;
    run_kernel(set, wave);
    const Image actual = image_of(wave);
    const std::vector<u8> actual_memory = memory_, actual_share = share_;
    memory_ = memory;
    share_ = share;
    expected_ = before;
    std::string text = evaluate(before, wave);
    if (!text.empty()) return text;
    if (has_missed_ || wave.fault)
      return has_missed_ || explains(wave.fault) ? ""
                                                 : "an unexpected fault: " + std::string(describe(wave.fault.kind));
    if (text = control_difference(wave); !text.empty()) return text;
    if (text = difference(actual, wave_size); !text.empty()) return text;
    if (actual_memory != memory_) return "memory differs";
    return actual_share != share_ ? "the data share differs" : "";
  }

 private:
  void set_up(Wave& wave) {
    memory_.resize(memory_bytes + 64);
    share_.resize(share_bytes);
    for (u8& byte : memory_) byte = static_cast<u8>(random_());
    for (u8& byte : share_) byte = static_cast<u8>(random_());
    group_ = Workgroup{};
    group_.lds = share_.data();
    group_.lds_bytes = share_bytes;
    group_.wave_count = group_.live_waves = 4;
    map_ = MemoryMap();
    map_.add(memory_start(), memory_bytes, true);
    connect_wave(wave, program(), WaveTraits(program().chip()), group_, map_, {}, random_mode());
    for (u32 code = 0; code < 124; ++code) wave.scalar_file()[code] = interesting_word(random_);
    for (u32 number = 0; number < vector_registers; ++number) {
      for (u32 lane = 0; lane < wave.wave_size(); ++lane) wave.row(number)[lane] = interesting_word(random_);
    }
    wave.scc = random_() % 2;
    const u32 kind = random_() % 8;
    const u64 some = random_() | u64{random_()} << 32;
    wave.set_exec(kind == 0 ? 0 : kind < 4 ? ~u64{0} : some);
    write_m0(wave, random_() % 64 * 4 | (random_() % 4) << 16);
    place_slots(wave);
  }

  /// Of the generations that have the body: bit 0 for 32 lanes, bit 1 for 64.
  u8 sizes_of_waves() const {
    u8 sizes = 0;
    for (const ChipRow& chip : tables().chips) {
      const auto forms = tables().forms.subspan(chip.first_form, chip.form_count);
      const bool has =
          std::any_of(forms.begin(), forms.end(), [&](const FormRow& form) { return form.semantics == semantics_; });
      if (has) sizes |= chip.waves;
    }
    return sizes;
  }

  u8* memory_start() { return memory_.data() + (64 - reinterpret_cast<u64>(memory_.data()) % 64) % 64; }

  u32 random_mode() {
    constexpr u32 modes[] = {0xf0, 0x105, 0x1aa, 0x1c4, 0x3b};
    return modes[random_() % std::size(modes)];
  }

  static const Program& program() {
    static const std::vector<u8> code = [] {
      std::vector<u8> nops;
      for (int i = 0; i < 64; ++i) nops.insert(nops.end(), {0x00, 0x00, 0x80, 0xbf});
      return nops;
    }();
    static const Program nops(static_cast<unsigned>(find_chip("gfx1100")), 64, code);
    return nops;
  }

  bool reaches(bool share) const {
    return std::any_of(body_.nodes.begin(), body_.nodes.end(), [&](const core::Node& n) {
      return share ? n.op >= Op::lds_load && n.op <= Op::lds_update
                   : (n.op >= Op::mem_load && n.op <= Op::mem_update) || n.op == Op::scalar_load;
    });
  }

  void place_slots(Wave& wave) {
    places_.assign(body_.slots.size(), {});
    step_ = {};
    u32 scalar = 0, vector = 0;
    for (i64& value : step_.immediates) value = static_cast<i64>(random_() % 16);
    choose_fields();
    for (std::size_t s = 0; s < body_.slots.size(); ++s) {
      const core::SlotInfo& slot = body_.slots[s];
      if (slot.is_immediate || is_named_slot(slot.name)) continue;
      Place& place = places_[s];
      place.is_there = true;
      place.words = is_mask_slot(slot) ? 2 : (slot.type.bits + 31u) / 32u;
      const bool is_lane = body_.kind == core::BodyKind::lane && !is_mask_slot(slot);
      place.is_vector = is_lane || (body_.kind == core::BodyKind::wave && is_by_lane(body_, s));
      u32& next = place.is_vector ? vector : scalar;
      if (!place.is_vector) next = (next + 1) & ~1u;
      place.first = next;
      next += place.words;
      add_operand(wave, slot, place);
      if (slot.is_read) choose_values(wave, slot, place);
    }
    fits_ = scalar <= shared_scalars && vector <= vector_registers;
  }

  /// Modifier fields have values that fit into their bits.
  void choose_fields() {
    const auto forms = tables().forms;
    const auto form =
        std::find_if(forms.begin(), forms.end(), [&](const FormRow& f) { return f.semantics == semantics_; });
    unsigned field = 0;
    for (const core::SlotInfo& slot : body_.slots) {
      if (!slot.is_field) continue;
      const FieldRow* row = form == forms.end() ? nullptr : find_field(tables().encodings[form->encoding], slot.name);
      const u64 value = row == nullptr ? 0 : random_() & ((1u << row->width) - 1);
      i64& word = step_.immediates[max_immediates - 1 - field / 8];
      word = static_cast<i64>((static_cast<u64>(word) & ~(u64{0xff} << field % 8 * 8)) | value << field % 8 * 8);
      ++field;
    }
  }

  void add_operand(const Wave& wave, const core::SlotInfo& slot, const Place& place) {
    OperandRef ref;
    ref.offset = place.is_vector ? wave.row_offset(place.first) : place.first * 4;
    ref.rows = static_cast<u8>(is_mask_slot(slot) ? 1 : place.words);
    ref.is_scalar = !place.is_vector;
    ref.is_mask = is_mask_slot(slot) && body_.kind != core::BodyKind::scalar;
    ref.row_stride = place.is_vector ? static_cast<u16>(wave.row_bytes()) : u16{0};
    ref.half_stride = place.is_vector ? half_row_bytes : 0;
    if (slot.is_read) {
      step_.in[step_.input_count++] = ref;
      step_.input_rows = static_cast<u8>(step_.input_rows + ref.rows);
    }
    if (slot.is_written) {
      step_.out[step_.output_count++] = ref;
      step_.output_rows = static_cast<u8>(step_.output_rows + ref.rows);
    }
  }

  void set_word(Wave& wave, const Place& place, u32 lane, u32 word, u32 value) {
    if (place.is_vector)
      wave.row(place.first + word)[lane] = value;
    else
      wave.scalar_file()[place.first + word] = value;
  }

  /// Places of lanes below `size`: anywhere, side by side, all the same, or 16 side by side twice.
  class LanePattern {
   public:
    LanePattern(std::mt19937& random, u32 size) : random_(random), size_(size), kind_(random() % 4) {
      bytes_ = 1u << random() % 5;
      start_ = random() % 2 == 0 ? size - 64 * bytes_ : random() % (size - 64 * bytes_);
    }
    u32 place(u32 lane) {
      constexpr u32 alignment = 8;
      if (kind_ == 0) return random_() % (size_ / alignment - 16) * alignment;
      return start_ + (kind_ == 1 ? lane : kind_ == 2 ? 0 : lane % 16) * bytes_;
    }

   private:
    std::mt19937& random_;
    u32 size_, kind_, bytes_ = 1, start_ = 0;
  };

  /// Addresses mostly point where something is.
  void choose_values(Wave& wave, const core::SlotInfo& slot, const Place& place) {
    const bool is_address = reaches(false) && slot.type.bits == 64 && (slot.name == "addr" || slot.name == "base");
    const bool is_place =
        reaches(true) && slot.type.bits == 32 && (slot.name == "addr" || slot.name == "place" || slot.name == "data");
    LanePattern pattern(random_, is_address ? memory_bytes : share_bytes);
    const u32 strays = random_() % 2;
    for (u32 lane = 0; lane < (place.is_vector ? wave.wave_size() : 1); ++lane) {
      if (is_address) {
        const u64 address = reinterpret_cast<u64>(memory_start()) + pattern.place(lane);
        set_word(wave, place, lane, 0, static_cast<u32>(address));
        set_word(wave, place, lane, 1, static_cast<u32>(address >> 32));
      } else if (is_place && (strays == 0 || random_() % 8 != 0)) {
        set_word(wave, place, lane, 0, pattern.place(lane));
      }
    }
  }

  void run_kernel(const KernelSet& set, Wave& wave) {
    steps_[0] = step_;
    steps_[1] = Step{};
    Step& step = steps_[0];
    const Kernel& kernel = set.kernels[semantics_];
    step.semantics = static_cast<u16>(semantics_);
    step.float_mode = row_.float_mode;
    step.has_effects = row_.has_effects;
    step.next_offset = 4;
    if (kernel.scalar != nullptr) {
      step.inner = kernel.scalar;
      step.run = run_scalar_checked;
      if (row_.writes_pc) step.run = run_scalar_float;
    } else {
      step.kernel = kernel.lane;
      step.writes_in_place = random_() % 2 == 0;
      for (unsigned o = 0; o < step.output_count; ++o)
        step.has_mask_output = step.has_mask_output || step.out[o].is_mask;
      step.run = host_handlers().choose(step, wave.wave_size());
    }
    const u32 before = _mm_getcsr();
    wave.current_control = before;
    next_ = step.run(wave, &step);
    _mm_setcsr(before);
  }

  Image image_of(const Wave& wave) const {
    Image image{{}, {}, wave.scc & 1, wave.mode};
    image.scalars.assign(wave.scalar_file(), wave.scalar_file() + 128);
    const u32* rows = wave.row(0);
    image.vectors.assign(rows, rows + vector_registers * wave.wave_size());
    return image;
  }

  // ---------------------------------------------------------------------------------------------- the reference

  u32& word_of(Image& image, const Place& place, u32 lane, u32 word, u32 wave_size) {
    return place.is_vector ? image.vectors[(place.first + word) * wave_size + lane] : image.scalars[place.first + word];
  }

  u8* place_of(core::Space space, u64 address, unsigned bits) {
    if (space == core::Space::data_share) address &= 0xffffffff;  // words of a wide access wrap around
    if (space == core::Space::data_share) return address + bits / 8 <= share_bytes ? share_.data() + address : nullptr;
    const u64 start = reinterpret_cast<u64>(memory_start());
    if (address >= start && address + bits / 8 <= start + memory_bytes) return reinterpret_cast<u8*>(address);
    has_missed_ = true;
    return nullptr;
  }

  core::Environment environment_of(const Image& before, const Wave& wave, u32 lane) {
    const u32 lanes = wave.wave_size();
    core::Environment e;
    e.mode = before.mode;
    e.wave_size = lanes;
    e.lane = lane;
    e.exec = (before.scalars[code_exec] | u64{before.scalars[code_exec + 1]} << 32) & wave.all_lanes();
    e.next_pc = wave.code_base + 4;
    unsigned immediate = 0, field = 0;
    for (std::size_t s = 0; s < body_.slots.size(); ++s) {
      const core::SlotInfo& slot = body_.slots[s];
      const Place& place = places_[s];
      core::WideValue value{};
      e.lanes.emplace_back();
      if (slot.is_field) {
        value = core::wide_value(field_of(step_, field++));
      } else if (slot.is_immediate) {
        value = core::wide_value(static_cast<u128>(static_cast<u64>(step_.immediates[immediate++])));
      } else if (is_named_slot(slot.name)) {
        value = core::wide_value(named_value(before, slot, wave, lane));
      } else if (is_mask_slot(slot)) {
        const u64 mask = (before.scalars[place.first] | u64{before.scalars[place.first + 1]} << 32) & wave.all_lanes();
        value = core::wide_value(body_.kind == core::BodyKind::lane ? mask >> lane & 1 : mask);
      } else if (place.is_vector && body_.kind == core::BodyKind::wave) {
        for (u32 l = 0; l < lanes; ++l) {
          u128 held = 0;
          for (u32 w = 0; w < std::min(place.words, 4u); ++w)
            held |= static_cast<u128>(word_of(expected_, place, l, w, lanes)) << (32 * w);
          e.lanes.back().push_back(fitted(held, slot));
        }
      } else {
        for (u32 w = 0; w < std::min(place.words, 16u); ++w)
          value[w / 2] |= u64{word_of(expected_, place, lane, w, lanes)} << (32 * (w % 2));
        if (slot.type.bits <= 128) value = core::wide_value(fitted(core::low_bits(value), slot));
      }
      e.slots.push_back(value);
    }
    add_hooks(e, wave);
    return e;
  }

  static u128 fitted(u128 value, const core::SlotInfo& slot) {
    return slot.type.bits >= 128 ? value : value & ((u128{1} << slot.type.bits) - 1);
  }

  u64 named_value(const Image& before, const core::SlotInfo& slot, const Wave& wave, u32 lane) const {
    const auto pair = [&](u32 code) {
      return (before.scalars[code] | u64{before.scalars[code + 1]} << 32) & wave.all_lanes();
    };
    const bool by_lane = body_.kind == core::BodyKind::lane && is_mask_slot(slot);
    if (slot.name == "scc") return before.scc;
    if (slot.name == "m0") return before.scalars[wave.m0_code];
    if (slot.name == "mode") return before.mode;
    if (slot.name == "pc") return wave.code_base + 4;
    if (slot.name == "clamp") return 0;
    const u64 mask = pair(slot.name == "exec" ? u32{code_exec} : u32{code_vcc});
    return by_lane ? mask >> lane & 1 : mask;
  }

  void add_hooks(core::Environment& e, const Wave& wave) {
    const u32 lanes = wave.wave_size();
    // What is wider than a register pair is moved word by word, and each word may be outside.
    const auto part_of = [](unsigned bits) { return bits <= 64 ? bits : 32u; };
    e.load = [this, part_of](core::Space space, u64 address, unsigned bits, u32) {
      core::WideValue value{};
      for (unsigned bit = 0; bit < bits; bit += part_of(bits)) {
        const u8* at = place_of(space, address + bit / 8, part_of(bits));
        if (at != nullptr) std::memcpy(reinterpret_cast<u8*>(&value) + bit / 8, at, part_of(bits) / 8);
      }
      return value;
    };
    e.store = [this, part_of](core::Space space, u64 address, unsigned bits, u128 value, u32) {
      for (unsigned bit = 0; bit < bits; bit += part_of(bits)) {
        u8* at = place_of(space, address + bit / 8, part_of(bits));
        if (at != nullptr) std::memcpy(at, reinterpret_cast<const u8*>(&value) + bit / 8, part_of(bits) / 8);
      }
    };
    e.clock = [&wave] { return read_clock(wave); };
    e.read_barrier = [&wave](i32 barrier, u32 question) { return read_barrier(wave, barrier, question); };
    e.read_word = [this, lanes](u32 slot, u32 lane, u32 word) {
      return word < places_[slot].words ? word_of(expected_, places_[slot], lane, word, lanes) : 0;
    };
    e.write_word = [this, lanes](u32 slot, u32 lane, u32 word, u32 value) {
      if (word < places_[slot].words) word_of(expected_, places_[slot], lane, word, lanes) = value;
    };
    e.register_number = [this](u32 slot) { return places_[slot].first; };
    e.read_sgpr = [this, &e](u32 number) {
      return number < 128 ? last_write(e, Op::write_sgpr, number, 0, expected_.scalars[number]) : 0;
    };
    e.read_vgpr = [this, &e, lanes](u32 number, u32 lane) {
      return number < vector_registers
                 ? last_write(e, Op::write_vgpr, number, lane % lanes, expected_.vectors[number * lanes + lane % lanes])
                 : 0;
    };
    e.read_hwreg = [&wave](u32 id, u32 offset, u32 size) { return read_hwreg(wave, nullptr, id, offset, size); };
  }

  static u32 last_write(const core::Environment& e, Op op, u32 number, u32 lane, u32 otherwise) {
    for (std::size_t i = e.effects.size(); i-- > 0;) {
      const core::Effect& effect = e.effects[i];
      if (effect.op == op && effect.arguments[0] == number && (op == Op::write_sgpr || effect.arguments[2] == lane))
        return static_cast<u32>(effect.arguments[1]);
    }
    return otherwise;
  }

  /// Runs the tree and leaves in expected_ what it makes of the registers.
  std::string evaluate(const Image& before, const Wave& wave) {
    has_missed_ = false;
    effects_.clear();
    ignored_.clear();
    const u32 lanes = body_.kind == core::BodyKind::lane ? wave.wave_size() : 1;
    const u64 exec = (before.scalars[code_exec] | u64{before.scalars[code_exec + 1]} << 32) & wave.all_lanes();
    for (u32 lane = 0; lane < lanes; ++lane) {
      if (body_.kind == core::BodyKind::lane && (exec >> lane & 1) == 0) continue;
      core::Environment e = environment_of(before, wave, lane);
      const auto done = core::run(body_, e);
      if (!done) return "the evaluator: " + done.error().message;
      write_back(e, wave, lane);
      for (const core::Effect& effect : e.effects) apply(effect, wave);
      effects_.insert(effects_.end(), e.effects.begin(), e.effects.end());
    }
    return {};
  }

  bool stores_items(std::size_t slot) const {
    return std::any_of(body_.nodes.begin(), body_.nodes.end(),
                       [&](const core::Node& n) { return n.op == Op::item_store && n.immediate == slot; });
  }

  void write_back(const core::Environment& e, const Wave& wave, u32 lane) {
    const u32 lanes = wave.wave_size();
    for (std::size_t s = 0; s < body_.slots.size(); ++s) {
      const core::SlotInfo& slot = body_.slots[s];
      const Place& place = places_[s];
      if (!slot.is_written || slot.is_immediate) continue;
      if (is_named_slot(slot.name)) {
        write_named(slot, core::low_bits(e.slots[s]), wave, lane);
      } else if (is_mask_slot(slot)) {
        write_mask(place.first, core::low_bits(e.slots[s]), wave, lane);
      } else if (place.is_vector && body_.kind == core::BodyKind::wave) {
        if (stores_items(s)) continue;
        const u32 above = slot.type.bits < 32 ? ~u32{0} << slot.type.bits : 0;  // not said by the body
        for (u32 l = 0; l < lanes && l < e.lanes[s].size(); ++l) {
          if (above != 0) ignored_.push_back({place.first * lanes + l, above});
          for (u32 w = 0; w < std::min(place.words, 4u); ++w)
            word_of(expected_, place, l, w, lanes) = static_cast<u32>(e.lanes[s][l] >> (32 * w));
        }
      } else {
        for (u32 w = 0; w < place.words; ++w) {
          word_of(expected_, place, lane, w, lanes) = static_cast<u32>(e.slots[s][w / 2] >> (32 * (w % 2)));
        }
      }
    }
  }

  void write_mask(u32 code, u128 value, const Wave& wave, u32 lane) {
    u64 mask = expected_.scalars[code] | u64{expected_.scalars[code + 1]} << 32;
    if (body_.kind == core::BodyKind::lane)
      mask = (mask & ~(u64{1} << lane)) | (value & 1) << lane;
    else
      mask = static_cast<u64>(value);
    expected_.scalars[code] = static_cast<u32>(mask);
    if (wave.wave_size() == 64) expected_.scalars[code + 1] = static_cast<u32>(mask >> 32);
  }

  void write_named(const core::SlotInfo& slot, u128 value, const Wave& wave, u32 lane) {
    if (slot.name == "scc") expected_.scc = value & 1;
    if (slot.name == "m0") expected_.scalars[wave.m0_code] = static_cast<u32>(value);
    if (slot.name == "mode") expected_.mode = static_cast<u32>(value);
    if (slot.name == "exec") write_mask(code_exec, value, wave, lane);
    if (slot.name == "vcc") write_mask(code_vcc, value, wave, lane);
  }

  void apply(const core::Effect& effect, const Wave& wave) {
    const auto& a = effect.arguments;
    if (effect.op == Op::write_sgpr && a[0] < 128) expected_.scalars[a[0]] = static_cast<u32>(a[1]);
    if (effect.op == Op::write_vgpr && a[0] < vector_registers)
      expected_.vectors[a[0] * wave.wave_size() + a[2]] = static_cast<u32>(a[1]);
    if (effect.op == Op::write_hwreg && a[0] == 1 && a[1] < 32) {
      const u32 ones = a[2] >= 32 ? ~u32{0} : (u32{1} << a[2]) - 1;
      expected_.mode = (expected_.mode & ~(ones << a[1])) | static_cast<u32>((a[3] & ones) << a[1]);
    }
  }

  bool has_effect(Op op) const {
    return std::any_of(effects_.begin(), effects_.end(), [op](const core::Effect& e) { return e.op == op; });
  }

  /// Faults that the tree asks for, or that stand for what it cannot know.
  bool explains(const Fault& fault) const {
    if (fault.kind == FaultKind::trap) return has_effect(Op::trap);
    if (fault.kind == FaultKind::halted) return has_effect(Op::halt);
    if (fault.kind == FaultKind::end_of_code) return has_effect(Op::wave_branch) || row_.writes_pc;
    return fault.kind == FaultKind::bad_register || fault.kind == FaultKind::misaligned;
  }

  std::string control_difference(const Wave& wave) const {
    if (wave.has_ended != has_effect(Op::wave_end)) return "ends the wave on one side only";
    const core::Effect* branch = nullptr;
    for (const core::Effect& effect : effects_) branch = effect.op == Op::wave_branch ? &effect : branch;
    if (branch == nullptr || wave.has_ended) return "";
    const Step* wanted = wave.program->step_at(branch->arguments[0] - wave.code_base);
    return wanted == next_ ? "" : "branches to another place";
  }

  /// Whether floats, of 16 bits or 32, are at most two units in the last place apart.
  static bool is_near(u32 a, u32 b) { return a - b + 2 <= 4; }

  std::string difference(const Image& actual, u32 wave_size) const {
    char text[200] = "";
    for (u32 code = 0; code < 128; ++code) {
      if (wave_size == 32 && (code == code_exec + 1 || code == code_vcc + 1)) continue;
      if (actual.scalars[code] == expected_.scalars[code]) continue;
      if (is_approximate_body(body_) && is_near(actual.scalars[code], expected_.scalars[code])) continue;
      std::snprintf(text, sizeof text, "s%u is %x, the evaluator says %x", code, actual.scalars[code],
                    expected_.scalars[code]);
      return text;
    }
    for (std::size_t i = 0; i < actual.vectors.size(); ++i) {
      u32 ignored = 0;
      for (const auto& [place, bits] : ignored_) ignored |= place == i ? bits : 0;
      if (((actual.vectors[i] ^ expected_.vectors[i]) & ~ignored) == 0) continue;
      std::snprintf(text, sizeof text, "v%zu of lane %zu is %x, the evaluator says %x", i / wave_size, i % wave_size,
                    actual.vectors[i], expected_.vectors[i]);
      return text;
    }
    if (actual.scc != expected_.scc) return "scc differs";
    if (actual.mode != expected_.mode)
      std::snprintf(text, sizeof text, "mode is %x, the evaluator says %x", actual.mode, expected_.mode);
    return text;
  }

 public:
  bool fits() const { return fits_; }

 private:
  u32 semantics_;
  const SemanticsRow& row_;
  core::Body body_;
  std::mt19937 random_;
  std::vector<u8> memory_, share_;
  Workgroup group_;
  MemoryMap map_;
  std::vector<Place> places_;
  Step step_, steps_[2];
  const Step* next_ = nullptr;
  Image expected_;
  std::vector<core::Effect> effects_;
  std::vector<std::pair<u32, u32>> ignored_;  ///< words of vectors, and the bits of them that nobody promises
  bool has_missed_ = false, fits_ = true;
  u8 waves_ = 3;
};

TEST(EveryBody, AgreesWithTheEvaluator) {
  const unsigned states = states_to_try(50), seed = first_seed();
  unsigned failures = 0, checked = 0;
  std::map<std::string, std::string> left_out;
  for (u32 i = 0; i < tables().semantics.size(); ++i) {
    EveryBody body(i);
    std::string why;
    const EveryBody::Coverage coverage = body.prepare(why);
    if (coverage == EveryBody::Coverage::left_out) left_out[why] += " " + body.name();
    if (coverage != EveryBody::Coverage::here) continue;
    ++checked;
    const unsigned count = body.is_slow() ? (states + 499) / 500 : states;
    for (unsigned state = 0; state < count; ++state) {
      const auto levels = kernel_levels();
      const std::string text = body.check(*levels[state % levels.size()], seed + state);
      if (text.empty() || !body.fits()) continue;
      if (++failures <= 40)
        ADD_FAILURE() << body.name() << ": " << text << " (GFXISA_SEED=" << seed + state << " GFXISA_STATES=1)";
      break;
    }
  }
  EXPECT_EQ(failures, 0u);
  std::printf("%u bodies, %u states each from seed %u; left out:\n", checked, states, seed);
  for (const auto& [why, names] : left_out) std::printf("  %s:%s\n", why.c_str(), names.c_str());
}

}  // namespace
}  // namespace gfxisa::exec

"""Which instruction words the comparisons with llvm-mc look at.

Scalar formats are small: every field runs through all of its values. Of the others every opcode is tried with random words; the ones that are
instructions are varied bit by bit and byte by byte.
"""
import collections
import random

TARGETS = {
    "cdna1": "gfx908", "cdna2": "gfx90a", "cdna3": "gfx942", "cdna4": "gfx950", "cdna5": "gfx1250",
    "rdna1": "gfx1010", "rdna2": "gfx1030", "rdna3": "gfx1100", "rdna3.5": "gfx1150", "rdna4": "gfx1201",
}
EPOCHS = {"cdna5": "gfx12", "rdna1": "gfx10", "rdna2": "gfx10", "rdna3": "gfx11", "rdna3.5": "gfx11", "rdna4": "gfx12"}
SCALAR_FORMATS = ["SOP1", "SOP2", "SOPC", "SOPK", "SOPP"]
LITERALS = [0x12345678, 0, 1, 64, 65, 0xFFFFFFF0, 0xFFFFFFEF, 0x3F800000, 0xBF000000, 0x3E22F983, 0x80000000, 0x3FF00000,
            0xFFFF, 0x3C00, 0xFFFF3C00]


def epoch_of(chip):
    return EPOCHS.get(chip, "gfx9")


class Field:
    """A field of a format: where it is, a value that is good for most opcodes, and the values to run through."""

    def __init__(self, low, width, default, values=None):
        self.low, self.width, self.default = low, width, default
        self.values = range(1 << width) if values is None else values


def sample_constants(full):
    if full:
        return range(65536)
    values = set(range(0, 300)) | {0xFFFF ^ (1 << i) for i in range(16)} | {1 << i for i in range(16)} | {0xFFFF, 0x1234, 0x7FFF, 0x8001}
    values |= set(range(0, 65536, 331)) | {(i << 11) | 1 for i in range(32)} | {(i << 6) | 0xF801 for i in range(32)}
    values |= {(i << 7) | 1 for i in range(16)} | {(i << 4) | 0x81 for i in range(8)}
    return sorted(values)


def scalar_formats(chip, full):
    """Name -> (bits, fixed word, opcode field, opcode values, operand fields)."""
    epoch = epoch_of(chip)
    constants = Field(0, 16, 1, sample_constants(full))
    found = {
        "SOP2": (32, 0x80000000, (23, 7), range(96), [Field(16, 7, 8), Field(8, 8, 24), Field(0, 8, 16)]),
        "SOPK": (32, 0xB0000000, (23, 5), range(29 if epoch == "gfx9" else 32), [Field(16, 7, 8), constants]),
        "SOP1": (32, 0xBE800000, (8, 8), range(256), [Field(16, 7, 8), Field(0, 8, 16)]),
        "SOPC": (32, 0xBF000000, (16, 7), range(128), [Field(8, 8, 24), Field(0, 8, 16)]),
        "SOPP": (32, 0xBF800000, (16, 7), range(128), [constants]),
    }
    return found


def place(word, field, value):
    return word & ~(((1 << field.width) - 1) << field.low) | value << field.low


def as_bytes(word, bits, literal=None):
    data = word.to_bytes(bits // 8, "little")
    return data + (b"" if literal is None else literal)


def scalar_words(chip, name, full):
    """All instruction words to compare, as bytes, without repeats and in order."""
    bits, fixed, (low, width), opcodes, fields = scalar_formats(chip, full)[name]
    out = {}
    for opcode in opcodes:
        base = fixed | opcode << low
        for field in fields:
            base = place(base, field, field.default)
        for field in fields:
            for value in field.values:
                word = place(base, field, value)
                if is_source(field) and value == 255:
                    for literal in LITERALS:
                        out[as_bytes(word, bits, literal.to_bytes(4, "little"))] = None
                elif is_source(field) and value == 254 and chip == "cdna5":
                    for literal in (0x123456789ABCDEF0, 1, 0x3FF0000000000000, 0x80000000):
                        out[as_bytes(word, bits, literal.to_bytes(8, "little"))] = None
                    out[as_bytes(word, bits)] = None
                else:
                    out[as_bytes(word, bits)] = None
                    # Opcodes that always have a second word.
                    if value == field.default:
                        out[as_bytes(word, bits, (0x12345678).to_bytes(4, "little"))] = None
        if len(fields) > 1 and fields[-1].width == 8 and fields[-2].width == 8:
            word = place(place(base, fields[-1], 255), fields[-2], 255)
            out[as_bytes(word, bits, (0x12345678).to_bytes(4, "little"))] = None
    return list(out)


def is_source(field):
    return field.width in (8, 9) and field.low in (0, 8, 32, 41, 50) and field.values == range(1 << field.width)


# Other formats: bits, the fixed bits as (low, width, value) and the pieces of the opcode field as (low, width), per epoch. From AMD's manuals.
GFX9 = {
    "SMEM": (64, [(26, 6, 0x30)], [(18, 8)]),
    "VOP2": (32, [(31, 1, 0)], [(25, 6)]),
    "VOP1": (32, [(25, 7, 0x3F)], [(9, 8)]),
    "VOPC": (32, [(25, 7, 0x3E)], [(17, 8)]),
    "VOP3": (64, [(26, 6, 0x34)], [(16, 10)]),
    "VOP3P": (64, [(23, 9, 0x1A7)], [(16, 7)]),
    "VOP3PX2": (128, [(23, 9, 0x1A7), (16, 7, 0x2C), (87, 9, 0x1A7)], [(80, 7)]),
    "VINTRP": (32, [(26, 6, 0x35)], [(16, 2)]),
    "DS": (64, [(26, 6, 0x36)], [(17, 8)]),
    "MUBUF": (64, [(26, 6, 0x38)], [(18, 7)]),
    "MTBUF": (64, [(26, 6, 0x3A)], [(15, 4)]),
    "MIMG": (64, [(26, 6, 0x3C)], [(18, 7), (0, 1)]),
    "FLAT": (64, [(26, 6, 0x37)], [(18, 7), (14, 2)]),
    "EXP": (64, [(26, 6, 0x31)], []),
}
GFX10 = GFX9 | {
    "SMEM": (64, [(26, 6, 0x3D)], [(18, 8)]),
    "VOP3": (64, [(26, 6, 0x35)], [(16, 10)]),
    "VOP3P": (64, [(23, 9, 0x198)], [(16, 7)]),
    "VINTRP": (32, [(26, 6, 0x32)], [(16, 2)]),
    "DS": (64, [(26, 6, 0x36)], [(18, 8)]),
    "MUBUF": (64, [(26, 6, 0x38)], [(18, 8)]),
    "MTBUF": (64, [(26, 6, 0x3A)], [(16, 3), (53, 1)]),
    "MIMG": (64, [(26, 6, 0x3C), (1, 2, 0)], [(18, 7), (0, 1)]),
    "MIMG_NSA1": (96, [(26, 6, 0x3C), (1, 2, 1)], [(18, 7), (0, 1)]),
    "MIMG_NSA2": (128, [(26, 6, 0x3C), (1, 2, 2)], [(18, 7), (0, 1)]),
    "MIMG_NSA3": (160, [(26, 6, 0x3C), (1, 2, 3)], [(18, 7), (0, 1)]),
    "EXP": (64, [(26, 6, 0x3E)], []),
}
GFX11 = {name: value for name, value in GFX10.items() if name != "VINTRP"} | {
    "VOPD": (64, [(26, 6, 0x32)], [(17, 9)]),
    "VINTERP": (64, [(24, 8, 0xCD)], [(16, 7)]),
    "LDSDIR": (32, [(24, 8, 0xCE)], [(20, 2)]),
    "MTBUF": (64, [(26, 6, 0x3A)], [(15, 4)]),
    "MIMG": (64, [(26, 6, 0x3C), (0, 1, 0)], [(18, 8)]),
    "MIMG_NSA1": (96, [(26, 6, 0x3C), (0, 1, 1)], [(18, 8)]),
    "FLAT": (64, [(26, 6, 0x37)], [(18, 7), (16, 2)]),
}
GFX12 = {name: GFX11[name] for name in ("VOP1", "VOP2", "VOPC", "VOP3", "VOPD", "VINTERP", "LDSDIR", "DS", "EXP")} | {
    "SMEM": (64, [(26, 6, 0x3D)], [(13, 6)]),
    "VOP3P": (64, [(24, 8, 0xCC)], [(16, 8)]),
    "VOP3PX2": (128, [(20, 12, 0xCC3), (88, 8, 0xCC)], [(80, 8), (16, 4)]),
    "VOPD3": (96, [(24, 8, 0xCF)], [(12, 12)]),
    "VBUFFER": (96, [(26, 6, 0x31)], [(14, 8)]),
    "VIMAGE": (96, [(26, 6, 0x34)], [(14, 8)]),
    "VSAMPLE": (96, [(26, 6, 0x39)], [(14, 8)]),
    "VFLAT": (96, [(24, 8, 0xEC)], [(14, 8)]),
    "VSCRATCH": (96, [(24, 8, 0xED)], [(14, 8)]),
    "VGLOBAL": (96, [(24, 8, 0xEE)], [(14, 8)]),
}
OTHER_FORMATS = {"gfx9": GFX9, "gfx10": GFX10, "gfx11": GFX11, "gfx12": GFX12}


def other_formats(chip):
    return OTHER_FORMATS[epoch_of(chip)]


def format_names(chip):
    return SCALAR_FORMATS + list(other_formats(chip))


def put(word, low, width, value):
    return word & ~(((1 << width) - 1) << low) | value << low


def crashes_llvm(chip, name, word):
    """Words on which llvm-mc 22 itself dies: a literal as source of a 64-bit format on gfx9."""
    if epoch_of(chip) != "gfx9":
        return False
    if name in ("VOP3", "VOP3P", "VOP3PX2"):
        return any(word >> low & 0x1FF == 255 for low in (32, 41, 50))
    return name in ("MUBUF", "MTBUF") and word >> 56 & 0xFF == 255


def deadly_words(chip, name, count):
    """Some of the words that the others leave out."""
    if name in SCALAR_FORMATS:
        return
    bits, fixed, pieces = other_formats(chip)[name]
    source = random.Random(name)
    for _ in range(count):
        word = with_opcode(source.getrandbits(bits), fixed, pieces, source.randrange(opcode_count(chip, name)))
        for low in (41, 50, 56) if name in ("MUBUF", "MTBUF") else (32, 41, 50):
            literal = put(word, low, 8 if low == 56 else 9, 255)
            if crashes_llvm(chip, name, literal):
                yield literal.to_bytes(bits // 8, "little") + source.randbytes(4)


def random_word(chip, name, opcode, source):
    """A word of a format: each byte is zero, a small even number, or anything."""
    bits, fixed, pieces = other_formats(chip)[name]
    while True:
        word = 0
        for at in range(0, bits, 8):
            word |= source.choice((0, source.randrange(256) & 0x7E, source.randrange(256), source.randrange(256))) << at
        word = with_opcode(word, fixed, pieces, opcode)
        if not crashes_llvm(chip, name, word):
            return word


def with_opcode(word, fixed, pieces, opcode):
    for low, width, value in fixed:
        word = put(word, low, width, value)
    for low, width in reversed(pieces):
        word = put(word, low, width, opcode & ((1 << width) - 1))
        opcode >>= width
    return word


def opcode_count(chip, name):
    return 1 << sum(width for _, width in other_formats(chip)[name][2])


def with_tail(chip, word, bits, source):
    """Now and then a literal follows."""
    data = word.to_bytes(bits // 8, "little")
    kind = source.randrange(8)
    if kind < 2 or kind == 2 and chip != "cdna5":
        return data + source.choice((source.randrange(1 << 32), source.choice(LITERALS))).to_bytes(4, "little")
    return data + source.randrange(1 << 64).to_bytes(8, "little") if kind == 2 else data


# Where the first source is, whose values below say that a word of SDWA, DPP16 or DPP8 or a literal follows.
SOURCE_0 = {"VOP1": 0, "VOP2": 0, "VOPC": 0, "VOP3": 32, "VOP3P": 32}
SECOND_WORD_MARKERS = (249, 250, 233, 234, 255)
DPP_CONTROLS = [0x00, 0x1B, 0xE4, 0x101, 0x111, 0x121, 0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143, 0x150, 0x15F, 0x160, 0x16F]


def second_word(marker, source):
    word = source.randrange(1 << 32)
    if marker == 250 and source.random() < 0.9:  # most of the 512 controls mean nothing
        word = put(word, 8, 9, source.choice(DPP_CONTROLS))
    if marker == 249 and source.random() < 0.9:  # as most selections of SDWA
        for low in (8, 11, 16, 24):
            word = put(word, low, 3, 0 if low == 11 else source.randrange(7))
    return word.to_bytes(4, "little")


def probes(chip, name, count=12):
    """For each opcode words among which some should be instructions."""
    bits = other_formats(chip)[name][0]
    for opcode in range(opcode_count(chip, name)):
        source = random.Random("%s %d" % (name, opcode))
        for _ in range(count):
            yield with_tail(chip, random_word(chip, name, opcode, source), bits, source)
        if name in SOURCE_0:
            for marker in SECOND_WORD_MARKERS * 4:
                word = put(random_word(chip, name, opcode, source), SOURCE_0[name], 9, marker)
                if not crashes_llvm(chip, name, word):
                    yield word.to_bytes(bits // 8, "little") + second_word(marker, source)


def variations(chip, name, data):
    """A valid word with each bit flipped and each byte at all its values; opcode and fixed bits stay."""
    bits, fixed, pieces = other_formats(chip)[name]
    kept = sum(((1 << width) - 1) << low for low, width, *_ in fixed + pieces)
    word, tail = int.from_bytes(data[:bits // 8], "little"), data[bits // 8:]
    changed = {word ^ 1 << bit for bit in range(bits)} | {put(word, at, 8, value) for at in range(0, bits, 8) for value in range(256)}
    for other in sorted(changed):
        other = other & ~kept | word & kept
        if not crashes_llvm(chip, name, other):
            yield other.to_bytes(bits // 8, "little") + tail
    # The word of SDWA or DPP that follows, likewise.
    if name in SOURCE_0 and len(tail) >= 4 and word >> SOURCE_0[name] & 0x1FF in SECOND_WORD_MARKERS[:4]:
        second = int.from_bytes(tail[:4], "little")
        for other in sorted({second ^ 1 << bit for bit in range(32)} | {put(second, at, 8, value) for at in range(0, 32, 8) for value in range(256)}):
            yield data[:bits // 8] + other.to_bytes(4, "little") + tail[4:]


VARIED_PER_MNEMONIC = 2


def words_of_format(chip, name, disassemble, limit, full=False):
    """The words of a format to look at; of varied ones at most `limit`. disassemble(words) is llvm-mc."""
    if name in SCALAR_FORMATS:
        return scalar_words(chip, name, full)
    tried = list(dict.fromkeys(probes(chip, name)))
    varied, seen = {}, collections.Counter()
    for data, text in zip(tried, disassemble(tried)):
        mnemonic = text.split(" ")[0] if text else None
        if text and text != "crash" and seen[mnemonic] < VARIED_PER_MNEMONIC:
            seen[mnemonic] += 1
            varied.update(dict.fromkeys(variations(chip, name, data)))
    chosen = list(varied)
    return tried + (random.Random(name).sample(chosen, limit) if len(chosen) > limit else chosen)


def random_words(chip, count, seed):
    """Random words, the same number of each format that is not scalar, and as many of bits that are all random, of one to four words."""
    names = [*other_formats(chip), "any"]
    source = random.Random(seed)
    for index in range(count):
        name = names[index % len(names)]
        if name == "any":
            yield source.randbytes(4 * source.randrange(1, 5))
            continue
        opcode = source.randrange(opcode_count(chip, name))
        yield with_tail(chip, random_word(chip, name, opcode, source), other_formats(chip)[name][0], source)

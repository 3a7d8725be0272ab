// Pieces of soft_float: floats taken apart and put together. Private to core.
#pragma once
#include <initializer_list>

#include "core/soft_float.h"

namespace gfxisa::core::soft {

/// (-1)^negative * magnitude * 2^exponent.
struct Exact {
  bool negative = false;
  u128 magnitude = 0;
  int exponent = 0;
};

u64 sign_bit(FloatFormat f);
u64 infinity(FloatFormat f);
u64 default_nan(FloatFormat f);
u64 largest(FloatFormat f);
int bias(FloatFormat f);
u64 signed_zero(bool negative, FloatFormat f);
bool is_nan(u64 a, FloatFormat f);
bool is_infinite(u64 a, FloatFormat f);
bool is_zero(u64 a, FloatFormat f);
bool is_negative(u64 a, FloatFormat f);
bool is_denormal(u64 a, FloatFormat f);
u64 flushed(u64 a, FloatFormat f, const FloatControl& control);
Exact unpack(u64 a, FloatFormat f);
int highest_bit(u128 value);
u128 shift_jam(u128 value, int count);
u128 rounded_shift(u128 value, int count, bool negative, Rounding rounding);
u64 pack(Exact x, FloatFormat f, const FloatControl& control);
u64 nan_of(std::initializer_list<u64> arguments, FloatFormat f);
i64 order_key(u64 a, FloatFormat f);

}  // namespace gfxisa::core::soft

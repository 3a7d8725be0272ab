// Errors are values. A function that can fail on its input returns Result<T>; nothing throws across a module.
#pragma once
#include <string>
#include <utility>
#include <variant>

namespace gfxisa {

/// What went wrong, in plain words, and what would have been right. `hint` may be empty.
struct Error {
  std::string message;
  std::string hint;
};

/// A value or an error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace gfxisa

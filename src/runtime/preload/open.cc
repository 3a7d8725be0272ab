// Loaded before programs by `gfxisa run -- PROGRAM`: some look for the kernel driver's device file before they ask the
// runtime. Opening it gives /dev/null here; everything else is as it was.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>

#include <cstdarg>
#include <cstring>

namespace {

const char* replaced(const char* path) { return std::strcmp(path, "/dev/kfd") == 0 ? "/dev/null" : path; }

/// The function of this name that would have been called.
template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

using Open = int (*)(const char*, int, ...);
using OpenAt = int (*)(int, const char*, int, ...);

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static const Open function = next<Open>("open");
  return function(replaced(path), flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static const Open function = next<Open>("open64");
  return function(replaced(path), flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  static const OpenAt function = next<OpenAt>("openat");
  return function(folder, replaced(path), flags, mode);
}

}  // extern "C"

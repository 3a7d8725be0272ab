// Ends a client with exit code 1 when a call of a library fails; all their success codes are 0.
#pragma once
#include <cstdio>
#include <cstdlib>

inline void check(int status, const char* what) {
  if (status == 0) return;
  std::printf("%s: status %d\n", what, status);
  std::exit(1);
}
#define CHECK(call) check(static_cast<int>(call), #call)

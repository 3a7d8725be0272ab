// A program that loads the runtime by itself and lets it go: before the end, without hsa_shut_down, with work in
// flight. Usage: runtime_dlclose LIBRARY
#include <dlfcn.h>
#include <hsa/hsa.h>

#include <cstdio>
#include <cstdlib>

namespace {

#define CHECK(condition)                                          \
  do {                                                            \
    if (!(condition)) {                                           \
      std::printf("line %d: not so: %s\n", __LINE__, #condition); \
      std::exit(1);                                               \
    }                                                             \
  } while (0)

template <class F>
F* find(void* library, const char* name) {
  void* const found = dlsym(library, name);
  CHECK(found != nullptr);
  return reinterpret_cast<F*>(found);
}

hsa_status_t take_last(hsa_agent_t agent, void* out) {
  *static_cast<hsa_agent_t*>(out) = agent;
  return HSA_STATUS_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 2);
  for (int round = 0; round < 3; ++round) {
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(library != nullptr);
    CHECK(find<decltype(hsa_init)>(library, "hsa_init")() == HSA_STATUS_SUCCESS);
    hsa_agent_t gpu{};
    CHECK(find<decltype(hsa_iterate_agents)>(library, "hsa_iterate_agents")(take_last, &gpu) == HSA_STATUS_SUCCESS);
    hsa_queue_t* queue = nullptr;
    CHECK(find<decltype(hsa_queue_create)>(library, "hsa_queue_create")(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr,
                                                                        0, 0, &queue) == HSA_STATUS_SUCCESS);
    if (round == 0) CHECK(find<decltype(hsa_shut_down)>(library, "hsa_shut_down")() == HSA_STATUS_SUCCESS);
    CHECK(dlclose(library) == 0);
  }
  std::puts("passed");
}

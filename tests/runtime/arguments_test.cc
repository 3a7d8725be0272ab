// Every function that gives a status, with arguments that are wrong: one at a time, and all of them zero; and before
// hsa_init. tests/runtime/functions.sh checks that none is missing here.
#include <dlfcn.h>
#include <fcntl.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>
#include <unistd.h>

#include <set>

#include "machine.h"

namespace {

constexpr auto no_init = HSA_STATUS_ERROR_NOT_INITIALIZED;
constexpr auto bad_argument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
constexpr auto bad_agent = HSA_STATUS_ERROR_INVALID_AGENT;
constexpr auto bad_signal = HSA_STATUS_ERROR_INVALID_SIGNAL;
constexpr auto bad_executable = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
constexpr auto bad_isa = HSA_STATUS_ERROR_INVALID_ISA;
constexpr auto bad_code_object = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
const auto bad_pool = amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
const auto no_image = amd_status(HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);

/// The functions of docs/runtime.md that give a status; those of signals and queue indices give values.
std::set<std::string> functions_with_status() {
  std::ifstream page(std::string(GFXISA_SOURCE_DIR) + "/docs/runtime.md");
  std::set<std::string> names;
  const std::string start = "| `hsa_";
  for (std::string line; std::getline(page, line);) {
    const std::size_t end = line.find("` |");
    if (line.starts_with(start) && end != std::string::npos && line[end - 1] != '*')
      names.insert(line.substr(3, end - 3));
  }
  names.erase("hsa_amd_signal_wait_any");
  return names;
}

hsa_status_t call_with_zeros(const std::string& name) {
  using Function = hsa_status_t (*)(long, long, long, long, long, long, long, long, long, long, long, long);
  const auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name.c_str()));
  if (function == nullptr) {
    ADD_FAILURE() << name << " is not exported";
    return HSA_STATUS_ERROR;
  }
  return function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

TEST(Arguments, BeforeInit) {
  const auto names = functions_with_status();
  EXPECT_GT(names.size(), 100u);
  for (const std::string& name : names) {
    if (name == "hsa_init" || name == "hsa_status_string") continue;
    EXPECT_EQ(call_with_zeros(name), no_init) << name;
  }
}

TEST_F(Machine, Zeros) {
  // Nothing to free, to unlock, to register or to switch on is no error.
  const std::set<std::string> fine = {"hsa_memory_free",       "hsa_amd_memory_pool_free",
                                      "hsa_memory_register",   "hsa_memory_deregister",
                                      "hsa_amd_memory_unlock", "hsa_amd_profiling_async_copy_enable"};
  for (const std::string& name : functions_with_status()) {
    if (name == "hsa_init" || name == "hsa_shut_down") continue;
    EXPECT_EQ(call_with_zeros(name) == HSA_STATUS_SUCCESS, fine.contains(name)) << name;
  }
}

hsa_status_t ignore_agent(hsa_agent_t, void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t ignore_isa(hsa_isa_t, void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t ignore_region(hsa_region_t, void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t ignore_pool(hsa_amd_memory_pool_t, void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t ignore_cache(hsa_cache_t, void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t ignore_wavefront(hsa_wavefront_t, void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t ignore_symbol(hsa_executable_t, hsa_executable_symbol_t, void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t ignore_agent_symbol(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void*) {
  return HSA_STATUS_SUCCESS;
}
hsa_status_t ignore_loaded(hsa_executable_t, hsa_loaded_code_object_t, void*) { return HSA_STATUS_SUCCESS; }

#define REFUSES(status, call) EXPECT_EQ(call, status)

TEST_F(Machine, ArgumentsOfTheSystem) {
  constexpr hsa_agent_t nobody{17};
  bool flag = false;
  uint16_t small = 0;
  uint32_t word = 0;
  char value[256];
  const char* text = nullptr;
  const uint16_t loader = HSA_EXTENSION_AMD_LOADER;
  REFUSES(bad_argument, hsa_status_string(HSA_STATUS_SUCCESS, nullptr));
  REFUSES(bad_argument, hsa_status_string(amd_status(0x7777), &text));
  REFUSES(bad_argument, hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, nullptr));
  REFUSES(bad_argument, hsa_system_get_info(static_cast<hsa_system_info_t>(0x999), value));
  REFUSES(bad_argument, hsa_extension_get_name(0x777, &text));
  REFUSES(bad_argument, hsa_extension_get_name(loader, nullptr));
  REFUSES(bad_argument, hsa_system_major_extension_supported(0x777, 1, &small, &flag));
  REFUSES(bad_argument, hsa_system_major_extension_supported(loader, 1, nullptr, &flag));
  REFUSES(bad_argument, hsa_system_major_extension_supported(loader, 1, &small, nullptr));
  REFUSES(bad_argument, hsa_system_extension_supported(0x777, 1, 0, &flag));
  REFUSES(bad_argument, hsa_system_extension_supported(loader, 1, 0, nullptr));
  REFUSES(bad_argument, hsa_agent_major_extension_supported(0x777, gpu, 1, &small, &flag));
  REFUSES(bad_agent, hsa_agent_major_extension_supported(loader, nobody, 1, &small, &flag));
  REFUSES(bad_argument, hsa_agent_major_extension_supported(loader, gpu, 1, nullptr, &flag));
  REFUSES(bad_argument, hsa_agent_extension_supported(0x777, gpu, 1, 0, &flag));
  REFUSES(bad_agent, hsa_agent_extension_supported(loader, nobody, 1, 0, &flag));
  REFUSES(bad_argument, hsa_agent_extension_supported(loader, gpu, 1, 0, nullptr));
  REFUSES(bad_argument, hsa_system_get_extension_table(loader, 1, 9, value));
  REFUSES(bad_argument, hsa_system_get_extension_table(HSA_EXTENSION_FINALIZER, 1, 0, value));
  REFUSES(bad_argument, hsa_system_get_extension_table(loader, 1, 0, nullptr));
  REFUSES(bad_argument, hsa_system_get_major_extension_table(loader, 2, 8, value));
  REFUSES(bad_argument, hsa_system_get_major_extension_table(loader, 1, 0, value));
  REFUSES(bad_argument, hsa_system_get_major_extension_table(loader, 1, 8, nullptr));

  REFUSES(bad_argument, hsa_iterate_agents(nullptr, nullptr));
  EXPECT_OK(hsa_iterate_agents(ignore_agent, nullptr));
  REFUSES(bad_agent, hsa_agent_get_info(nobody, HSA_AGENT_INFO_NAME, value));
  REFUSES(bad_argument, hsa_agent_get_info(gpu, static_cast<hsa_agent_info_t>(0xbeef), value));
  REFUSES(bad_argument, hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, nullptr));
  REFUSES(bad_agent, hsa_agent_get_exception_policies(nobody, HSA_PROFILE_BASE, &small));
  REFUSES(bad_argument, hsa_agent_get_exception_policies(gpu, static_cast<hsa_profile_t>(7), &small));
  REFUSES(bad_argument, hsa_agent_get_exception_policies(gpu, HSA_PROFILE_BASE, nullptr));
  REFUSES(bad_agent, hsa_agent_iterate_caches(nobody, ignore_cache, nullptr));
  REFUSES(bad_argument, hsa_agent_iterate_caches(gpu, nullptr, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_CACHE, hsa_cache_get_info({17}, HSA_CACHE_INFO_SIZE, &word));
  REFUSES(bad_agent, hsa_agent_iterate_isas(nobody, ignore_isa, nullptr));
  REFUSES(bad_argument, hsa_agent_iterate_isas(gpu, nullptr, nullptr));
  REFUSES(bad_agent, hsa_agent_iterate_regions(nobody, ignore_region, nullptr));
  REFUSES(bad_argument, hsa_agent_iterate_regions(gpu, nullptr, nullptr));
  REFUSES(bad_agent, hsa_amd_agent_iterate_memory_pools(nobody, ignore_pool, nullptr));
  REFUSES(bad_argument, hsa_amd_agent_iterate_memory_pools(gpu, nullptr, nullptr));
  REFUSES(bad_argument, hsa_amd_register_system_event_handler(nullptr, nullptr));
  hsa_amd_coherency_type_t coherency;
  REFUSES(bad_agent, hsa_amd_coherency_get_type(cpu, &coherency));
  REFUSES(bad_argument, hsa_amd_coherency_get_type(gpu, nullptr));
  EXPECT_OK(hsa_amd_coherency_get_type(gpu, &coherency));
  REFUSES(bad_agent, hsa_amd_coherency_set_type(nobody, HSA_AMD_COHERENCY_TYPE_COHERENT));
  REFUSES(bad_argument, hsa_amd_coherency_set_type(gpu, static_cast<hsa_amd_coherency_type_t>(5)));
  EXPECT_OK(hsa_amd_coherency_set_type(gpu, coherency));
  REFUSES(bad_agent, hsa_amd_image_get_info_max_dim(
                         nobody, static_cast<hsa_agent_info_t>(HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS), value));
  EXPECT_OK(hsa_amd_image_get_info_max_dim(gpu, static_cast<hsa_agent_info_t>(HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS),
                                           value));
}

TEST_F(Machine, ArgumentsOfInstructionSets) {
  hsa_isa_t isa{}, other{};
  ASSERT_OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_ISA, &isa));
  uint32_t word = 0;
  uint16_t small = 0;
  bool flag = false;
  hsa_round_method_t method;
  constexpr hsa_isa_t none{17};
  REFUSES(HSA_STATUS_ERROR_INVALID_ISA_NAME, hsa_isa_from_name("gfx", &other));
  REFUSES(bad_argument, hsa_isa_from_name(nullptr, &other));
  REFUSES(bad_argument, hsa_isa_from_name("gfx", nullptr));
  REFUSES(bad_isa, hsa_isa_get_info_alt(none, HSA_ISA_INFO_NAME_LENGTH, &word));
  REFUSES(bad_argument, hsa_isa_get_info_alt(isa, static_cast<hsa_isa_info_t>(99), &word));
  REFUSES(bad_argument, hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_INDEX, hsa_isa_get_info(isa, HSA_ISA_INFO_CALL_CONVENTION_COUNT, 1, &word));
  REFUSES(bad_isa, hsa_isa_get_info(none, HSA_ISA_INFO_CALL_CONVENTION_COUNT, 0, &word));
  REFUSES(bad_isa, hsa_isa_get_exception_policies(none, HSA_PROFILE_BASE, &small));
  REFUSES(bad_argument, hsa_isa_get_exception_policies(isa, static_cast<hsa_profile_t>(7), &small));
  REFUSES(bad_argument, hsa_isa_get_exception_policies(isa, HSA_PROFILE_BASE, nullptr));
  REFUSES(bad_isa, hsa_isa_get_round_method(none, HSA_FP_TYPE_32, HSA_FLUSH_MODE_FTZ, &method));
  REFUSES(bad_argument, hsa_isa_get_round_method(isa, HSA_FP_TYPE_32, static_cast<hsa_flush_mode_t>(9), &method));
  REFUSES(bad_argument, hsa_isa_get_round_method(isa, HSA_FP_TYPE_32, HSA_FLUSH_MODE_FTZ, nullptr));
  REFUSES(bad_isa, hsa_isa_iterate_wavefronts(none, ignore_wavefront, nullptr));
  REFUSES(bad_argument, hsa_isa_iterate_wavefronts(isa, nullptr, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_WAVEFRONT, hsa_wavefront_get_info({17}, HSA_WAVEFRONT_INFO_SIZE, &word));
  REFUSES(bad_argument, hsa_wavefront_get_info({isa.handle}, static_cast<hsa_wavefront_info_t>(9), &word));
  REFUSES(bad_argument, hsa_wavefront_get_info({isa.handle}, HSA_WAVEFRONT_INFO_SIZE, nullptr));
  REFUSES(bad_isa, hsa_isa_compatible(none, isa, &flag));
  REFUSES(bad_isa, hsa_isa_compatible(isa, none, &flag));
  REFUSES(bad_argument, hsa_isa_compatible(isa, isa, nullptr));
}

TEST_F(Machine, ArgumentsOfMemory) {
  constexpr hsa_agent_t nobody{17};
  constexpr hsa_amd_memory_pool_t no_pool{17};
  const hsa_region_t region{host_pool.handle};
  std::size_t size = 0;
  void* memory = nullptr;
  char host[64];
  bool flag = false;
  REFUSES(HSA_STATUS_ERROR_INVALID_REGION, hsa_region_get_info({17}, HSA_REGION_INFO_SIZE, &size));
  REFUSES(bad_argument, hsa_region_get_info(region, static_cast<hsa_region_info_t>(99), &size));
  REFUSES(bad_argument, hsa_region_get_info(region, HSA_REGION_INFO_SIZE, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_REGION, hsa_memory_allocate({17}, 8, &memory));
  REFUSES(bad_argument, hsa_memory_allocate(region, 0, &memory));
  REFUSES(bad_argument, hsa_memory_allocate(region, 8, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_ALLOCATION, hsa_memory_allocate(region, std::size_t{1} << 60, &memory));
  REFUSES(HSA_STATUS_ERROR_INVALID_ALLOCATION, hsa_memory_free(host));
  REFUSES(bad_argument, hsa_memory_copy(nullptr, host, 8));
  REFUSES(bad_argument, hsa_memory_copy(host, nullptr, 8));
  REFUSES(bad_argument, hsa_memory_assign_agent(nullptr, gpu, HSA_ACCESS_PERMISSION_RW));
  REFUSES(bad_agent, hsa_memory_assign_agent(host, nobody, HSA_ACCESS_PERMISSION_RW));
  REFUSES(bad_argument, hsa_memory_assign_agent(host, gpu, static_cast<hsa_access_permission_t>(9)));
  REFUSES(bad_argument, hsa_memory_register(nullptr, 8));
  EXPECT_OK(hsa_memory_deregister(host, 8)) << "nothing registered: no error";
  REFUSES(bad_pool, hsa_amd_memory_pool_get_info(no_pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
  REFUSES(bad_argument, hsa_amd_memory_pool_get_info(host_pool, static_cast<hsa_amd_memory_pool_info_t>(99), &size));
  REFUSES(bad_argument, hsa_amd_memory_pool_get_info(host_pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, nullptr));
  REFUSES(bad_pool, hsa_amd_memory_pool_allocate(no_pool, 8, 0, &memory));
  REFUSES(bad_argument, hsa_amd_memory_pool_allocate(host_pool, 0, 0, &memory));
  REFUSES(bad_argument, hsa_amd_memory_pool_allocate(host_pool, 8, 0, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_ALLOCATION, hsa_amd_memory_pool_free(host));
  REFUSES(bad_agent,
          hsa_amd_agent_memory_pool_get_info(nobody, host_pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &size));
  REFUSES(bad_pool,
          hsa_amd_agent_memory_pool_get_info(gpu, no_pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &size));
  REFUSES(bad_argument,
          hsa_amd_agent_memory_pool_get_info(gpu, host_pool, static_cast<hsa_amd_agent_memory_pool_info_t>(99), &size));
  REFUSES(bad_argument,
          hsa_amd_agent_memory_pool_get_info(gpu, host_pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, nullptr));
  REFUSES(bad_argument, hsa_amd_agents_allow_access(0, &gpu, nullptr, host));
  REFUSES(bad_argument, hsa_amd_agents_allow_access(1, nullptr, nullptr, host));
  REFUSES(bad_argument, hsa_amd_agents_allow_access(1, &gpu, nullptr, nullptr));
  REFUSES(bad_agent, hsa_amd_agents_allow_access(1, &nobody, nullptr, host));
  REFUSES(HSA_STATUS_ERROR_INVALID_ALLOCATION, hsa_amd_agents_allow_access(1, &gpu, nullptr, host));
  REFUSES(bad_pool, hsa_amd_memory_pool_can_migrate(no_pool, host_pool, &flag));
  REFUSES(bad_pool, hsa_amd_memory_pool_can_migrate(host_pool, no_pool, &flag));
  REFUSES(bad_argument, hsa_amd_memory_pool_can_migrate(host_pool, host_pool, nullptr));
  REFUSES(bad_pool, hsa_amd_memory_migrate(host, no_pool, 0));
  REFUSES(bad_argument, hsa_amd_memory_migrate(nullptr, host_pool, 0));
  REFUSES(bad_argument, hsa_amd_memory_migrate(host, host_pool, 1));
  hsa_agent_t bad[] = {nobody};
  REFUSES(bad_argument, hsa_amd_memory_lock(nullptr, 8, nullptr, 0, &memory));
  REFUSES(bad_argument, hsa_amd_memory_lock(host, 8, nullptr, 0, nullptr));
  REFUSES(bad_argument, hsa_amd_memory_lock(host, 8, nullptr, 1, &memory));
  REFUSES(bad_agent, hsa_amd_memory_lock(host, 8, bad, 1, &memory));
  REFUSES(bad_pool, hsa_amd_memory_lock_to_pool(host, 8, nullptr, 0, no_pool, 0, &memory));
  REFUSES(bad_argument, hsa_amd_memory_lock_to_pool(host, 8, nullptr, 0, host_pool, 1, &memory));
  EXPECT_OK(hsa_amd_memory_unlock(host)) << "nothing locked: no error";
  REFUSES(bad_argument, hsa_amd_memory_fill(nullptr, 0, 1));
  REFUSES(bad_argument, hsa_amd_memory_fill(host + 1, 0, 1));
  REFUSES(HSA_STATUS_ERROR_INVALID_ALLOCATION, hsa_amd_memory_fill(host, 0, 1));
  hsa_amd_pointer_info_t info{};
  REFUSES(bad_argument, hsa_amd_pointer_info(host, &info, nullptr, nullptr, nullptr));  // its size is zero
  REFUSES(bad_argument, hsa_amd_pointer_info(host, nullptr, nullptr, nullptr, nullptr));
  REFUSES(bad_argument, hsa_amd_pointer_info_set_userdata(host, nullptr));
  REFUSES(bad_argument, hsa_amd_pointer_info_set_userdata(nullptr, nullptr));
  const auto freed = [](void*, void*) {};
  REFUSES(bad_argument, hsa_amd_register_deallocation_callback(nullptr, freed, nullptr));
  REFUSES(bad_argument, hsa_amd_register_deallocation_callback(host, nullptr, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_ALLOCATION, hsa_amd_register_deallocation_callback(host, freed, nullptr));
  REFUSES(bad_argument, hsa_amd_deregister_deallocation_callback(host, freed));

  hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu.handle}, odd{0x999, 0};
  REFUSES(bad_argument, hsa_amd_svm_attributes_set(nullptr, 8, &access, 1));
  REFUSES(bad_argument, hsa_amd_svm_attributes_set(host, 0, &access, 1));
  REFUSES(bad_argument, hsa_amd_svm_attributes_set(host, 8, nullptr, 1));
  REFUSES(bad_argument, hsa_amd_svm_attributes_set(host, 8, &odd, 1));
  REFUSES(bad_argument, hsa_amd_svm_attributes_get(nullptr, 8, &access, 1));
  REFUSES(bad_argument, hsa_amd_svm_attributes_get(host, 8, nullptr, 1));
  REFUSES(bad_argument, hsa_amd_svm_attributes_get(host, 8, &odd, 1));
  const hsa_signal_t signal = make_signal(1);
  const hsa_signal_t no_signal{4096};
  REFUSES(bad_argument, hsa_amd_svm_prefetch_async(nullptr, 8, gpu, 0, nullptr, signal));
  REFUSES(bad_argument, hsa_amd_svm_prefetch_async(host, 8, gpu, 1, nullptr, signal));
  REFUSES(bad_agent, hsa_amd_svm_prefetch_async(host, 8, nobody, 0, nullptr, signal));
  REFUSES(bad_signal, hsa_amd_svm_prefetch_async(host, 8, gpu, 1, &no_signal, signal));
  REFUSES(bad_signal, hsa_amd_svm_prefetch_async(host, 8, gpu, 0, nullptr, no_signal));

  REFUSES(bad_argument, hsa_amd_memory_async_copy(nullptr, gpu, host, cpu, 8, 0, nullptr, signal));
  REFUSES(bad_argument, hsa_amd_memory_async_copy(host, gpu, nullptr, cpu, 8, 0, nullptr, signal));
  REFUSES(bad_agent, hsa_amd_memory_async_copy(host, nobody, host, cpu, 8, 0, nullptr, signal));
  REFUSES(bad_agent, hsa_amd_memory_async_copy(host, gpu, host, nobody, 8, 0, nullptr, signal));
  REFUSES(bad_argument, hsa_amd_memory_async_copy(host, gpu, host, cpu, 8, 1, nullptr, signal));
  REFUSES(bad_signal, hsa_amd_memory_async_copy(host, gpu, host, cpu, 8, 1, &no_signal, signal));
  REFUSES(bad_signal, hsa_amd_memory_async_copy(host, gpu, host, cpu, 8, 0, nullptr, no_signal));
  const hsa_pitched_ptr_t box{host, 8, 64};
  const hsa_dim3_t offset{0, 0, 0}, range{4, 1, 1};
  const auto kind = hsaDeviceToDevice;
  REFUSES(bad_argument,
          hsa_amd_memory_async_copy_rect(nullptr, &offset, &box, &offset, &range, gpu, kind, 0, nullptr, signal));
  REFUSES(bad_argument,
          hsa_amd_memory_async_copy_rect(&box, &offset, &box, &offset, nullptr, gpu, kind, 0, nullptr, signal));
  REFUSES(bad_agent,
          hsa_amd_memory_async_copy_rect(&box, &offset, &box, &offset, &range, nobody, kind, 0, nullptr, signal));
  REFUSES(bad_signal,
          hsa_amd_memory_async_copy_rect(&box, &offset, &box, &offset, &range, gpu, kind, 0, nullptr, no_signal));
  EXPECT_EQ(hsa_signal_load_relaxed(signal), 1) << "none of these was begun";
  EXPECT_OK(hsa_signal_destroy(signal));
}

TEST_F(Launching, ArgumentsOfSignalsAndQueues) {
  constexpr hsa_agent_t nobody{17};
  constexpr hsa_signal_t no_signal{4096};
  hsa_signal_t signal = make_signal(1), other{};
  const hsa_agent_t agents[] = {gpu, nobody};
  REFUSES(bad_argument, hsa_signal_create(0, 0, nullptr, nullptr));
  REFUSES(bad_argument, hsa_signal_create(0, 1, nullptr, &other));
  REFUSES(bad_argument, hsa_signal_create(0, 2, agents, &other));
  REFUSES(bad_argument, hsa_amd_signal_create(0, 0, nullptr, 0, nullptr));
  REFUSES(bad_argument, hsa_amd_signal_create(0, 2, agents, 0, &other));
  REFUSES(bad_argument, hsa_signal_destroy({0}));
  REFUSES(bad_signal, hsa_signal_destroy(no_signal));
  hsa_signal_group_t group{};
  REFUSES(bad_argument, hsa_signal_group_create(0, &signal, 0, nullptr, &group));
  REFUSES(bad_argument, hsa_signal_group_create(1, nullptr, 0, nullptr, &group));
  REFUSES(bad_argument, hsa_signal_group_create(1, &signal, 0, nullptr, nullptr));
  REFUSES(bad_argument, hsa_signal_group_create(1, &signal, 1, nullptr, &group));
  REFUSES(bad_signal, hsa_signal_group_create(1, &no_signal, 0, nullptr, &group));
  REFUSES(HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP, hsa_signal_group_destroy({17}));
  ASSERT_OK(hsa_signal_group_create(1, &signal, 0, nullptr, &group));
  const hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_EQ;
  hsa_signal_value_t wanted = 1, seen = 0;
  const auto state = HSA_WAIT_STATE_BLOCKED;
  for (const auto wait : {hsa_signal_group_wait_any_relaxed, hsa_signal_group_wait_any_scacquire}) {
    REFUSES(HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP, wait({17}, &condition, &wanted, state, &other, &seen));
    REFUSES(bad_argument, wait(group, nullptr, &wanted, state, &other, &seen));
    REFUSES(bad_argument, wait(group, &condition, nullptr, state, &other, &seen));
    REFUSES(bad_argument, wait(group, &condition, &wanted, state, nullptr, &seen));
    REFUSES(bad_argument, wait(group, &condition, &wanted, state, &other, nullptr));
  }
  EXPECT_OK(hsa_signal_group_destroy(group));
  volatile hsa_signal_value_t* word;
  REFUSES(bad_argument, hsa_amd_signal_value_pointer(signal, nullptr));
  REFUSES(bad_signal, hsa_amd_signal_value_pointer(no_signal, &word));
  const auto handler = [](hsa_signal_value_t, void*) { return false; };
  REFUSES(bad_argument, hsa_amd_signal_async_handler(signal, condition, 5, nullptr, nullptr));
  REFUSES(bad_signal, hsa_amd_signal_async_handler(no_signal, condition, 5, handler, nullptr));
  REFUSES(bad_argument,
          hsa_amd_signal_async_handler(signal, static_cast<hsa_signal_condition_t>(9), 5, handler, nullptr));
  REFUSES(bad_argument, hsa_amd_async_function(nullptr, nullptr));

  hsa_queue_t* fresh = nullptr;
  hsa_queue_t not_ours{};
  REFUSES(bad_agent, hsa_queue_create(nobody, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &fresh));
  REFUSES(bad_argument, hsa_queue_create(gpu, 63, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &fresh));
  REFUSES(bad_argument, hsa_queue_create(gpu, 64, 9, nullptr, nullptr, 0, 0, &fresh));
  REFUSES(bad_argument, hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_QUEUE_CREATION,
          hsa_queue_create(cpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &fresh));
  const hsa_region_t region{host_pool.handle};
  REFUSES(HSA_STATUS_ERROR_INVALID_REGION, hsa_soft_queue_create({17}, 16, HSA_QUEUE_TYPE_SINGLE, 2, signal, &fresh));
  REFUSES(bad_argument, hsa_soft_queue_create(region, 15, HSA_QUEUE_TYPE_SINGLE, 2, signal, &fresh));
  REFUSES(bad_argument, hsa_soft_queue_create(region, 16, 7, 2, signal, &fresh));
  REFUSES(bad_argument, hsa_soft_queue_create(region, 16, HSA_QUEUE_TYPE_SINGLE, 0, signal, &fresh));
  REFUSES(bad_argument, hsa_soft_queue_create(region, 16, HSA_QUEUE_TYPE_SINGLE, 2, no_signal, &fresh));
  REFUSES(bad_argument, hsa_soft_queue_create(region, 16, HSA_QUEUE_TYPE_SINGLE, 2, signal, nullptr));
  REFUSES(bad_argument, hsa_queue_destroy(nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_QUEUE, hsa_queue_destroy(&not_ours));
  REFUSES(bad_argument, hsa_queue_inactivate(nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_QUEUE, hsa_queue_inactivate(&not_ours));
  REFUSES(HSA_STATUS_ERROR_INVALID_QUEUE, hsa_amd_queue_set_priority(&not_ours, HSA_AMD_QUEUE_PRIORITY_LOW));
  REFUSES(bad_argument, hsa_amd_queue_set_priority(queue, static_cast<hsa_amd_queue_priority_t>(9)));
  uint32_t mask = 1;
  REFUSES(HSA_STATUS_ERROR_INVALID_QUEUE, hsa_amd_queue_cu_set_mask(&not_ours, 32, &mask));
  REFUSES(bad_argument, hsa_amd_queue_cu_set_mask(queue, 31, &mask));
  REFUSES(bad_argument, hsa_amd_queue_cu_set_mask(queue, 32, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_QUEUE, hsa_amd_queue_cu_get_mask(&not_ours, 32, &mask));
  REFUSES(bad_argument, hsa_amd_queue_cu_get_mask(queue, 0, &mask));
  REFUSES(bad_argument, hsa_amd_queue_cu_get_mask(queue, 32, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_QUEUE, hsa_amd_profiling_set_profiler_enabled(&not_ours, 1));
  EXPECT_OK(hsa_amd_profiling_async_copy_enable(false));
  hsa_amd_profiling_dispatch_time_t time;
  hsa_amd_profiling_async_copy_time_t copy_time;
  uint64_t tick;
  REFUSES(bad_agent, hsa_amd_profiling_get_dispatch_time(cpu, signal, &time));
  REFUSES(bad_signal, hsa_amd_profiling_get_dispatch_time(gpu, no_signal, &time));
  REFUSES(bad_argument, hsa_amd_profiling_get_dispatch_time(gpu, signal, nullptr));
  REFUSES(bad_signal, hsa_amd_profiling_get_async_copy_time(no_signal, &copy_time));
  REFUSES(bad_argument, hsa_amd_profiling_get_async_copy_time(signal, nullptr));
  REFUSES(bad_agent, hsa_amd_profiling_convert_tick_to_system_domain(cpu, 1, &tick));
  REFUSES(bad_argument, hsa_amd_profiling_convert_tick_to_system_domain(gpu, 1, nullptr));
  EXPECT_OK(hsa_signal_destroy(signal));
}

TEST_F(Launching, ArgumentsOfCode) {
  constexpr hsa_agent_t nobody{17};
  constexpr hsa_executable_t none{17};
  constexpr auto mode = HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
  char value[256];
  hsa_code_object_reader_t reader{};
  hsa_code_object_t object{};
  REFUSES(bad_argument, hsa_code_object_reader_create_from_memory(nullptr, 8, &reader));
  REFUSES(bad_argument, hsa_code_object_reader_create_from_memory(value, 0, &reader));
  REFUSES(bad_argument, hsa_code_object_reader_create_from_memory(value, 8, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_FILE, hsa_code_object_reader_create_from_file(-1, &reader));
  const int file = open((std::string(GFXISA_SOURCE_DIR) + "/docs/runtime.md").c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  REFUSES(bad_argument, hsa_code_object_reader_create_from_file(file, nullptr));
  const auto from_part = hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size;
  REFUSES(HSA_STATUS_ERROR_INVALID_FILE, from_part(-1, 0, 8, &reader));
  REFUSES(HSA_STATUS_ERROR_INVALID_FILE, from_part(file, std::size_t{1} << 40, 8, &reader));
  REFUSES(HSA_STATUS_ERROR_INVALID_FILE, from_part(file, 0, std::size_t{1} << 40, &reader));
  REFUSES(bad_argument, from_part(file, 0, 0, &reader));
  REFUSES(bad_argument, from_part(file, 0, 8, nullptr));
  close(file);
  REFUSES(HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, hsa_code_object_reader_destroy({17}));
  REFUSES(bad_argument, hsa_code_object_deserialize(nullptr, 8, nullptr, &object));
  REFUSES(bad_argument, hsa_code_object_deserialize(value, 8, nullptr, nullptr));
  REFUSES(bad_code_object, hsa_code_object_deserialize(const_cast<char*>("nothing"), 7, nullptr, &object));
  REFUSES(bad_code_object, hsa_code_object_destroy({17}));

  hsa_executable_t fresh{};
  REFUSES(bad_argument, hsa_executable_create_alt(HSA_PROFILE_FULL, mode, nullptr, nullptr));
  REFUSES(bad_argument, hsa_executable_create_alt(static_cast<hsa_profile_t>(9), mode, nullptr, &fresh));
  REFUSES(bad_argument, hsa_executable_create_alt(HSA_PROFILE_FULL, static_cast<hsa_default_float_rounding_mode_t>(9),
                                                  nullptr, &fresh));
  REFUSES(bad_argument,
          hsa_executable_create(HSA_PROFILE_FULL, static_cast<hsa_executable_state_t>(9), nullptr, &fresh));
  REFUSES(bad_argument, hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_FROZEN, nullptr, nullptr));
  REFUSES(bad_executable, hsa_executable_destroy(none));
  ASSERT_OK(hsa_executable_create_alt(HSA_PROFILE_FULL, mode, nullptr, &fresh));
  ASSERT_OK(hsa_code_object_reader_create_from_memory(code.data(), code.size(), &reader));
  ASSERT_OK(hsa_code_object_deserialize(code.data(), code.size(), nullptr, &object));
  REFUSES(bad_executable, hsa_executable_load_agent_code_object(none, gpu, reader, nullptr, nullptr));
  REFUSES(bad_agent, hsa_executable_load_agent_code_object(fresh, nobody, reader, nullptr, nullptr));
  REFUSES(bad_agent, hsa_executable_load_agent_code_object(fresh, cpu, reader, nullptr, nullptr));
  REFUSES(HSA_STATUS_ERROR_FROZEN_EXECUTABLE,
          hsa_executable_load_agent_code_object(executable, gpu, reader, nullptr, nullptr));
  REFUSES(HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER,
          hsa_executable_load_agent_code_object(fresh, gpu, {17}, nullptr, nullptr));
  REFUSES(bad_executable, hsa_executable_load_code_object(none, gpu, object, nullptr));
  REFUSES(bad_agent, hsa_executable_load_code_object(fresh, nobody, object, nullptr));
  REFUSES(bad_code_object, hsa_executable_load_code_object(fresh, gpu, {17}, nullptr));
  REFUSES(HSA_STATUS_ERROR_FROZEN_EXECUTABLE, hsa_executable_load_code_object(executable, gpu, object, nullptr));
  REFUSES(bad_code_object, hsa_executable_load_program_code_object(fresh, reader, nullptr, nullptr));
  REFUSES(bad_executable, hsa_executable_freeze(none, nullptr));
  REFUSES(HSA_STATUS_ERROR_FROZEN_EXECUTABLE, hsa_executable_freeze(executable, nullptr));
  REFUSES(bad_executable, hsa_executable_get_info(none, HSA_EXECUTABLE_INFO_STATE, value));
  REFUSES(bad_argument, hsa_executable_get_info(fresh, static_cast<hsa_executable_info_t>(9), value));
  REFUSES(bad_argument, hsa_executable_get_info(fresh, HSA_EXECUTABLE_INFO_STATE, nullptr));
  uint32_t result;
  REFUSES(bad_executable, hsa_executable_validate(none, &result));
  REFUSES(bad_argument, hsa_executable_validate(fresh, nullptr));
  REFUSES(bad_executable, hsa_executable_validate_alt(none, nullptr, &result));
  REFUSES(bad_argument, hsa_executable_validate_alt(fresh, nullptr, nullptr));
  REFUSES(bad_executable, hsa_executable_global_variable_define(none, "x", value));
  REFUSES(bad_argument, hsa_executable_global_variable_define(fresh, nullptr, value));
  REFUSES(HSA_STATUS_ERROR_FROZEN_EXECUTABLE, hsa_executable_global_variable_define(executable, "x", value));
  for (const auto define : {hsa_executable_agent_global_variable_define, hsa_executable_readonly_variable_define}) {
    REFUSES(bad_executable, define(none, gpu, "x", value));
    REFUSES(bad_agent, define(fresh, nobody, "x", value));
    REFUSES(bad_argument, define(fresh, gpu, nullptr, value));
    REFUSES(HSA_STATUS_ERROR_FROZEN_EXECUTABLE, define(executable, gpu, "x", value));
  }
  EXPECT_OK(hsa_executable_agent_global_variable_define(fresh, gpu, "x", value));
  REFUSES(HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED, hsa_executable_readonly_variable_define(fresh, gpu, "x", value));

  hsa_executable_symbol_t found{};
  REFUSES(bad_executable, hsa_executable_get_symbol_by_name(none, "saxpy.kd", &gpu, &found));
  REFUSES(bad_argument, hsa_executable_get_symbol_by_name(executable, nullptr, &gpu, &found));
  REFUSES(bad_argument, hsa_executable_get_symbol_by_name(executable, "saxpy.kd", &gpu, nullptr));
  REFUSES(bad_agent, hsa_executable_get_symbol_by_name(executable, "saxpy.kd", &nobody, &found));
  REFUSES(HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, hsa_executable_get_symbol_by_name(executable, "y", &gpu, &found));
  REFUSES(bad_executable, hsa_executable_get_symbol(none, nullptr, "saxpy.kd", gpu, 0, &found));
  REFUSES(bad_argument, hsa_executable_get_symbol(executable, nullptr, nullptr, gpu, 0, &found));
  REFUSES(bad_agent, hsa_executable_get_symbol(executable, nullptr, "saxpy.kd", nobody, 0, &found));
  REFUSES(HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL,
          hsa_executable_symbol_get_info({17}, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, value));
  REFUSES(bad_argument, hsa_executable_symbol_get_info(symbol, static_cast<hsa_executable_symbol_info_t>(99), value));
  REFUSES(bad_argument, hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, nullptr));
  REFUSES(bad_executable, hsa_executable_iterate_symbols(none, ignore_symbol, nullptr));
  REFUSES(bad_argument, hsa_executable_iterate_symbols(executable, nullptr, nullptr));
  REFUSES(bad_executable, hsa_executable_iterate_agent_symbols(none, gpu, ignore_agent_symbol, nullptr));
  REFUSES(bad_agent, hsa_executable_iterate_agent_symbols(executable, nobody, ignore_agent_symbol, nullptr));
  REFUSES(bad_argument, hsa_executable_iterate_agent_symbols(executable, gpu, nullptr, nullptr));
  REFUSES(bad_executable, hsa_executable_iterate_program_symbols(none, ignore_symbol, nullptr));
  REFUSES(bad_argument, hsa_executable_iterate_program_symbols(executable, nullptr, nullptr));

  const auto* address = reinterpret_cast<const void*>(kernel);
  const void* host = nullptr;
  std::size_t count = 0;
  REFUSES(bad_argument, hsa_ven_amd_loader_query_host_address(value, &host));
  REFUSES(bad_argument, hsa_ven_amd_loader_query_host_address(address, nullptr));
  REFUSES(bad_argument, hsa_ven_amd_loader_query_executable(value, &fresh));
  REFUSES(bad_argument, hsa_ven_amd_loader_query_executable(address, nullptr));
  REFUSES(bad_argument, hsa_ven_amd_loader_query_segment_descriptors(nullptr, nullptr));
  hsa_ven_amd_loader_segment_descriptor_t segments[9];
  REFUSES(bad_argument, hsa_ven_amd_loader_query_segment_descriptors(segments, &count));
  count = 9;
  REFUSES(HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, hsa_ven_amd_loader_query_segment_descriptors(segments, &count));
  REFUSES(bad_executable, hsa_ven_amd_loader_executable_iterate_loaded_code_objects(none, ignore_loaded, nullptr));
  REFUSES(bad_argument, hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, nullptr, nullptr));
  REFUSES(bad_code_object,
          hsa_ven_amd_loader_loaded_code_object_get_info({17}, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND, value));
  REFUSES(bad_argument, hsa_ven_amd_loader_iterate_executables(nullptr, nullptr));
  EXPECT_OK(hsa_code_object_reader_destroy(reader));
  EXPECT_OK(hsa_code_object_destroy(object));
  EXPECT_OK(hsa_executable_destroy(fresh));
}

TEST_F(Machine, WhatIsNotSupported) {
  uint32_t value = 0, mask = 7;
  int number = 0;
  void* pointer = nullptr;
  const void* constant = nullptr;
  std::size_t size = 0;
  hsa_signal_t signal{};
  hsa_amd_ipc_memory_t handle{};
  REFUSES(HSA_STATUS_ERROR, hsa_amd_ipc_memory_create(&value, 4, &handle));
  REFUSES(HSA_STATUS_ERROR, hsa_amd_ipc_memory_attach(&handle, 4, 0, nullptr, &pointer));
  REFUSES(HSA_STATUS_ERROR, hsa_amd_ipc_memory_detach(&value));
  REFUSES(HSA_STATUS_ERROR, hsa_amd_ipc_signal_create({0}, &handle));
  REFUSES(HSA_STATUS_ERROR, hsa_amd_ipc_signal_attach(&handle, &signal));
  REFUSES(HSA_STATUS_ERROR, hsa_amd_interop_map_buffer(1, &gpu, number, 0, &size, &pointer, &size, &constant));
  REFUSES(HSA_STATUS_ERROR, hsa_amd_interop_unmap_buffer(&value));
  hsa_ext_program_t program{};
  hsa_code_object_t object{};
  REFUSES(HSA_STATUS_ERROR, hsa_ext_program_create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL,
                                                   HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &program));
  REFUSES(HSA_STATUS_ERROR, hsa_ext_program_destroy(program));
  REFUSES(HSA_STATUS_ERROR, hsa_ext_program_add_module(program, nullptr));
  REFUSES(HSA_STATUS_ERROR, hsa_ext_program_iterate_modules(program, nullptr, nullptr));
  REFUSES(HSA_STATUS_ERROR, hsa_ext_program_get_info(program, HSA_EXT_PROGRAM_INFO_PROFILE, &value));
  REFUSES(HSA_STATUS_ERROR,
          hsa_ext_program_finalize(program, {0}, 0, {}, nullptr, HSA_CODE_OBJECT_TYPE_PROGRAM, &object));
  hsa_code_symbol_t symbol{};
  REFUSES(bad_code_object, hsa_code_object_get_info({0}, HSA_CODE_OBJECT_INFO_TYPE, &value));
  REFUSES(bad_code_object, hsa_code_object_get_symbol({0}, "x", &symbol));
  REFUSES(bad_code_object, hsa_code_object_get_symbol_from_name({0}, nullptr, "x", &symbol));
  REFUSES(bad_code_object, hsa_code_object_iterate_symbols({0}, nullptr, nullptr));
  REFUSES(bad_code_object, hsa_code_object_serialize({0}, nullptr, {0}, nullptr, &pointer, &size));
  REFUSES(bad_code_object, hsa_code_symbol_get_info({0}, HSA_CODE_SYMBOL_INFO_TYPE, &value));

  hsa_ext_image_format_t format{};
  hsa_ext_image_descriptor_t image_of{};
  hsa_ext_image_t image{};
  hsa_ext_sampler_t sampler{};
  hsa_ext_sampler_descriptor_t sampler_of{};
  hsa_ext_image_data_info_t info{};
  hsa_ext_image_region_t region{};
  const hsa_dim3_t place{0, 0, 0}, range{1, 1, 1};
  constexpr auto layout = HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR;
  constexpr auto access = HSA_ACCESS_PERMISSION_RW;
  EXPECT_OK(hsa_ext_image_get_capability(gpu, HSA_EXT_IMAGE_GEOMETRY_2D, &format, &mask));
  EXPECT_EQ(mask, 0u);
  mask = 7;
  EXPECT_OK(hsa_ext_image_get_capability_with_layout(gpu, HSA_EXT_IMAGE_GEOMETRY_2D, &format, layout, &mask));
  EXPECT_EQ(mask, 0u);
  REFUSES(bad_argument, hsa_ext_image_get_capability(gpu, HSA_EXT_IMAGE_GEOMETRY_2D, &format, nullptr));
  REFUSES(bad_argument,
          hsa_ext_image_get_capability_with_layout(gpu, HSA_EXT_IMAGE_GEOMETRY_2D, &format, layout, nullptr));
  REFUSES(no_image, hsa_ext_image_data_get_info(gpu, &image_of, access, &info));
  REFUSES(no_image, hsa_ext_image_data_get_info_with_layout(gpu, &image_of, access, layout, 0, 0, &info));
  REFUSES(no_image, hsa_ext_image_create(gpu, &image_of, &value, access, &image));
  REFUSES(no_image, hsa_ext_image_create_with_layout(gpu, &image_of, &value, access, layout, 0, 0, &image));
  REFUSES(no_image, hsa_amd_image_create(gpu, &image_of, nullptr, &value, access, &image));
  REFUSES(no_image, hsa_ext_image_destroy(gpu, image));
  REFUSES(no_image, hsa_ext_image_copy(gpu, image, &place, image, &place, &range));
  REFUSES(no_image, hsa_ext_image_import(gpu, &value, 0, 0, image, &region));
  REFUSES(no_image, hsa_ext_image_export(gpu, image, &value, 0, 0, &region));
  REFUSES(no_image, hsa_ext_image_clear(gpu, image, &value, &region));
  REFUSES(no_image, hsa_ext_sampler_create(gpu, &sampler_of, &sampler));
  REFUSES(no_image, hsa_ext_sampler_destroy(gpu, sampler));
}

}  // namespace

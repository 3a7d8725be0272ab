// Initialisation, the system, agents, instruction sets, caches, extensions.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "machine.h"

namespace {

constexpr auto not_initialised = HSA_STATUS_ERROR_NOT_INITIALIZED;
constexpr auto bad_argument = HSA_STATUS_ERROR_INVALID_ARGUMENT;

TEST(Lifetime, IsCounted) {
  EXPECT_OK(hsa_init());
  EXPECT_OK(hsa_init());
  EXPECT_OK(hsa_shut_down());
  uint64_t value;
  EXPECT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &value));
  EXPECT_OK(hsa_shut_down());
  EXPECT_EQ(hsa_shut_down(), not_initialised);
}

TEST(Lifetime, BadTargetFailsWithReason) {
  setenv("GFXISA_TARGET", "gfx9999", 1);
  setenv("GFXISA_QUIET", "1", 1);
  EXPECT_EQ(hsa_init(), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  unsetenv("GFXISA_TARGET");
}

TEST_F(Machine, ForkedChildBeginsAnew) {
  const hsa_signal_t signal = make_signal(1);
  const pid_t child = fork();
  if (child == 0) {
    uint64_t value;
    if (hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &value) != not_initialised) _exit(1);
    if (hsa_init() != HSA_STATUS_SUCCESS) _exit(2);
    hsa_signal_t mine;
    if (hsa_signal_create(0, 0, nullptr, &mine) != HSA_STATUS_SUCCESS) _exit(3);
    _exit(hsa_shut_down() == HSA_STATUS_SUCCESS ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_OK(hsa_signal_destroy(signal));
}

TEST_F(Machine, StatusTexts) {
  const char* text = nullptr;
  for (int status = HSA_STATUS_ERROR; status <= HSA_STATUS_ERROR_FATAL; ++status) {
    const hsa_status_t result = hsa_status_string(static_cast<hsa_status_t>(status), &text);
    if (status >= 0x101a && status <= 0x101f) {
      EXPECT_EQ(result, bad_argument) << status;
    } else {
      EXPECT_EQ(result, HSA_STATUS_SUCCESS) << status;
      EXPECT_TRUE(std::string(text).starts_with("HSA_STATUS_ERROR"));
    }
  }
  EXPECT_EQ(hsa_status_string(HSA_STATUS_SUCCESS, nullptr), bad_argument);
}

TEST_F(Machine, SystemInfo) {
  uint16_t version = 0;
  EXPECT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &version));
  EXPECT_EQ(version, 1);
  uint64_t first = 0, second = 0, frequency = 0;
  EXPECT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
  EXPECT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &first));
  usleep(2000);
  EXPECT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &second));
  EXPECT_GE(second - first, frequency / 1000);
  uint8_t extensions[128];
  EXPECT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, extensions));
  EXPECT_TRUE(extensions[HSA_EXTENSION_AMD_LOADER / 8] >> HSA_EXTENSION_AMD_LOADER % 8 & 1);
  EXPECT_EQ(hsa_system_get_info(static_cast<hsa_system_info_t>(0x999), &first), bad_argument);
  EXPECT_EQ(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, nullptr), bad_argument);
}

TEST_F(Machine, AgentInfo) {
  char name[64];
  EXPECT_OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, name));
  EXPECT_STREQ(name, "gfx1100");
  uint32_t wave = 0, units = 0, size = 0;
  EXPECT_OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave));
  EXPECT_EQ(wave, 32u);
  EXPECT_OK(hsa_agent_get_info(gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT), &units));
  EXPECT_EQ(units, 96u);
  EXPECT_OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE, &size));
  EXPECT_EQ(size, 1024u);
  // Every attribute of the headers has an answer that fits 256 bytes.
  alignas(8) char value[256];
  for (uint32_t attribute = 0; attribute <= HSA_AGENT_INFO_FAST_F16_OPERATION; ++attribute)
    EXPECT_OK(hsa_agent_get_info(gpu, static_cast<hsa_agent_info_t>(attribute), value)) << attribute;
  for (uint32_t attribute = 0xa000; attribute <= 0xa014; ++attribute) {
    EXPECT_OK(hsa_agent_get_info(gpu, static_cast<hsa_agent_info_t>(attribute), value)) << attribute;
    EXPECT_OK(hsa_agent_get_info(cpu, static_cast<hsa_agent_info_t>(attribute), value)) << attribute;
  }
  for (uint32_t attribute = 0x3000; attribute <= 0x300c; ++attribute)
    EXPECT_OK(hsa_agent_get_info(gpu, static_cast<hsa_agent_info_t>(attribute), value)) << attribute;
  EXPECT_EQ(hsa_agent_get_info({12345}, HSA_AGENT_INFO_NAME, name), HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_agent_get_info(gpu, static_cast<hsa_agent_info_t>(0xbeef), name), bad_argument);
  EXPECT_EQ(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, nullptr), bad_argument);
  uint16_t mask = 1;
  EXPECT_OK(hsa_agent_get_exception_policies(gpu, HSA_PROFILE_BASE, &mask));
  EXPECT_EQ(hsa_agent_get_exception_policies(gpu, HSA_PROFILE_BASE, nullptr), bad_argument);
}

TEST_F(Machine, IterationStopsWhenToldTo) {
  int calls = 0;
  const auto stop = [](hsa_agent_t, void* data) {
    ++*static_cast<int*>(data);
    return HSA_STATUS_INFO_BREAK;
  };
  EXPECT_EQ(hsa_iterate_agents(stop, &calls), HSA_STATUS_INFO_BREAK);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(hsa_iterate_agents(nullptr, nullptr), bad_argument);
}

TEST_F(Machine, InstructionSet) {
  hsa_isa_t isa{};
  const auto take = [](hsa_isa_t found, void* data) {
    *static_cast<hsa_isa_t*>(data) = found;
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(hsa_agent_iterate_isas(gpu, take, &isa));
  uint32_t length = 0;
  EXPECT_OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
  std::string name(length, '?');
  EXPECT_OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data()));
  EXPECT_STREQ(name.c_str(), "amdgcn-amd-amdhsa--gfx1100");
  EXPECT_EQ(name.size(), std::strlen(name.c_str()) + 1);
  hsa_isa_t same{};
  EXPECT_OK(hsa_isa_from_name(name.c_str(), &same));
  EXPECT_EQ(same.handle, isa.handle);
  EXPECT_EQ(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx1", &same), HSA_STATUS_ERROR_INVALID_ISA_NAME);
  EXPECT_EQ(hsa_isa_from_name(nullptr, &same), bad_argument);
  bool fits = false;
  EXPECT_OK(hsa_isa_compatible(isa, same, &fits));
  EXPECT_TRUE(fits);
  EXPECT_EQ(hsa_isa_compatible({1}, same, &fits), HSA_STATUS_ERROR_INVALID_ISA);
  EXPECT_EQ(hsa_isa_get_info_alt({1}, HSA_ISA_INFO_NAME_LENGTH, &length), HSA_STATUS_ERROR_INVALID_ISA);
  EXPECT_EQ(hsa_isa_get_info_alt(isa, static_cast<hsa_isa_info_t>(99), &length), bad_argument);
  EXPECT_EQ(hsa_isa_get_info(isa, HSA_ISA_INFO_NAME_LENGTH, 3, &length), HSA_STATUS_ERROR_INVALID_INDEX);
  EXPECT_OK(hsa_isa_get_info(isa, HSA_ISA_INFO_CALL_CONVENTION_COUNT, 0, &length));
  hsa_round_method_t method;
  EXPECT_OK(hsa_isa_get_round_method(isa, HSA_FP_TYPE_32, HSA_FLUSH_MODE_FTZ, &method));
  EXPECT_EQ(hsa_isa_get_round_method(isa, static_cast<hsa_fp_type_t>(7), HSA_FLUSH_MODE_FTZ, &method), bad_argument);
  uint16_t mask;
  EXPECT_OK(hsa_isa_get_exception_policies(isa, HSA_PROFILE_FULL, &mask));
  hsa_wavefront_t wavefront{};
  const auto take_wavefront = [](hsa_wavefront_t found, void* data) {
    *static_cast<hsa_wavefront_t*>(data) = found;
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(hsa_isa_iterate_wavefronts(isa, take_wavefront, &wavefront));
  uint32_t size = 0;
  EXPECT_OK(hsa_wavefront_get_info(wavefront, HSA_WAVEFRONT_INFO_SIZE, &size));
  EXPECT_EQ(size, 32u);
  EXPECT_EQ(hsa_wavefront_get_info({1}, HSA_WAVEFRONT_INFO_SIZE, &size), HSA_STATUS_ERROR_INVALID_WAVEFRONT);
}

TEST_F(Machine, Caches) {
  std::vector<hsa_cache_t> caches;
  const auto take = [](hsa_cache_t cache, void* data) {
    static_cast<std::vector<hsa_cache_t>*>(data)->push_back(cache);
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(hsa_agent_iterate_caches(gpu, take, &caches));
  ASSERT_EQ(caches.size(), 3u);
  uint8_t level = 0;
  uint32_t size = 0, length = 0;
  char name[16];
  EXPECT_OK(hsa_cache_get_info(caches[1], HSA_CACHE_INFO_LEVEL, &level));
  EXPECT_OK(hsa_cache_get_info(caches[1], HSA_CACHE_INFO_SIZE, &size));
  EXPECT_OK(hsa_cache_get_info(caches[1], HSA_CACHE_INFO_NAME_LENGTH, &length));
  EXPECT_OK(hsa_cache_get_info(caches[1], HSA_CACHE_INFO_NAME, name));
  EXPECT_EQ(level, 2);
  EXPECT_EQ(size, 6u << 20);
  EXPECT_EQ(std::string(name).size(), length);
  EXPECT_EQ(hsa_cache_get_info({1}, HSA_CACHE_INFO_SIZE, &size), HSA_STATUS_ERROR_INVALID_CACHE);
}

TEST_F(Machine, Extensions) {
  const char* name = nullptr;
  EXPECT_OK(hsa_extension_get_name(HSA_EXTENSION_AMD_LOADER, &name));
  EXPECT_STREQ(name, "HSA_EXTENSION_AMD_LOADER");
  EXPECT_EQ(hsa_extension_get_name(0x777, &name), bad_argument);
  bool has = false;
  uint16_t minor = 0;
  EXPECT_OK(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, &minor, &has));
  EXPECT_TRUE(has);
  EXPECT_EQ(minor, 3);
  EXPECT_OK(hsa_system_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, 4, &has));
  EXPECT_FALSE(has);
  EXPECT_OK(hsa_system_extension_supported(HSA_EXTENSION_FINALIZER, 1, 0, &has));
  EXPECT_FALSE(has);
  EXPECT_OK(hsa_agent_extension_supported(HSA_EXTENSION_AMD_LOADER, gpu, 1, 0, &has));
  EXPECT_TRUE(has);
  EXPECT_OK(hsa_agent_major_extension_supported(HSA_EXTENSION_AMD_LOADER, cpu, 1, &minor, &has));
  EXPECT_FALSE(has);
  hsa_ven_amd_loader_1_00_pfn_t table{};
  EXPECT_OK(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof table, &table));
  EXPECT_NE(table.hsa_ven_amd_loader_query_executable, nullptr);
  hsa_ven_amd_loader_1_01_pfn_t older{};
  EXPECT_OK(hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 1, &older));
  EXPECT_NE(older.hsa_ven_amd_loader_loaded_code_object_get_info, nullptr);
  EXPECT_EQ(hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 2, 0, &older), bad_argument);
  EXPECT_EQ(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 8, nullptr), bad_argument);
}

}  // namespace

// Functions that are not implemented: each says so by the status its specification has for that, and is listed in
// docs/runtime.md.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>

#include "runtime/runtime.h"

using gfxisa::runtime::Runtime;

namespace {

hsa_status_t refuse(hsa_status_t why) { return Runtime::get() == nullptr ? HSA_STATUS_ERROR_NOT_INITIALIZED : why; }

/// No sharing with other processes, no graphics, no compiler for the retired intermediate language.
hsa_status_t refuse() { return refuse(HSA_STATUS_ERROR); }

hsa_status_t refuse_image() { return refuse(static_cast<hsa_status_t>(HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED)); }

/// Code objects are loaded by executables; the older queries about those that are not loaded find nothing.
hsa_status_t refuse_code_object() { return refuse(HSA_STATUS_ERROR_INVALID_CODE_OBJECT); }

}  // namespace

extern "C" {

hsa_status_t hsa_amd_image_create(hsa_agent_t, const hsa_ext_image_descriptor_t*, const hsa_amd_image_descriptor_t*,
                                  const void*, hsa_access_permission_t, hsa_ext_image_t*) {
  return refuse_image();
}
hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
  return hsa_agent_get_info(agent, attribute, value);
}
hsa_status_t hsa_amd_interop_map_buffer(uint32_t, hsa_agent_t*, int, uint32_t, size_t*, void**, size_t*, const void**) {
  return refuse();
}
hsa_status_t hsa_amd_interop_unmap_buffer(void*) { return refuse(); }
hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t*, size_t, uint32_t, const hsa_agent_t*, void**) {
  return refuse();
}
hsa_status_t hsa_amd_ipc_memory_create(void*, size_t, hsa_amd_ipc_memory_t*) { return refuse(); }
hsa_status_t hsa_amd_ipc_memory_detach(void*) { return refuse(); }
hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t*, hsa_signal_t*) { return refuse(); }
hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t, hsa_amd_ipc_signal_t*) { return refuse(); }
hsa_status_t hsa_code_object_get_info(hsa_code_object_t, hsa_code_object_info_t, void*) { return refuse_code_object(); }
hsa_status_t hsa_code_object_get_symbol(hsa_code_object_t, const char*, hsa_code_symbol_t*) {
  return refuse_code_object();
}
hsa_status_t hsa_code_object_get_symbol_from_name(hsa_code_object_t, const char*, const char*, hsa_code_symbol_t*) {
  return refuse_code_object();
}
hsa_status_t hsa_code_object_iterate_symbols(
    hsa_code_object_t, hsa_status_t (*)(hsa_code_object_t code_object, hsa_code_symbol_t symbol, void* data), void*) {
  return refuse_code_object();
}
hsa_status_t hsa_code_object_serialize(hsa_code_object_t,
                                       hsa_status_t (*)(size_t size, hsa_callback_data_t data, void** address),
                                       hsa_callback_data_t, const char*, void**, size_t*) {
  return refuse_code_object();
}
hsa_status_t hsa_code_symbol_get_info(hsa_code_symbol_t, hsa_code_symbol_info_t, void*) { return refuse_code_object(); }
hsa_status_t hsa_executable_load_program_code_object(hsa_executable_t, hsa_code_object_reader_t, const char*,
                                                     hsa_loaded_code_object_t*) {
  return refuse_code_object();
}
hsa_status_t hsa_ext_image_clear(hsa_agent_t, hsa_ext_image_t, const void*, const hsa_ext_image_region_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_image_copy(hsa_agent_t, hsa_ext_image_t, const hsa_dim3_t*, hsa_ext_image_t, const hsa_dim3_t*,
                                const hsa_dim3_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_image_create(hsa_agent_t, const hsa_ext_image_descriptor_t*, const void*, hsa_access_permission_t,
                                  hsa_ext_image_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_image_create_with_layout(hsa_agent_t, const hsa_ext_image_descriptor_t*, const void*,
                                              hsa_access_permission_t, hsa_ext_image_data_layout_t, size_t, size_t,
                                              hsa_ext_image_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_image_data_get_info(hsa_agent_t, const hsa_ext_image_descriptor_t*, hsa_access_permission_t,
                                         hsa_ext_image_data_info_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_image_data_get_info_with_layout(hsa_agent_t, const hsa_ext_image_descriptor_t*,
                                                     hsa_access_permission_t, hsa_ext_image_data_layout_t, size_t,
                                                     size_t, hsa_ext_image_data_info_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_image_destroy(hsa_agent_t, hsa_ext_image_t) { return refuse_image(); }
hsa_status_t hsa_ext_image_export(hsa_agent_t, hsa_ext_image_t, void*, size_t, size_t, const hsa_ext_image_region_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_image_get_capability(hsa_agent_t, hsa_ext_image_geometry_t, const hsa_ext_image_format_t*,
                                          uint32_t* capabilities) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (capabilities == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *capabilities = HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED;
  return HSA_STATUS_SUCCESS;
}
hsa_status_t hsa_ext_image_get_capability_with_layout(hsa_agent_t, hsa_ext_image_geometry_t,
                                                      const hsa_ext_image_format_t*, hsa_ext_image_data_layout_t,
                                                      uint32_t* capabilities) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (capabilities == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *capabilities = HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED;
  return HSA_STATUS_SUCCESS;
}
hsa_status_t hsa_ext_image_import(hsa_agent_t, const void*, size_t, size_t, hsa_ext_image_t,
                                  const hsa_ext_image_region_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_program_add_module(hsa_ext_program_t, hsa_ext_module_t) { return refuse(); }
hsa_status_t hsa_ext_program_create(hsa_machine_model_t, hsa_profile_t, hsa_default_float_rounding_mode_t, const char*,
                                    hsa_ext_program_t*) {
  return refuse();
}
hsa_status_t hsa_ext_program_destroy(hsa_ext_program_t) { return refuse(); }
hsa_status_t hsa_ext_program_finalize(hsa_ext_program_t, hsa_isa_t, int32_t, hsa_ext_control_directives_t, const char*,
                                      hsa_code_object_type_t, hsa_code_object_t*) {
  return refuse();
}
hsa_status_t hsa_ext_program_get_info(hsa_ext_program_t, hsa_ext_program_info_t, void*) { return refuse(); }
hsa_status_t hsa_ext_program_iterate_modules(
    hsa_ext_program_t, hsa_status_t (*)(hsa_ext_program_t program, hsa_ext_module_t module, void* data), void*) {
  return refuse();
}
hsa_status_t hsa_ext_sampler_create(hsa_agent_t, const hsa_ext_sampler_descriptor_t*, hsa_ext_sampler_t*) {
  return refuse_image();
}
hsa_status_t hsa_ext_sampler_destroy(hsa_agent_t, hsa_ext_sampler_t) { return refuse_image(); }

}  // extern "C"

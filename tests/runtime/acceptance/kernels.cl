// Kernels of the liboffload test: hidden arguments, the data share, atomics, a wild store. Without a library of built-in
// functions: the one of OpenCL takes hidden arguments to be others than those of code object version 6.

uint global_id_x(void) {
  return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
}
uint global_id_y(void) {
  return __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y();
}

kernel void sizes(global uint* out, uint count) {
  constant uint* blocks = (constant uint*)__builtin_amdgcn_implicitarg_ptr();      // hidden_block_count_x, y, z
  constant ushort* group_size = (constant ushort*)(blocks + 3);                    // hidden_group_size_x, y, z; remainders
  const ulong i = global_id_x() + (ulong)blocks[0] * group_size[0] * global_id_y();
  if (i >= count) return;
  out[i * 8 + 0] = blocks[0];
  out[i * 8 + 1] = blocks[1];
  out[i * 8 + 2] = group_size[0];
  out[i * 8 + 3] = group_size[1];
  out[i * 8 + 4] = __builtin_amdgcn_workgroup_size_x();
  out[i * 8 + 5] = __builtin_amdgcn_workitem_id_x() + 1000 * __builtin_amdgcn_workitem_id_y();
  out[i * 8 + 6] = group_size[3];
  out[i * 8 + 7] = __builtin_amdgcn_workgroup_id_x() + 1000 * __builtin_amdgcn_workgroup_id_y();
}

kernel void saxpy(global const float* x, global float* y, float a, uint count) {
  const uint i = global_id_x();
  if (i < count) y[i] = a * x[i] + y[i];
}

kernel void sum(global const uint* in, global uint* out, uint count) {
  local uint part[256];
  const uint lane = __builtin_amdgcn_workitem_id_x(), i = global_id_x();
  part[lane] = i < count ? in[i] : 0;
  for (uint half_size = 128; half_size > 0; half_size /= 2) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (lane < half_size) part[lane] += part[lane + half_size];
  }
  if (lane == 0) __opencl_atomic_fetch_add((global atomic_uint*)out, part[0], __ATOMIC_RELAXED, 3);
}

kernel void wild(global uint* out) { *(out + (1ul << 40)) = 1; }

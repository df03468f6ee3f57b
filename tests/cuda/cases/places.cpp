// A model for two GPUs and the host: runs enqueued ahead with the same places, runs at once with
// places of their own, devices that are the same GPU, and what is wrong about places.
#include <cstdio>
#include <cstring>

#include "case.h"
#include "net.h"

static const int kHost = 2;

struct Places {
  net_place at[NET_DEVICES] = {};
  std::vector<int> ordinals;

  Places(const net_dims& dims, const std::vector<int>& ordinals_) : ordinals(ordinals_) {
    for (int i = 0; i < NET_DEVICES; ++i) {
      net_place& place = at[i];
      Check(cudaSetDevice(ordinals[i]));
      Check(cudaStreamCreate(&place.stream));
      Check(cudaEventCreateWithFlags(&place.event, cudaEventDisableTiming));
      place.workspace_bytes = net_workspace_size(&dims, i);
      place.workspace = Take(i, std::vector<char>(place.workspace_bytes, 1));
    }
    Check(cudaSetDevice(3));
  }

  template <typename T>
  T* Take(int device, const std::vector<T>& values) const {
    Check(cudaSetDevice(ordinals[device]));
    if (device != kHost) return OnGpu(values, at[device].stream);
    void* memory = nullptr;
    Check(cudaMallocHost(&memory, values.size() * sizeof(T)));
    memcpy(memory, values.data(), values.size() * sizeof(T));
    return (T*)memory;
  }
};

struct Call {
  net_inputs in = {};
  net_outputs out = {};

  Call(const Places& places, float first, const std::vector<int64_t>& rows) {
    std::vector<float> x(15);
    for (size_t i = 0; i < x.size(); ++i) x[i] = first + (float)i;
    in.x = places.Take(0, x);
    in.at = places.Take(kHost, rows);
    out.d = places.Take(1, std::vector<float>(8));
    out.more = places.Take(0, std::vector<float>(15));
    Check(cudaSetDevice(3));
  }
  // The sums of rows of 2 * x.
  void Print(const Places& places) const {
    Check(cudaStreamSynchronize(places.at[0].stream));
    const std::vector<float> d = Back(out.d, 8, places.at[1].stream);
    const std::vector<float> more = Back(out.more, 15, places.at[0].stream);
    (void)printf("%g %g %g %g, %g\n", d[0], d[2], d[4], d[6], more[14]);
  }
};

int main() {
  net_dims dims = {};
  dims.n = 5;
  const Places one(dims, {0, 1, 0}), other(dims, {0, 1, 0}), same(dims, {2, 2, 2});
  net_config config = {};
  net *m = nullptr, *of_same = nullptr;
  if (net_create(&m, nullptr, one.at) != LATHE_OK) return 2;
  config.ordinals = same.ordinals.data();
  if (net_create(&of_same, &config, same.at) != LATHE_OK) return 2;
  for (int i = 0; i < NET_DEVICES; ++i) Check(cudaStreamSynchronize(one.at[i].stream));

  const Call first(one, 0, {0, 1, 2, 3}), second(one, 100, {4, 3, 2, 1});
  const Call beside(other, 1000, {1, 1, 1, 1}), third(same, 0, {4, 4, 0, 0});
  if (net_run(m, &dims, &first.in, &first.out, one.at) != LATHE_OK) return 2;
  if (net_run(m, &dims, &beside.in, &beside.out, other.at) != LATHE_OK) return 2;
  if (net_run(m, &dims, &second.in, &second.out, one.at) != LATHE_OK) return 2;
  if (net_run(of_same, &dims, &third.in, &third.out, same.at) != LATHE_OK) return 2;
  int current = 0;
  Check(cudaGetDevice(&current));
  (void)printf("GPU %d\n", current);
  first.Print(one);
  second.Print(one);
  beside.Print(other);
  third.Print(same);

  const Call wrong(one, 0, {0, 1, 2, 5});
  if (net_run(m, &dims, &wrong.in, &wrong.out, one.at) != LATHE_OK) return 2;
  (void)printf("%s\n", net_status_string(net_outcome(one.at)));
  if (net_run(m, &dims, &first.in, &first.out, one.at) != LATHE_OK) return 2;
  (void)printf("%s\n", net_status_string(net_outcome(one.at)));

  Places bad = other;
  bad.at[1].event = nullptr;
  (void)printf("%s\n", net_status_string(net_run(m, &dims, &beside.in, &beside.out, bad.at)));
  bad = other;
  --bad.at[kHost].workspace_bytes;
  (void)printf("%s\n", net_status_string(net_run(m, &dims, &beside.in, &beside.out, bad.at)));
  bad = other;
  bad.at[1].stream = other.at[0].stream;  // of another GPU
  (void)printf("%s\n", net_status_string(net_run(m, &dims, &beside.in, &beside.out, bad.at)));
  Check(cudaGetDevice(&current));
  (void)printf("GPU %d\n", current);
  for (const Places* places : {&one, &other, &same}) {
    for (const net_place& place : places->at) Check(cudaStreamSynchronize(place.stream));
  }
  return net_destroy(m) == LATHE_OK && net_destroy(of_same) == LATHE_OK ? 0 : 2;
}

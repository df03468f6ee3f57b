// Defines how many operators a kernel computes.
#ifndef LATHE_SCHEDULE_FUSE_FUSION_H_
#define LATHE_SCHEDULE_FUSE_FUSION_H_

namespace lathe::schedule {

// Which layers are joined over the lines of images (lines/lower_peak.h).
enum class LayerJoins {
  kNone,
  kWorthwhile,  // those that lower the peak of memory clearly
  kAll,         // those that lower it
};

struct Fusion {
  bool fuse = true;  // producers and consumers into one kernel (fuse/fuse.h)
  LayerJoins joins = LayerJoins::kWorthwhile;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_FUSION_H_

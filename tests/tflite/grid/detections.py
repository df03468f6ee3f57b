"""Cases of TFLite_Detection_PostProcess: the fast suppression, and the one per class."""
import struct

from flexbuffer_writer import flexbuffer
from grid.maker import Case, float32

CUSTOM = 32


def found(step):
    """The fast suppression writes no more results than it counts."""
    n = int(struct.unpack("<f", step[3])[0])
    return [step[0][:16 * n], step[1][:4 * n], step[2][:4 * n], step[3]]


def detections(per_class):
    def make(m):
        n, classes, most = m.integer(1, 14), m.integer(1, 4), m.integer(1, 8)
        background = m.integer(0, 1)
        # Distances to anchors: the centre, and the logarithm of the size.
        codes = m.tensor([1, n, 4], low=-1.5, high=1.5)
        anchors = [float32(v) for _ in range(n)
                   for v in (m.real(0, 1), m.real(0, 1), m.real(0.3, 1), m.real(0.3, 1))]
        scores = m.tensor([1, n, classes + background], low=0, high=1)
        case = Case(CUSTOM, [codes, scores, m.tensor([n, 4], constant=True, values=anchors)],
                    [m.result([1, most, 4]), m.result([1, most]), m.result([1, most]),
                     m.result([1])])
        case.operator.custom = "TFLite_Detection_PostProcess"
        case.operator.custom_options = flexbuffer({
            "max_detections": most, "max_classes_per_detection": 1,
            "detections_per_class": m.integer(1, 6), "use_regular_nms": per_class,
            "nms_score_threshold": float32(m.real(0, 0.6)),
            "nms_iou_threshold": float32(m.real(0.1, 0.9)), "num_classes": classes,
            "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0})
        if not per_class:
            case.defined = found
        return case
    return make


FAMILIES = {"DETECTIONS": detections(False), "DETECTIONS_PER_CLASS": detections(True)}

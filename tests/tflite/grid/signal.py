"""Cases of the operators of TFLite Micro's audio front end. Those with a state run several steps."""
from flexbuffer_writer import flexbuffer
from grid.maker import Case, count, packed

CUSTOM = 32
TYPES = {"float32": 0, "int32": 2, "int16": 7}  # the option T


def case_of(name, inputs, outputs, steps=1, **fields):
    case = Case(CUSTOM, inputs, outputs)
    case.operator.custom = name
    case.operator.custom_options = flexbuffer(fields)
    case.steps = steps
    return case


def steps_of(m, shape, dtype, steps, low=None, high=None):
    """An input with elements for each step."""
    x = m.tensor(shape, dtype, low=low, high=high)
    values = m.elements(dtype, count(shape) * steps, low, high)
    x.feed = packed(dtype, values)
    return x


def if_valid(step):
    """The frames are not written before the first valid one."""
    return step if step[1] != b"\0" else [b"", step[1]]


def framer(m):
    step, steps = m.integer(1, 6), m.integer(2, 7)
    size, frames = step + m.integer(0, 14), m.integer(1, 3)
    rows = m.pick([[], [m.integer(1, 2)]])
    x = steps_of(m, rows + [frames * step], "int16", steps)
    case = case_of("SignalFramer", [x],
                   [m.result(rows + [frames, size], "int16"), m.result([], "bool")], steps,
                   frame_size=size, frame_step=step, prefill=m.chance())
    case.defined = if_valid
    return case


def stacker(m):
    channels, left, right = m.integer(1, 5), m.integer(0, 4), m.integer(0, 3)
    slots, steps = left + right + 1, m.integer(3, 10)
    case = case_of("SignalStacker", [steps_of(m, [channels], "int16", steps)],
                   [m.result([channels * slots], "int16"), m.result([], "bool")], steps,
                   num_channels=channels, stacker_left_context=left, stacker_right_context=right,
                   stacker_step=m.integer(1, slots))
    case.defined = if_valid
    return case


def delay(m):
    shape, steps = m.shape(1, 3, 8), m.integer(2, 6)
    return case_of("SignalDelay", [steps_of(m, shape, "int16", steps)],
                   [m.result(shape, "int16")], steps, delay_length=m.integer(0, 20))


def overlap_add(m):
    dtype = m.pick(["int16", "int16", "float32"])
    step, frames, steps = m.integer(1, 6), m.integer(1, 4), m.integer(2, 5)
    size = step + m.integer(0, 14)
    rows = m.pick([[], [m.integer(1, 2)]])
    x = steps_of(m, rows + [frames, size], dtype, steps)
    return case_of("SignalOverlapAdd", [x], [m.result(rows + [frames * step], dtype)], steps,
                   T=TYPES[dtype], frame_step=step)


def fft_input(m, shape):
    """With all bits in use, with few, or only of the extreme values."""
    dtype = m.pick(["int16", "int32", "float32"])
    if dtype == "float32":
        return m.tensor(shape, dtype, low=-1, high=1)
    most = 2**(15 if dtype == "int16" else 31)
    kind = m.integer(0, 2)
    if kind == 0:
        return m.tensor(shape, dtype, low=-100, high=100)
    if kind == 1:
        return m.tensor(shape, dtype, low=-most, high=most - 1)
    return m.tensor(shape, dtype, values=[m.pick([-most, most - 1]) for _ in range(count(shape))])


def rfft(m):
    length = 2**m.integer(2, 9)
    rows = m.pick([[], [m.integer(1, 2)]])
    x = fft_input(m, rows + [m.integer(1, length)])
    return case_of("SignalRfft", [x], [m.result(rows + [length + 2], x.dtype)],
                   T=TYPES[x.dtype], fft_length=length)


def irfft(m):
    length = 2**m.integer(2, 9)
    rows = m.pick([[], [m.integer(1, 2)]])
    x = fft_input(m, rows + [length + 2])
    return case_of("SignalIrfft", [x], [m.result(rows + [length], x.dtype)],
                   T=TYPES[x.dtype], fft_length=length)


def window(m):
    shape = m.shape(1, 2, 30)
    return case_of("SignalWindow", [m.tensor(shape, "int16"), m.tensor(shape[-1:], "int16")],
                   [m.result(shape, "int16")], shift=m.integer(0, 15))


def auto_scale(m):
    most = m.pick([0, 1, 100, 32767])
    shape = [m.integer(1, 40)]
    return case_of("SignalFftAutoScale", [m.tensor(shape, "int16", low=-most, high=most)],
                   [m.result(shape, "int16"), m.result([], "int32")])


def energy(m):
    n = m.integer(1, 20)
    start = m.integer(0, n - 1)
    end = m.integer(start + 1, n)
    case = case_of("SignalEnergy", [m.tensor([2 * n], "int16")], [m.result([n], "uint32")],
                   end_index=end, start_index=start)
    case.defined = lambda step: [step[0][4 * start:4 * end]]
    return case


def filter_bank(m):
    channels, n = m.integer(1, 5), m.integer(4, 30)
    starts, widths, weight_starts = [], [], []
    for _ in range(channels + 1):
        starts.append(m.integer(0, n - 1))
        widths.append(m.integer(1, n - starts[-1]))
        weight_starts.append(sum(widths[:-1]))
    constant = lambda values: m.tensor([len(values)], "int16", constant=True, values=values)
    weights = [constant([m.integer(0, 4096) for _ in range(sum(widths))]) for _ in range(2)]
    x = m.tensor([n], "uint32", low=0, high=2**32 - 1)
    return case_of("SignalFilterBank",
                   [x, *weights, constant(starts), constant(weight_starts), constant(widths)],
                   [m.result([channels], "uint64")], num_channels=channels)


def square_root(m):
    shape = [m.integer(1, 20)]
    x = m.tensor(shape, "uint64", values=[m.integer(0, 2**m.integer(1, 63)) for _ in range(shape[0])])
    return case_of("SignalFilterBankSquareRoot",
                   [x, m.tensor([], "int32", values=[m.integer(0, 8)])],
                   [m.result(shape, "uint32")])


def subtraction(m):
    shape, steps = [m.integer(1, 12)], m.integer(2, 6)
    smoothing, alternate = m.integer(0, 16384), m.integer(0, 16384)
    x = steps_of(m, shape, "uint32", steps, 0, 2**m.integer(4, 20))
    return case_of("SignalFilterBankSpectralSubtraction", [x],
                   [m.result(shape, "uint32"), m.result(shape, "uint32")], steps,
                   alternate_one_minus_smoothing=16384 - alternate, alternate_smoothing=alternate,
                   clamping=m.chance(), min_signal_remaining=m.integer(0, 16384), num_channels=shape[0],
                   one_minus_smoothing=16384 - smoothing, smoothing=smoothing,
                   smoothing_bits=m.integer(0, 10), spectral_subtraction_bits=14)


def pcan(m):
    shape = [m.integer(1, 20)]
    lut = m.tensor([125], "int16", constant=True)
    return case_of("SignalPCAN",
                   [m.tensor(shape, "uint32", low=0, high=2**m.integer(4, 20)),
                    m.tensor(shape, "uint32", low=0, high=2**m.integer(2, 30)), lut],
                   [m.result(shape, "uint32")], snr_shift=m.integer(0, 12))


def filter_bank_log(m):
    shape = [m.integer(1, 20)]
    return case_of("SignalFilterBankLog", [m.tensor(shape, "uint32", low=0, high=2**m.integer(2, 28))],
                   [m.result(shape, "int16")], input_correction_bits=m.integer(0, 3),
                   output_scale=m.integer(1, 1600))


FAMILIES = {
    "SIGNAL_FRAMER": framer, "SIGNAL_STACKER": stacker, "SIGNAL_DELAY": delay,
    "SIGNAL_OVERLAP_ADD": overlap_add, "SIGNAL_RFFT": rfft, "SIGNAL_IRFFT": irfft,
    "SIGNAL_WINDOW": window, "SIGNAL_FFT_AUTO_SCALE": auto_scale, "SIGNAL_ENERGY": energy,
    "SIGNAL_FILTER_BANK": filter_bank, "SIGNAL_SQUARE_ROOT": square_root,
    "SIGNAL_SPECTRAL_SUBTRACTION": subtraction, "SIGNAL_PCAN": pcan,
    "SIGNAL_FILTER_BANK_LOG": filter_bank_log,
}

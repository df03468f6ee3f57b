"""Cases of recurrent layers, float and with int8 weights for float data, over several steps."""
from grid.maker import Case, Tensor, options

STEPS = 3


class Layer:
    """Draws the tensors of one layer."""

    def __init__(self, m, hybrid):
        self.m, self.hybrid = m, hybrid
        self.batch, self.time = m.integer(1, 3), m.integer(1, 4)
        self.width, self.units = m.integer(1, 6), m.integer(1, 5)
        self.outputs = self.units
        self.time_major = int(m.chance())

    def weights(self, *shape):
        m = self.m
        if self.hybrid:
            return m.tensor(list(shape), "int8", m.scale(2e-3, 2e-2), 0, constant=True, low=-127,
                            high=127)
        return m.tensor(list(shape), constant=True, low=-1.0, high=1.0)

    def floats(self, *shape, low=-1.0):
        return self.m.tensor(list(shape), constant=True, low=low, high=1.0)

    def state(self, *shape):
        self.m.made += 1
        return Tensor("s%d" % self.m.made, list(shape), variable=True)

    def order(self, last):
        return [self.time, self.batch, last] if self.time_major else [self.batch, self.time, last]

    def data(self, shape):
        """Elements of all steps."""
        m = self.m
        x = m.tensor([STEPS] + list(shape), low=-2.0, high=2.0)
        x.shape = list(shape)
        return x

    def case(self, code, inputs, outputs, table):
        # TFLite Micro reads int8 weights as floats.
        made = Case(code, inputs, outputs, table, oracle="litert" if self.hybrid else None)
        made.steps = STEPS
        return made


def gates(layer, normalized=False):
    """The inputs 1 to 17 of an LSTM, and those of its normalization."""
    m, units, outputs = layer.m, layer.units, layer.outputs
    coupled = m.chance(0.3)
    some = lambda made: None if coupled else made
    weights = [layer.weights(units, layer.width) for _ in range(4)]
    recurrent = [layer.weights(units, outputs) for _ in range(4)]
    peephole = [None] * 3
    if m.chance(0.4):
        peephole = [layer.weights(units) for _ in range(3)]
        peephole[0] = some(peephole[0])
    bias = [layer.floats(units) for _ in range(4)]
    weights[0], recurrent[0], bias[0] = some(weights[0]), some(recurrent[0]), some(bias[0])
    projection = [None, None]
    if outputs != units or m.chance(0.3):
        projection = [layer.weights(outputs, units), layer.floats(outputs) if m.chance() else None]
    norm = [layer.floats(units, low=0.2) for _ in range(4)] if normalized else [None] * 4
    norm[0] = some(norm[0])
    return weights + recurrent + peephole + bias + projection, norm


def clips(m):
    return {"cell_clip": m.pick([0.0, 0.0, 0.5, 10.0]), "proj_clip": m.pick([0.0, 0.0, 0.3])}


def lstm(code, hybrid=False, normalized=False):
    """One step (16), or a sequence (44)."""
    def make(m):
        layer = Layer(m, hybrid)
        if m.chance(0.4):
            layer.outputs = m.integer(1, 5)
        inner, norm = gates(layer, normalized)
        hidden = layer.state(layer.batch, layer.outputs)
        cell = layer.state(layer.batch, layer.units)
        order = layer.order if code == 44 else lambda last: [layer.batch, last]
        x, y = layer.data(order(layer.width)), m.result(order(layer.outputs))
        more = {"time_major": layer.time_major} if code == 44 else {"kernel_type": 0}
        if hybrid:
            more["asymmetric"] = int(m.chance())
        return layer.case(code, [x, *inner, hidden, cell, *norm], [y],
                          options(71 if code == 44 else 14, activation=4, **clips(m), **more))
    return make


def basic_lstm(m):
    layer = Layer(m, False)
    both = layer.width + layer.units
    x = layer.data([layer.batch, layer.width])
    old = layer.data([layer.batch, layer.units])
    cell = layer.data([layer.batch, layer.units])
    outputs = [m.result([layer.batch, n]) for n in (layer.units, layer.units, both, 4 * layer.units)]
    made = layer.case(16, [x, old, layer.weights(4 * layer.units, both),
                           layer.floats(4 * layer.units), cell], outputs,
                      options(14, activation=4, kernel_type=1))
    made.defined = lambda step: step[:2]
    return made


def bidirectional_lstm(hybrid=False):
    def make(m):
        layer = Layer(m, hybrid)
        if not layer.time_major:
            layer.batch = 1  # LiteRT computes other values for the last of several rows than for it alone
        merged = int(m.chance())
        parts, states = [], []
        for _ in range(2):
            inner, _ = gates(layer)
            parts += inner
            states += [layer.state(layer.batch, layer.outputs),
                       layer.state(layer.batch, layer.units)]
        x = layer.data(layer.order(layer.width))
        sizes = [2 * layer.outputs] if merged else [layer.outputs] * 2
        return layer.case(52, [x, *parts, *states, *[None] * 9],
                          [m.result(layer.order(n)) for n in sizes],
                          options(69, activation=4, **clips(m), merge_outputs=merged,
                                  time_major=layer.time_major))
    return make


def rnn(code, hybrid=False):
    def make(m):
        layer = Layer(m, hybrid)
        w, r = layer.weights(layer.units, layer.width), layer.weights(layer.units, layer.units)
        order = layer.order if code == 35 else lambda last: [layer.batch, last]
        x, y = layer.data(order(layer.width)), m.result(order(layer.units))
        more = {"time_major": layer.time_major} if code == 35 else {}
        if hybrid:
            more["asymmetric"] = int(m.chance())
        return layer.case(code, [x, w, r, layer.floats(layer.units),
                                 layer.state(layer.batch, layer.units)], [y],
                          options(31 if code == 35 else 7, activation=m.integer(0, 4), **more))
    return make


def bidirectional_rnn(hybrid=False):
    def make(m):
        layer = Layer(m, hybrid)
        if hybrid:
            layer.time_major = 0  # otherwise LiteRT runs the sequence as often as it has steps
        merged = int(m.chance())
        parts = []
        for _ in range(2):
            parts += [layer.weights(layer.units, layer.width),
                      layer.weights(layer.units, layer.units), layer.floats(layer.units),
                      layer.state(layer.batch, layer.units)]
        x = layer.data(layer.order(layer.width))
        sizes = [2 * layer.units] if merged else [layer.units] * 2
        return layer.case(46, [x, *parts, None, None, None],
                          [m.result(layer.order(n)) for n in sizes],
                          options(70, activation=m.integer(0, 4), merge_outputs=merged,
                                  time_major=layer.time_major))
    return make


def svdf(hybrid=False):
    def make(m):
        layer = Layer(m, hybrid)
        rank, memory = m.integer(1, 3), m.integer(1, 5)
        filters = rank * layer.units
        x, y = layer.data([layer.batch, layer.width]), m.result([layer.batch, layer.units])
        time = layer.floats(filters, memory) if not hybrid else layer.weights(filters, memory)
        bias = layer.floats(layer.units) if m.chance(0.7) else None
        more = {"asymmetric": int(m.chance())} if hybrid else {}
        return layer.case(27, [x, layer.weights(filters, layer.width), time, bias,
                               layer.state(layer.batch, filters * memory)], [y],
                          options(6, rank=rank, activation=m.integer(0, 3), **more))
    return make


FAMILIES = {
    "LSTM": lstm(16), "LSTM_BASIC": basic_lstm, "LSTM_HYBRID": lstm(16, hybrid=True),
    "LSTM_NORMALIZED": lstm(16, normalized=True),
    "SEQUENCE_LSTM": lstm(44), "SEQUENCE_LSTM_HYBRID": lstm(44, hybrid=True),
    "SEQUENCE_LSTM_NORMALIZED": lstm(44, normalized=True),
    "BIDIRECTIONAL_LSTM": bidirectional_lstm(),
    "BIDIRECTIONAL_LSTM_HYBRID": bidirectional_lstm(True),
    "RNN": rnn(24), "RNN_HYBRID": rnn(24, True), "SEQUENCE_RNN": rnn(35),
    "SEQUENCE_RNN_HYBRID": rnn(35, True), "BIDIRECTIONAL_RNN": bidirectional_rnn(),
    "BIDIRECTIONAL_RNN_HYBRID": bidirectional_rnn(True), "SVDF_FLOAT": svdf(),
    "SVDF_HYBRID": svdf(True),
}

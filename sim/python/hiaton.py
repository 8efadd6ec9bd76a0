"""Simulated tagged-token dataflow machines, over the C interface hiaton.h.

    import hiaton
    program = hiaton.load("fact.df")
    print(program.run(n=5))                                   # 120
    print(hiaton.sweep(program, {"n": range(10), "pe.count": [1, 4]}))

Digests, statistics and results are those of `hiaton run`. numpy and pandas are used if they can be
imported: else arrays are nested lists, and a sweep returns a Table. A session belongs to one thread
at a time; programs and machines to any number. doc/python.md of the manual shows all of it.
"""

import ctypes as c
import functools
import itertools
import operator
import os
import re
import reprlib
import signal
import sys
import threading
import warnings

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

__all__ = [
    "Error", "Warning", "Diagnostic", "Program", "Machine", "Session", "Outcome", "Event", "Port", "Data",
    "Graph", "Table", "load", "read", "run", "sweep", "batch", "replay", "data", "version"]


# --- the library ---------------------------------------------------------------------------

def _open_library():
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.environ.get("HIATON_LIBRARY")
    # share/hiaton/python/hiaton.py of an installed tree; sim/python/hiaton.py of a source tree
    near = [os.path.join(here, *path) for path in (
        ("..", "..", "..", "lib", "libhiaton.so.0"), ("..", "..", "build", "libhiaton.so.0"),
        ("..", "..", "build", "libhiaton.so"))]
    for path in [own] if own else [p for p in near if os.path.exists(p)] + ["libhiaton.so.0"]:
        try:
            return c.CDLL(path)
        except OSError as problem:
            failure = problem
    raise ImportError(
        "libhiaton.so.0 cannot be loaded: %s; HIATON_LIBRARY can name the file" % failure)


_lib = _open_library()
NONE = 2 ** 64 - 1        # HIATON_NONE
NO_NODE = 2 ** 32 - 1     # HIATON_NO_NODE
TO_RETURN = 2 ** 32 - 2   # HIATON_TO_RETURN
TO_NOWHERE = 2 ** 32 - 1  # HIATON_TO_NOWHERE
_MAX_RANK = 20
_OK, _ENDED, _CANCELLED, _DIFFERS, _WAITING = 0, 1, 2, 3, 4
_MISUSE, _REJECTED, _ABSENT, _NO_ROOM, _FAILED = -1, -2, -3, -4, -5
_INT, _REAL, _BOOL, _REAL32, _TENSOR, _DATA = range(6)
_CODES = ("syntax", "name", "type", "meaning", "limit", "file", "usage")
_pointer, _text, _u32, _u64, _size, _int = (
    c.c_void_p, c.c_char_p, c.c_uint32, c.c_uint64, c.c_size_t, c.c_int)


_MAX_CYCLE = 2 ** 63 - 1


class _ProgramHandle(_pointer):
    """A program of the library, which only the library makes."""


def _number(name, value, greatest=2 ** 64 - 1, least=0):
    """The number as an int. Raises an OverflowError outside of the range, where ctypes wraps it."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError("%s: expected a whole number, found %r" % (name, value)) from None
    if not least <= number <= greatest:
        raise OverflowError("%s: expected a number from %d to %d, found %d" % (
            name, least, greatest, number))
    return number


def _range(kind):
    """The greatest and the least number of an integer type of ctypes; None for other types."""
    if kind in (_u32, _u64, _size):
        return 2 ** (8 * c.sizeof(kind)) - 1, 0
    return (2 ** 31 - 1, -2 ** 31) if kind is _int else None


class _Sized(c.Structure):
    """A structure whose first member is its size."""

    def __init__(self, **members):
        for name, kind in self._fields_:
            if name in members and _range(kind):
                members[name] = _number(name, members[name], *_range(kind))
        super().__init__(size=c.sizeof(type(self)), **members)


class _Diagnostic(_Sized):
    _fields_ = [("size", _size), ("severity", _int), ("code", _int), ("file", _text), ("line", _u32),
                ("column", _u32), ("end_line", _u32), ("end_column", _u32), ("text", _text),
                ("printed", _text), ("node", _u32)]


_REPORT = c.CFUNCTYPE(None, _pointer, c.POINTER(_Diagnostic))


class _Reporter(_Sized):
    _fields_ = [("size", _size), ("report", _REPORT), ("context", _pointer)]


class _ProgramOptions(_Sized):
    _fields_ = [("size", _size), ("name", _text), ("folder", _text), ("strategy", _text),
                ("machine", _pointer), ("params", _text)]


class _Symbol(_Sized):
    _fields_ = [("size", _size), ("name", _text), ("type", _text), ("element", _int), ("rank", _u32)]


_LOOK = c.CFUNCTYPE(_int, _pointer, _pointer)


class _SessionOptions(_Sized):
    _fields_ = [("size", _size), ("seed", _u64), ("limit_memory", _u64), ("limit_cycles", _u64),
                ("limit_tokens", _u64), ("untimed", _int), ("look", _LOOK), ("context", _pointer)]


class _Field(c.Structure):
    _fields_ = [("name", _text), ("word", _text), ("value", _u64)]


class _Event(_Sized):
    _fields_ = [("size", _size), ("name", _text), ("cycle", _u64), ("fields", c.POINTER(_Field)),
                ("field_count", _size)]


_HEAR = c.CFUNCTYPE(None, _pointer, c.POINTER(_Event))


class _Listener(_Sized):
    _fields_ = [("size", _size), ("hear", _HEAR), ("context", _pointer), ("level", _text),
                ("kinds", _text), ("pe", _text), ("function", _text), ("line", _text),
                ("below", _text)]


_WRITE = c.CFUNCTYPE(_int, _pointer, _pointer, _size)


class _RecordOptions(_Sized):
    _fields_ = [("size", _size), ("write", _WRITE), ("context", _pointer), ("interval", _u64),
                ("checkpoint", _u64)]


_UNTIL = c.CFUNCTYPE(_int, _pointer)


class _Until(_Sized):
    _fields_ = [("size", _size), ("cycle", _u64), ("tokens", _u64), ("event", _UNTIL),
                ("context", _pointer)]


class _Ending(_Sized):
    _fields_ = [("size", _size), ("end", _int), ("name", _text), ("result", _text),
                ("reason", _text), ("waiting", _text), ("limit", _text), ("math", _text),
                ("line", _u32), ("column", _u32), ("node", _u32)]


class _Value(_Sized):
    _fields_ = [("size", _size), ("type", _int), ("rank", _u32), ("extents", _u64 * _MAX_RANK),
                ("data", _pointer), ("bytes", _size)]


class _Number(_Sized):
    _fields_ = [("size", _size), ("kind", _int), ("count", _u64), ("real", c.c_double)]


class _Port(_Sized):
    _fields_ = [("size", _size), ("name", _text), ("is_input", _int), ("part_count", _size),
                ("types", c.POINTER(_int)), ("ranks", c.POINTER(_u32)), ("fed", _u64),
                ("taken", _u64), ("room", _u64), ("is_waiting", _int), ("is_closed", _int)]


_BEGIN = c.CFUNCTYPE(None, _pointer, _pointer, _u64)
_END = c.CFUNCTYPE(_int, _pointer, _pointer, _u64)


class _Batch(_Sized):
    _fields_ = [("size", _size), ("program", _pointer), ("machine", _pointer),
                ("options", c.POINTER(_SessionOptions)), ("count", _u64), ("threads", _u32),
                ("begin", _BEGIN), ("end", _END), ("context", _pointer)]


class _ReplayOptions(_Sized):
    _fields_ = [("size", _size), ("program", _text), ("sets", c.POINTER(_text)),
                ("set_count", _size), ("look", _LOOK), ("context", _pointer)]


class _Replay(_Sized):
    _fields_ = [("size", _size), ("is_same", _int), ("text", _text), ("json", _text)]


# Functions of hiaton.h: the type of the result, and those of the arguments.
_FUNCTIONS = {
    "version": (_text,),
    "status_text": (_text, _int),
    "program_load": (_ProgramHandle, _text, c.POINTER(_ProgramOptions), c.POINTER(_Reporter)),
    "program_read": (_ProgramHandle, _text, _size, c.POINTER(_ProgramOptions), c.POINTER(_Reporter)),
    "program_image": (_pointer, _pointer, c.POINTER(_size)),
    "program_symbol": (_int, _pointer, _int, _size, c.POINTER(_Symbol)),
    "program_free": (None, _pointer),
    "graph_new": (_pointer, _text, _text, c.POINTER(_Reporter)),
    "graph_declare": (_int, _pointer, _text),
    "graph_place": (None, _pointer, _u32, _u32, _u32),
    "graph_node": (_u32, _pointer, _text, _text, _text),
    "graph_arc": (_int, _pointer, _u32, _u32, _u32, _u32),
    "graph_finish": (_ProgramHandle, _pointer, c.POINTER(_ProgramOptions)),
    "graph_free": (None, _pointer),
    "machine_new": (_pointer, _text, c.POINTER(_Reporter)),
    "machine_set": (_int, _pointer, _text, _text, c.POINTER(_Reporter)),
    "machine_get": (_size, _pointer, _text, _text, _size),
    "machine_free": (None, _pointer),
    "session_new": (_pointer, _pointer, _pointer, c.POINTER(_SessionOptions), c.POINTER(_Reporter)),
    "session_input": (_int, _pointer, _text, _int, _u32, c.POINTER(_u64), _pointer),
    "session_input_text": (_int, _pointer, _text, _text),
    "session_listen": (_int, _pointer, c.POINTER(_Listener)),
    "session_record": (_int, _pointer, c.POINTER(_RecordOptions)),
    "session_advance": (_int, _pointer, c.POINTER(_Until)),
    "session_cancel": (None, _pointer),
    "session_cycle": (_u64, _pointer),
    "session_ending": (_int, _pointer, c.POINTER(_Ending)),
    "session_result": (_int, _pointer, _size, c.POINTER(_Value)),
    "session_statistic": (_int, _pointer, _text, c.POINTER(_Number)),
    "session_port": (_int, _pointer, _size, c.POINTER(_Port)),
    "session_feed": (_int, _pointer, _size, c.POINTER(_Value), _size, _u64),
    "session_close": (_int, _pointer, _size, _u64),
    "session_take": (_int, _pointer, _size, c.POINTER(_Value), _size),
    "session_save": (_int, _pointer, c.POINTER(_pointer), c.POINTER(_size)),
    "session_restore": (_int, _pointer, _text, _size),
    "session_reset": (_int, _pointer, _u64),
    "session_free": (None, _pointer),
    "batch_run": (_int, c.POINTER(_Batch), c.POINTER(_Reporter)),
    "recording_open": (_pointer, _text, c.POINTER(_Reporter)),
    "recording_replay": (_int, _pointer, c.POINTER(_ReplayOptions), c.POINTER(_Replay),
                         c.POINTER(_Reporter)),
    "recording_free": (None, _pointer),
}



def _checked(kind):
    """The type of an argument: an integer type of ctypes, but it refuses what that would wrap."""
    if not _range(kind):
        return kind

    class Checked(kind):
        @classmethod
        def from_param(cls, value):
            return kind(_number("argument", value, *_range(kind)))
    return Checked


for _name, (_result, *_arguments) in _FUNCTIONS.items():
    if hasattr(_lib, "hiaton_" + _name):
        _function = getattr(_lib, "hiaton_" + _name)
        _function.restype, _function.argtypes = _result, [_checked(kind) for kind in _arguments]


def version():
    """The version of the library, such as "0.2.0"."""
    return _lib.hiaton_version().decode()


# --- errors --------------------------------------------------------------------------------

class Diagnostic:
    """An error or a warning: severity, code, file, line, column, text, printed; and node, of a graph."""

    def __init__(self, d):
        self.severity = "warning" if d.severity else "error"
        self.code = _CODES[d.code] if d.code < len(_CODES) else "error"
        self.file, self.text = _string(d.file), _string(d.text)
        self.printed = _string(d.printed)
        self.line, self.column = d.line or None, d.column or None
        self.node = None if d.node == NO_NODE else d.node

    def __repr__(self):
        return self.printed.rstrip("\n")


class Error(Exception):
    """What was asked for is wrong; `diagnostics` are all errors, the first cause first."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class Warning(UserWarning):
    """A warning of the library."""


class _Owner:
    """An object of the library. A copy would free it a second time; another process has none of it."""

    def __reduce_ex__(self, _protocol):
        kind = type(self).__name__
        raise TypeError("a %s is not copied or pickled: make another one of the same %s" % (
            kind, {"Program": "file or text", "Session": "program", "Graph": "calls"}.get(kind, "settings")))


def _exclusive(method):
    """A method that changes what it belongs to: refused in callbacks of a call under way, and while
    another thread is in a call."""
    @functools.wraps(method)
    def call(self, /, *arguments, **more):
        with _Turn(self, method.__name__, True):
            return method(self, *arguments, **more)
    return call


def _shared(method):
    """A method that callbacks of a call under way may use too; refused while another thread is in a
    call."""
    @functools.wraps(method)
    def call(self, /, *arguments, **more):
        with _Turn(self, method.__name__, False):
            return method(self, *arguments, **more)
    return call


class _Turn:
    """A call on an object that one thread at a time may use. Raises an Error if it is in use."""

    def __init__(self, owner, what, is_exclusive):
        self._owner, self._what, self._is_exclusive, self._is_first = owner, what, is_exclusive, False

    def __enter__(self):
        owner, kind = self._owner, type(self._owner).__name__.strip("_").lower()
        lock = getattr(owner, "_lock", None)
        if lock is None:
            raise Error("%s: the %s was not made" % (self._what, kind))
        if owner._user == threading.get_ident():
            if self._is_exclusive:
                raise Error("%s: the %s is in a call already; a callback may only read it or cancel it"
                            % (self._what, kind))
        else:
            self._is_first = lock.acquire(blocking=False)
            if not self._is_first:
                raise Error("%s: the %s is in use by another thread" % (self._what, kind))
            owner._user = threading.get_ident()
        if not owner._handle and self._what != "free":
            self.__exit__()
            raise Error("%s: the %s is freed" % (self._what, kind))

    def __exit__(self, *_):
        if self._is_first:
            self._owner._user = None
            self._owner._lock.release()


def _string(text):
    return None if text is None else text.decode("utf-8", "replace")


def _bytes(text):
    """A string for C. Raises a ValueError for a NUL character, at which C would end it."""
    data = None if text is None else os.fsencode(text)
    if data and b"\0" in data:
        raise ValueError("a name or value with a NUL character: %r" % (text,))
    return data


def _named(what, text):
    """A string for C that cannot be left out. Raises a TypeError for None."""
    if text is None:
        raise TypeError("%s: expected a text, found None" % what)
    return _bytes(text)


def _list(what, values):
    """The values as a list. Raises a TypeError for one text, which would be taken for its letters."""
    if isinstance(values, (str, bytes, dict)) or not hasattr(values, "__iter__"):
        raise TypeError("%s: expected a list, found %s" % (what, reprlib.repr(values)))
    return list(values)


def _called(what, function):
    if not callable(function):
        raise TypeError("%s: expected a function, found %s" % (what, reprlib.repr(function)))
    return function


def _dict(what, values):
    if not hasattr(values, "keys"):
        raise TypeError("%s: expected a dict, found %s" % (what, reprlib.repr(values)))
    return dict(values)


def _frames_here():
    """The number of frames of this file above its caller's, and with it."""
    frame, number = sys._getframe(1), 0
    while frame and frame.f_code.co_filename == _frames_here.__code__.co_filename:
        frame, number = frame.f_back, number + 1
    return number


class _Ear:
    """A reporter that keeps diagnostics."""

    def __init__(self):
        self.diagnostics = []
        self._report = _REPORT(lambda _, d: self.diagnostics.append(Diagnostic(d.contents)))
        self.reporter = _Reporter(report=self._report)

    def tell(self):
        """Issues warnings, and returns the errors; both are forgotten."""
        all_, self.diagnostics[:] = list(self.diagnostics), []
        for d in all_:
            if d.severity == "warning":
                warnings.warn(d.printed.rstrip("\n"), Warning, stacklevel=_frames_here() + 1)
        return [d for d in all_ if d.severity == "error"]

    def check(self, is_good, otherwise):
        errors = self.tell()
        if not is_good:
            text = "\n".join(d.printed.rstrip("\n") for d in errors)
            raise Error(text or otherwise, errors)


def _status_text(status):
    return _lib.hiaton_status_text(status).decode()


# --- values --------------------------------------------------------------------------------

_C_TYPES = {_INT: c.c_int64, _REAL: c.c_double, _BOOL: c.c_uint8, _REAL32: c.c_float, _DATA: c.c_uint8}
_DTYPES = {_INT: "int64", _REAL: "float64", _BOOL: "bool", _REAL32: "float32"}


def _nest(flat, extents):
    if not extents:
        return flat[0]
    step = len(flat) // extents[0] if extents[0] else 0
    return [_nest(flat[i * step:(i + 1) * step], extents[1:]) for i in range(extents[0])]


def _python_value(value, data):
    """A value of the library with its elements: a scalar, an array of numpy, or nested lists; data
    as its text."""
    extents = list(value.extents[:value.rank])
    if value.type == _DATA:
        return bytes(data).decode()
    if value.rank == 0:
        one = data[0]
        return bool(one) if value.type == _BOOL else one
    if numpy:
        return numpy.frombuffer(data, _DTYPES[value.type]).reshape(extents).copy() if len(data) \
            else numpy.zeros(extents, _DTYPES[value.type])
    flat = [bool(x) for x in data] if value.type == _BOOL else list(data)
    return _nest(flat, extents)


def _shape(nested):
    shape = []
    while isinstance(nested, (list, tuple)):
        shape.append(len(nested))
        nested = nested[0] if nested else None
        if len(shape) > _MAX_RANK:  # or without an end: a list may hold itself
            raise ValueError("expected at most %d axes, found lists that are nested deeper" % _MAX_RANK)
    return shape


def _flatten(nested, shape):
    if not shape:
        return [nested]
    if not isinstance(nested, (list, tuple)) or len(nested) != shape[0]:
        raise TypeError("rows of different lengths: %s" % reprlib.repr(nested))
    return [x for row in nested for x in _flatten(row, shape[1:])]


def _type_of(scalars):
    if all(isinstance(x, bool) for x in scalars) and scalars:
        return _BOOL
    if all(isinstance(x, int) and not isinstance(x, bool) for x in scalars):
        return _INT
    return _REAL


def _c_value(data):
    """(type, extents, elements as a ctypes array) of a number, an array, or nested lists."""
    if numpy and isinstance(data, (numpy.ndarray, numpy.generic)):
        if isinstance(data, numpy.ma.MaskedArray):
            raise TypeError("expected an array, found a masked one: fill it first, with its `filled`")
        if numpy.ndim(data) > _MAX_RANK:
            raise ValueError("expected at most %d axes, found %d" % (_MAX_RANK, numpy.ndim(data)))
        array = numpy.ascontiguousarray(data)
        extents = list(numpy.shape(data))
        kinds = {"b": _BOOL, "i": _INT, "u": _INT, "f": _REAL}
        if array.dtype.kind not in kinds:
            raise TypeError("expected numbers or bools, found dtype %s" % array.dtype)
        kind = _REAL32 if array.dtype == numpy.float32 and extents else kinds[array.dtype.kind]
        if array.dtype.kind == "u" and array.size and int(array.max()) >= 2 ** 63:
            raise OverflowError("expected ints of 64 bits, found %d" % int(array.max()))
        raw = array.astype(_DTYPES[kind]).tobytes()
        return kind, extents, (c.c_char * max(len(raw), 1)).from_buffer_copy(raw or b"\0")
    extents = _shape(data)
    scalars = _flatten(data, extents)
    for x in scalars:
        if not isinstance(x, (bool, int, float)):
            raise TypeError("expected a number, a bool or an array, found %s %s" % (
                type(x).__name__, reprlib.repr(x)))
    kind = _type_of(scalars)
    if kind == _INT and any(not -2 ** 63 <= x < 2 ** 63 for x in scalars):
        raise OverflowError("expected ints of 64 bits, found %s" % reprlib.repr(data))
    return kind, extents, (_C_TYPES[kind] * max(len(scalars), 1))(*scalars)


def _fetch(get, values):
    """Values that `get` fills in: first their sizes, then their elements. Returns the status, and
    the values."""
    status = get()
    if status != _NO_ROOM:
        return status, None
    buffers = [(_C_TYPES[v.type] * (v.bytes // c.sizeof(_C_TYPES[v.type])))() for v in values]
    spare = (c.c_uint64 * 1)()  # a buffer of no elements has an address too
    for v, buffer in zip(values, buffers):
        v.data = c.addressof(buffer if len(buffer) else spare)
        v.bytes = max(c.sizeof(buffer), 0)
    status = get()
    return status, [_python_value(v, b) for v, b in zip(values, buffers)]


# --- machines ------------------------------------------------------------------------------

class Machine(_Owner):
    """Settings: a preset or a file, and changes to it.

        machine = Machine("ideal", {"pe.count": 16})
        machine["network.latency"] = 3
    """

    def __init__(self, name=None, settings=None):
        ear, self._lock, self._user = _Ear(), threading.Lock(), None
        self._handle = _lib.hiaton_machine_new(_bytes(name), c.byref(ear.reporter))
        ear.check(self._handle, "no machine %s" % name)
        self.name = name or "default"
        for key, value in _dict("settings", settings or {}).items():
            self[key] = value

    @_exclusive
    def __setitem__(self, key, value):
        ear = _Ear()
        text = str(value).lower() if isinstance(value, bool) else str(value)
        status = _lib.hiaton_machine_set(self._handle, _named("key", key), _bytes(text),
                                         c.byref(ear.reporter))
        if status == _ABSENT:
            raise KeyError("no setting is called %s" % key)
        ear.check(status == _OK, "the machine is in use, and does not change any more")

    @_exclusive
    def __getitem__(self, key):
        length = _lib.hiaton_machine_get(self._handle, _named("key", key), None, 0)
        if not length:
            raise KeyError("no setting is called %s" % key)
        text = c.create_string_buffer(length + 1)
        _lib.hiaton_machine_get(self._handle, _bytes(key), text, length + 1)
        return _string(text.value)

    def __repr__(self):
        return "<hiaton.Machine %s>" % self.name

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            _lib.hiaton_machine_free(handle)


def _machine(machine, settings=None):
    if isinstance(machine, Machine) and not settings:
        return machine
    if isinstance(machine, Machine):
        raise TypeError("settings change a preset or a file; name it instead of a Machine")
    return Machine(machine, settings) if machine or settings else None


# --- programs ------------------------------------------------------------------------------

class Program(_Owner):
    """A compiled program, which does not change. Made by load, read and Graph.finish."""

    def __init__(self, handle, name):
        if not isinstance(handle, _ProgramHandle):
            raise TypeError("load, read or Graph.finish make a Program, found %s" % reprlib.repr(handle))
        self._handle, self.name = handle, name
        self.inputs = {_string(s.name): _string(s.type) for s in self._symbols(0)}
        self._results = [_string(s.type) for s in self._symbols(1)]
        self._fed = None  # names of ports in, once they are asked for

    def _symbols(self, kind):
        for number in itertools.count():
            symbol = _Symbol()
            if _lib.hiaton_program_symbol(self._handle, kind, number, c.byref(symbol)) != _OK:
                return
            yield symbol

    @property
    def results(self):
        """Types of the parts of the result."""
        return tuple(self._results)

    @property
    def image(self):
        """The image, as bytes."""
        length = _size()
        return c.string_at(_lib.hiaton_program_image(self._handle, c.byref(length)), length.value)

    def session(self, machine=None, **options):
        """A session: see Session."""
        return Session(self, machine, **options)

    def run(self, /, machine=None, seed=None, settings=None, untimed=None, inputs=None, **more):
        """Runs to the end, and returns the Outcome. Inputs are keywords, or in the dict `inputs`,
        which is needed for an input that is called as a parameter of this function."""
        own = {"machine": machine, "seed": seed, "settings": settings, "untimed": untimed}
        if inputs is None:
            self._refuse_clashes(own)
        elif not isinstance(inputs, dict):
            raise TypeError("inputs: expected a dict of inputs, as in inputs={\"inputs\": 3}, "
                            "found %r" % (inputs,))
        with self.session(_machine(machine, settings), seed=0 if seed is None else seed,
                          untimed=bool(untimed)) as session:
            return session.run(inputs, **more)

    def _refuse_clashes(self, own):
        """Raises a TypeError if a parameter is given that may be meant for an input of its name."""
        for name, value in own.items():
            if value is not None and name in self.inputs:
                raise TypeError("%s: the program has an input of this name; give inputs in a dict: "
                                "inputs={\"%s\": ...} (inputs={} if %s is the parameter of run)" %
                                (name, name, name))

    def refuse_ports(self, what):
        """Raises an Error if the program has a port in: nobody would feed it."""
        if self._fed is None:
            with self.session() as session:
                self._fed = [port.name for port in session.ports.values() if port.is_input]
        if self._fed:
            raise Error("%s: the program waits for its host at ports %s; make a session for each run, "
                        "see Session.stream" % (what, ", ".join(self._fed)))

    def __repr__(self):
        return "<hiaton.Program %s>" % self.name

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            _lib.hiaton_program_free(handle)


def _program_options(strategy, machine, name=None, folder=None, params=None):
    if not (machine is None or isinstance(machine, Machine)):
        raise TypeError("machine: expected a Machine, found %s" % reprlib.repr(machine))
    return _ProgramOptions(name=_bytes(name), folder=_bytes(folder), strategy=_bytes(strategy),
                           machine=machine._handle if machine else None, params=_bytes(params))


def load(path, strategy=None, machine=None, params=None):
    """Loads a source, an assembly text or an image from a file. Settings of `machine` decide how a
    source is compiled; `params` is a folder of params that `hiaton train -o` wrote."""
    ear, options = _Ear(), _program_options(strategy, machine, params=params)
    handle = _lib.hiaton_program_load(_named("path", path), c.byref(options), c.byref(ear.reporter))
    ear.check(handle, "%s cannot be loaded" % path)
    return Program(handle, os.path.basename(os.fspath(path)))


def read(text, name="program", folder=None, strategy=None, machine=None, params=None):
    """Makes a program of the text of a source or of assembly, or of the bytes of an image."""
    if not isinstance(text, (str, bytes)):
        raise TypeError("text: expected a text or bytes, found %s" % reprlib.repr(text))
    data = text if isinstance(text, bytes) else text.encode()
    ear, options = _Ear(), _program_options(strategy, machine, name, folder, params)
    handle = _lib.hiaton_program_read(data, len(data), c.byref(options), c.byref(ear.reporter))
    ear.check(handle, "%s cannot be read" % name)
    return Program(handle, name)


def _program(program):
    return program if isinstance(program, Program) else load(program)


def run(program, /, machine=None, **arguments):
    """Runs a program, or the one in a file: see Program.run."""
    return _program(program).run(machine, **arguments)


# --- data ----------------------------------------------------------------------------------

class Data:
    """Data of a constructor: its `name`, and `fields`, a tuple of numbers, bools, tuples, lists and
    Data. str() has it as Hiaton prints it.

        Data("Node", 5, Data("Leaf"), Data("Leaf"))
    """

    __slots__ = ("name", "fields")

    def __init__(self, name, *fields):
        if not isinstance(name, str) or not _CONSTRUCTOR.fullmatch(name):
            raise ValueError("expected the name of a constructor, found %s" % reprlib.repr(name))
        self.name, self.fields = name, fields

    def __getitem__(self, number):
        return self.fields[number]

    def __len__(self):
        return len(self.fields)

    def __eq__(self, other):
        if not isinstance(other, Data):
            return NotImplemented
        return list(_words(self)) == list(_words(other))

    def __hash__(self):
        return hash(tuple(_words(self)))

    def __str__(self):
        return "".join(_words(self))

    __repr__ = __str__


_CONSTRUCTOR = re.compile("[A-Z][A-Za-z0-9_']*")
_WORD = re.compile(r"\s*([A-Z][A-Za-z0-9_']*|[a-z]+|-?(?:[0-9][0-9.e+-]*|inf|nan)|[][(),])")


def _word_of(scalar):
    if isinstance(scalar, bool):
        return str(scalar).lower()
    if isinstance(scalar, (int, float)):
        return repr(scalar)
    raise TypeError("expected a number, a bool, a tuple, a list or Data, found %s %s" % (
        type(scalar).__name__, reprlib.repr(scalar)))


def _words(value):
    """The words of a value. Lists of a million elements are as deep: no function calls itself."""
    open_ = [iter([value])]
    closing, first = [""], [True]
    while open_:
        for part in open_[-1]:
            if not first[-1]:
                yield ", "
            first[-1] = False
            if isinstance(part, Data):
                yield part.name
            if isinstance(part, (Data, tuple, list)):
                parts = part.fields if isinstance(part, Data) else part
                if isinstance(part, Data) and not parts:
                    continue
                yield "[" if isinstance(part, list) else "("
                open_.append(iter(parts))
                closing.append("]" if isinstance(part, list) else ")")
                first.append(True)
                break
            yield _word_of(part)
        else:
            open_.pop()
            first.pop()
            yield closing.pop()


def data(text):
    """The value that a text such as "Node(5, Leaf, [1.5])" is of: the text of a result with data.
    Constructors are Data."""
    if not isinstance(text, str):
        raise TypeError("expected a text, found %s" % reprlib.repr(text))
    stack, at = [(None, [])], 0
    while at < len(text.rstrip()):
        found = _WORD.match(text, at)
        if not found:
            raise ValueError("expected a value, found %s" % reprlib.repr(text[at:]))
        word, at = found.group(1), found.end()
        if _CONSTRUCTOR.fullmatch(word) and text[at:at + 1] == "(":
            stack.append((word, []))
            at += 1
        elif word in "([":
            stack.append((word, []))
        elif word in ")]":
            kind, parts = stack.pop()
            if not stack or (word == "]") != (kind == "["):
                raise ValueError("unexpected `%s` in %s" % (word, reprlib.repr(text)))
            stack[-1][1].append(parts if kind == "[" else tuple(parts) if kind == "("
                                else Data(kind, *parts))
        elif word != ",":
            stack[-1][1].append(_scalar(word))
    if len(stack) != 1 or len(stack[0][1]) != 1:
        raise ValueError("expected one value, found %s" % reprlib.repr(text))
    return stack[0][1][0]


def _flat(fields):
    """The fields with the parts of tuples in the place of tuples, as a constructor has them."""
    for field in fields:
        if isinstance(field, tuple):
            yield from _flat(field)
        else:
            yield field


def _scalar(word):
    if _CONSTRUCTOR.fullmatch(word):
        return Data(word)
    if word in ("true", "false"):
        return word == "true"
    try:
        return int(word)
    except ValueError:
        return float(word)


# --- graphs --------------------------------------------------------------------------------

class Graph(_Owner):
    """A program that is built call by call; doc/compilers.md of the manual has what it is made of."""

    def __init__(self, stage="functions", source="graph"):
        self._ear, self.source, self._lock, self._user = _Ear(), source, threading.Lock(), None
        self._handle = _lib.hiaton_graph_new(_bytes(stage), _bytes(source),
                                             c.byref(self._ear.reporter))
        self._ear.check(self._handle, "no graph")

    @_exclusive
    def declare(self, declaration):
        """Adds a declaration: "function f (int) -> (int)", "input n int = 3", "site 0 main -> f",
        "constructor Node of Tree 1 (int key, data left, data right)"."""
        self._ear.check(_lib.hiaton_graph_declare(self._handle, _bytes(declaration)) == _OK,
                        "not one line: %s" % declaration)

    @_exclusive
    def place(self, line, column=1, span=1):
        """Says where in your own source the following nodes come from; line 0: nowhere."""
        for name, value in (("line", line), ("column", column), ("span", span)):
            _number(name, value, 2 ** 32 - 1)
        _lib.hiaton_graph_place(self._handle, line, column, span)

    @_exclusive
    def node(self, function, opcode, operands=""):
        """Adds a node, and returns its number."""
        number = _lib.hiaton_graph_node(self._handle, _bytes(function), _bytes(opcode),
                                        _bytes(operands))
        self._ear.check(number != NO_NODE, "no node")
        return number

    @_exclusive
    def arc(self, node, to, operand=0, output=0):
        """Adds an arc from an output of `node` to an operand of node `to`."""
        for name, value in (("node", node), ("to", to), ("operand", operand), ("output", output)):
            _number(name, value, 2 ** 32 - 1)
        status = _lib.hiaton_graph_arc(self._handle, node, output, to, operand)
        self._ear.check(status == _OK, "no arc")

    def data(self, function, value, trigger=None):
        """Adds the nodes that make a value, Data with fields, to a function. Returns the number of
        its CONSTRUCT, from which arcs lead to what takes the value. Constructors are declared
        before. In a function that is called, node `trigger` has the data made."""
        if not isinstance(value, Data) or not value.fields:
            raise ValueError("expected Data with fields, found %s: a constructor without fields is "
                             "an operand" % reprlib.repr(value))
        root = self._construct(function, value, trigger)
        todo = [(value, root)]
        while todo:
            made, node = todo.pop()
            for number, field in enumerate(_flat(made.fields)):
                kind = "data" if isinstance(field, Data) else \
                    {bool: "bool", int: "int", float: "real"}.get(type(field))
                if not kind:
                    raise TypeError("field %d of %s: expected a number, a bool or Data, found %s" % (
                        number, made.name, reprlib.repr(field)))
                inner = self._construct(function, field, trigger) \
                    if kind == "data" and field.fields else None
                word = "_" if inner is not None else field.name if kind == "data" else _word_of(field)
                fill = self.node(function, "fill." + kind, "_, %s, field %s.%d" % (
                    word, made.name, number))
                self.arc(node, fill)
                if inner is not None:
                    self.arc(inner, fill, 1)
                    todo.append((field, inner))
        return root

    def _construct(self, function, value, trigger):
        node = self.node(function, "construct", "%sconstructor %s" % (
            "" if trigger is None else "_, ", value.name))
        if trigger is not None:
            self.arc(trigger, node)
        return node

    @_exclusive
    def finish(self, strategy=None, machine=None):
        """Checks the graph, and makes a Program of it."""
        options = _program_options(strategy, machine)
        handle = _lib.hiaton_graph_finish(self._handle, c.byref(options))
        self._ear.check(handle, "the graph is wrong")
        return Program(handle, self.source)

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            _lib.hiaton_graph_free(handle)


# --- sessions ------------------------------------------------------------------------------

class Outcome:
    """How a run ended: status ("completed", "trapped", ...), value, text, reason, waiting, limit,
    line, column, node; and statistics: outcome["cycles"]."""

    def __init__(self, status, value, text, statistics, **more):
        self.status, self.value, self.text, self.statistics = status, value, text, statistics
        self.reason, self.waiting, self.limit = (more.get(k) for k in ("reason", "waiting", "limit"))
        self.line, self.column, self.node = (more.get(k) for k in ("line", "column", "node"))

    @property
    def completed(self):
        return self.status == "completed"

    def __getitem__(self, key):
        return self.statistics[key]

    def __str__(self):
        return self.text if self.completed else "%s: %s" % (self.status, self.reason)

    def __repr__(self):
        return "<hiaton.Outcome %s>" % self


class _Interrupts:
    """Has an exception of a signal handler, such as the KeyboardInterrupt of Ctrl-C, call a function
    while the library runs: it would get lost in the library, which calls Python between two cycles."""

    _SIGNALS = [getattr(signal, name) for name in (
        "SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2")
        if hasattr(signal, name)]

    def __init__(self, stop):
        self._stop, self._kept = stop, []

    def _keep(self, number, before):
        def handle(*arguments):
            try:
                before(*arguments)
            except BaseException as raised:
                self._stop(raised)
        self._kept.append((number, before, handle))
        signal.signal(number, handle)

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for number in self._SIGNALS:
                before = signal.getsignal(number)
                if callable(before) and not isinstance(before, signal.Handlers):
                    self._keep(number, before)

    def __exit__(self, *_):
        for number, before, handle in self._kept:
            if signal.getsignal(number) is handle:
                signal.signal(number, before)


class Event:
    """An event of a run: name, cycle, and its fields: event["pe"]."""

    def __init__(self, e):
        self.name, self.cycle = _string(e.name), e.cycle
        self.fields = {_string(f.name): _string(f.word) if f.word is not None
                       else None if f.value == NONE else f.value for f in e.fields[:e.field_count]}

    def __getitem__(self, field):
        return self.fields[field]

    def __repr__(self):
        words = ["%s=%s" % field for field in self.fields.items() if field[1] is not None]
        return " ".join([str(self.cycle), self.name] + words)


class Port:
    """A port of a session: name, is_input, types, fed, taken, room (None: any), is_waiting, is_closed."""

    def __init__(self, number, p):
        names = ("int", "real", "bool", "real32", "tensor")
        self.number, self.name = number, _string(p.name)
        self.types = tuple(names[p.types[i]] for i in range(p.part_count))
        self.fed, self.taken = p.fed, p.taken
        self.room = None if p.room == NONE else p.room
        self.is_input, self.is_waiting, self.is_closed = (
            bool(x) for x in (p.is_input, p.is_waiting, p.is_closed))

    def __repr__(self):
        way = "in" if self.is_input else "out"
        return "<hiaton.Port %s %s (%s)>" % (way, self.name, ", ".join(self.types))


STATISTICS = ("cycles", "firings", "tokens", "calls", "loop_iterations", "span", "parallelism",
              "utilisation", "peak_live_tokens", "peak_tags", "value_digest", "timing_digest")


class Session(_Owner):
    """One run of a program on a machine, and all of its state.

    `machine`: a Machine, the name of a preset, or None for the machine that the program was loaded
    with. Limits of 0 are those of the machine. `untimed`: the interpreter runs it, without cycles."""

    def __init__(self, program, machine=None, seed=0, limit_cycles=0, limit_tokens=0,
                 limit_memory=0, untimed=False):
        if getattr(self, "_handle", None):
            raise Error("a session is made once; reset and restore change it")
        self._lock, self._life, self._user, self._handle = threading.Lock(), threading.RLock(), None, None
        self.program, self.machine = _program(program), _machine(machine)
        self._ear, self._raised, self._kept, self._has_run = _Ear(), None, [], False
        self._seed, self._numbers = seed, {}
        self._look = _LOOK(self._look_on)
        self._options = _SessionOptions(seed=seed, limit_cycles=limit_cycles,
                                        limit_tokens=limit_tokens, limit_memory=limit_memory,
                                        untimed=untimed, look=self._look)
        self._handle = _lib.hiaton_session_new(
            self.program._handle, self.machine._handle if self.machine else None,
            c.byref(self._options), c.byref(self._ear.reporter))
        self._ear.check(self._handle, "no session")

    # An exception of a callback, and an interrupt, stop the call that it came in.

    def _look_on(self, _context, _progress):
        return int(self._raised is not None)

    def _stop(self, raised):
        self._raised = self._raised or raised
        self.cancel()

    def _guard(self, function, otherwise=0):
        def call(*arguments):
            try:
                return function(*arguments)
            except BaseException as raised:
                self._stop(raised)
                return otherwise
        return call

    def _check(self, status, what):
        raised, self._raised = self._raised, None
        if raised:
            raise raised
        self._ear.check(status >= 0, "%s: %s" % (what, _status_text(status)))
        return status

    @_exclusive
    def reset(self, seed=0):
        """Goes back to the start, with a new seed and the program's own inputs."""
        seed = _number("seed", seed)
        status = _lib.hiaton_session_reset(self._handle, seed)  # it may call a listener a last time
        self._kept, self._has_run, self._seed = [], False, seed
        self._check(status, "reset")

    @_exclusive
    def input(self, inputs=None, /, **more):
        """Gives inputs their values, as keywords or in a dict, before the run begins: numbers, bools,
        (nested) lists or arrays, or texts as on the command line, such as "@edges.txt"."""
        for name, data in dict(_dict("inputs", inputs or {}), **more).items():
            if name not in self.program.inputs:
                raise KeyError("the program has no input %s; it has: %s" % (
                    name, ", ".join(self.program.inputs) or "none"))
            if isinstance(data, str) and self.program.inputs[name][0] in "[t":
                status = _lib.hiaton_session_input_text(
                    self._handle, _bytes(name), _bytes(data))
                self._check(status, "input %s" % (name,))
                continue
            kind, extents, elements = _c_value(data)
            status = _lib.hiaton_session_input(
                self._handle, _bytes(name), kind, len(extents),
                (_u64 * max(len(extents), 1))(*extents) if extents else None, elements)
            self._check(status, "input %s" % (name,))

    @_exclusive
    def advance(self, cycle=0, tokens=0, until=None):
        """Advances to a cycle, by a number of tokens, until a function returns true, or to the end.
        Returns "advanced", "ended", or "waiting" if the host has to feed a port."""
        event = _UNTIL() if until is None else _UNTIL(
            self._guard(lambda _, ask=_called("until", until): bool(ask()), 1))
        bounds = _Until(cycle=cycle, tokens=tokens, event=event)
        self._has_run = True
        with _Interrupts(self._stop):
            status = _lib.hiaton_session_advance(self._handle, c.byref(bounds))
        if self._check(status, "advance") == _CANCELLED:
            return "cancelled"
        return {_OK: "advanced", _ENDED: "ended", _WAITING: "waiting"}[status]

    def cancel(self):
        """Has the advance that is under way, in another thread, or the next one return."""
        with getattr(self, "_life", threading.RLock()):  # it is not freed meanwhile
            handle = getattr(self, "_handle", None)
            if handle:
                _lib.hiaton_session_cancel(handle)

    def run(self, inputs=None, /, **more):
        """Runs from the start to the end with these inputs, and returns the Outcome. A session that
        has run is reset first, with its seed."""
        if self._has_run:
            self.reset(self._seed)
        self.input(inputs, **more)
        how = self.advance()
        if how == "waiting":
            ports = ", ".join(p.name for p in self.ports.values() if p.is_waiting and p.is_input)
            raise Error("the run waits for its host: ports %s; see Session.stream" % ports)
        return self.outcome() if how == "ended" else None

    @property
    @_shared
    def cycle(self):
        """The first cycle that is not simulated yet."""
        return _lib.hiaton_session_cycle(self._handle)

    @property
    @_shared
    def status(self):
        """"running", or how the run ended."""
        return _string(self._ending().name)

    @_shared
    def _ending(self):
        ending = _Ending()
        self._check(_lib.hiaton_session_ending(self._handle, c.byref(ending)), "ending")
        return ending

    @_shared
    def result(self):
        """The result: a number, an array, or a tuple of them with one for each part. Data is its
        text, "Node(Leaf(1.0), Nil)", of which `data` makes a value."""
        parts = []
        for number in range(len(self.program.results)):
            value = _Value()
            status, found = _fetch(lambda: _lib.hiaton_session_result(
                self._handle, number, c.byref(value)), [value])
            if status == _ABSENT:
                raise Error("there is no result: %s" % self.status)
            self._check(status, "part %d of the result" % number)
            parts.append(found[0])
        return parts[0] if len(parts) == 1 else tuple(parts)

    @_shared
    def statistic(self, key):
        """The value of a statistic so far, a digest in hexadecimal digits; None if it has no value.
        KeyError if there is no such statistic."""
        number = _Number()
        if _lib.hiaton_session_statistic(self._handle, _named("statistic", key), c.byref(number)) != _OK:
            for d in self._ear.tell():
                raise KeyError(d.text)
            return None
        return (number.count, number.real, "%016x" % number.count)[number.kind]

    def statistics(self, keys=STATISTICS):
        """A dict of statistics; those without a value are left out."""
        found = {key: self.statistic(key) for key in _list("statistics", keys)}
        return {key: value for key, value in found.items() if value is not None}

    @_shared
    def outcome(self, statistics=None):
        """The Outcome of a run that has ended. Its statistics are these, or STATISTICS."""
        e = self._ending()
        text, value = _string(e.result), None
        if e.end == 0:
            try:
                value = self.result()
            except Error:  # rows of several lengths: the text has them
                value = text
        return Outcome(_string(e.name), value, text, self.statistics(statistics or STATISTICS),
                       reason=_string(e.reason), waiting=_string(e.waiting), limit=_string(e.limit),
                       line=e.line or None, column=e.column or None,
                       node=None if e.node == NO_NODE else e.node)

    @_exclusive
    def listen(self, hear=None, level=None, kinds=None, pe=None, function=None, line=None,
               below=None):
        """Has `hear` called for each event, before the run begins; filters are those of `hiaton
        trace`. Without `hear`, returns the list that the events are added to."""
        events = []
        hear = events.append if hear is None else _called("hear", hear)
        call = _HEAR(self._guard(lambda _, e: hear(Event(e.contents)), None))
        kinds = kinds if kinds is None or isinstance(kinds, str) else ",".join(
            map(str, _list("kinds", kinds)))
        words = {"level": level, "kinds": kinds, "pe": pe, "function": function, "line": line,
                 "below": below}
        listener = _Listener(hear=call, **{k: _bytes(None if w is None else str(w))
                                           for k, w in words.items()})
        self._kept.append(call)
        self._check(_lib.hiaton_session_listen(self._handle, c.byref(listener)), "listen")
        return events

    @_exclusive
    def record(self, file, interval=0, checkpoint=0):
        """Records the run to a binary file that is open for writing, or to a function of bytes. A file
        must stay open until the session ends."""
        write = getattr(file, "write", file)
        if not callable(write):
            raise TypeError("record takes a file that is open for writing, as "
                            "open(path, \"wb\"), found %r" % (file,))

        def put(_, data, length):
            write(c.string_at(data, length))
            return 0
        call = _WRITE(self._guard(put, 1))
        self._kept.append(call)
        options = _RecordOptions(write=call, interval=interval, checkpoint=checkpoint)
        self._has_run = True
        self._check(_lib.hiaton_session_record(self._handle, c.byref(options)), "record")

    @_shared
    def save(self):
        """The state of the run, as bytes."""
        data, length = _pointer(), _size()
        self._check(_lib.hiaton_session_save(self._handle, c.byref(data), c.byref(length)), "save")
        return c.string_at(data, length.value)

    @_exclusive
    def restore(self, state):
        """Goes back to a state that `save` returned, in this or another process."""
        if not isinstance(state, bytes):
            raise TypeError("state: expected the bytes that save returned, found %s" % reprlib.repr(state))
        self._has_run = True
        self._check(_lib.hiaton_session_restore(self._handle, state, len(state)), "restore")

    # --- ports

    @property
    @_shared
    def ports(self):
        """The ports by name, as they are now."""
        found = {}
        for number in itertools.count():
            p = _Port()
            if not hasattr(_lib, "hiaton_session_port") or _lib.hiaton_session_port(
                    self._handle, number, c.byref(p)) != _OK:
                self._ear.tell()
                return found
            self._has_run = True
            port = Port(number, p)
            found[port.name] = port

    def port(self, name):
        """The port of that name."""
        ports = self.ports
        if name not in ports:
            raise KeyError("the program has no port %s; it has: %s" % (
                name, ", ".join(ports) or "none"))
        return ports[name]

    def _port_number(self, name):
        if name not in self._numbers:
            self._numbers = {port.name: (port.number, len(port.types))
                             for port in self.ports.values()}
        if name not in self._numbers:
            raise KeyError("the program has no port %s; it has: %s" % (
                name, ", ".join(self._numbers) or "none"))
        return self._numbers[name]

    @_shared
    def feed(self, name, element, cycle=None):
        """Feeds an element to a port: a number, an array, or a tuple with one for each part; now, or
        in a later cycle. Returns False if the port has no room."""
        number, count = self._port_number(name)
        cycle = NONE if cycle is None else _number("cycle", cycle, _MAX_CYCLE)
        parts = element if count > 1 else (element,)
        if not hasattr(parts, "__len__") or len(parts) != count:
            raise TypeError("port %s takes %d parts, found %s" % (name, count, reprlib.repr(element)))
        values, kept = (_Value * len(parts))(), []
        for v, part in zip(values, parts):
            kind, extents, data = _c_value(part)
            kept.append(data)
            v.size, v.type, v.rank = c.sizeof(_Value), kind, len(extents)
            v.extents[:len(extents)] = extents
            v.data, v.bytes = c.addressof(data), c.sizeof(data)
        status = _lib.hiaton_session_feed(self._handle, number, values, len(parts), cycle)
        if status == _ENDED:
            raise Error("feed %s: %s" % (name, _status_text(status)))
        if status != _NO_ROOM:
            self._check(status, "feed %s" % name)
        return status == _OK

    @_shared
    def close(self, name, cycle=None):
        """Closes a port in, now or in a later cycle: no element follows."""
        cycle = NONE if cycle is None else _number("cycle", cycle, _MAX_CYCLE)
        self._check(_lib.hiaton_session_close(self._handle, self._port_number(name)[0], cycle),
                    "close %s" % name)

    @_shared
    def take(self, name):
        """Takes the elements of a port out that are written, as far as the first that is not: a list."""
        number, count = self._port_number(name)
        elements = []
        while True:
            values = (_Value * count)()
            for v in values:
                v.size = c.sizeof(_Value)
            status, found = _fetch(lambda: _lib.hiaton_session_take(
                self._handle, number, values, count), values)
            if status in (_ENDED, _WAITING):
                return elements
            self._check(status, "take %s" % name)
            elements.append(found[0] if count == 1 else tuple(found))

    def stream(self, /, out=None, feeds=None, **more):
        """Runs with ports: each of `feeds` is an iterable, or a generator, whose next element is asked
        for when the run waits for that port, and which closes its port when it ends. Yields the
        elements of port `out` as they come: so a generator may depend on what was yielded before.
        Feeds of ports called out or feeds are given in a dict: feeds={"out": ...}.

            for y in session.stream("ys", xs=generator()):
                ...
        """
        if not (out is None or isinstance(out, str)) or not (feeds is None or isinstance(feeds, dict)):
            raise TypeError("expected out=NAME, and feeds={NAME: elements}; give the elements of a port "
                            "called out or feeds in that dict")
        feeds = {self.port(name).name: iter(elements)
                 for name, elements in dict(feeds or {}, **more).items()}
        while True:
            how = self.advance()
            if out:
                yield from self.take(out)
            if how != "waiting":
                return
            waiting = [p.name for p in self.ports.values() if p.is_waiting and p.is_input]
            served = [name for name in waiting if name in feeds]
            for name in served:
                element = next(feeds[name], _lib)  # the library is no element
                if element is _lib:
                    self.close(name)
                elif not self.feed(name, element):
                    raise Error("port %s has no room" % name)
            if not served:
                raise Error("the run waits for its host, and nothing feeds it: ports %s" %
                            ", ".join(waiting))

    # --- its end

    @_exclusive
    def free(self):
        """Frees the session, which is not used any more; a `with` does it too."""
        with self._life:
            handle, self._handle = self._handle, None
            if handle:
                _lib.hiaton_session_free(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.free()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.free()


# --- many runs -----------------------------------------------------------------------------

class _Borrowed(Session):
    """A session of a batch, which the library owns; it reports to the batch's `ear`."""

    def __init__(self, program, handle, ear=None):
        self.program, self._handle = program, handle
        self._lock, self._life, self._user = threading.Lock(), threading.RLock(), None
        self._ear, self._raised, self._kept, self._has_run = ear or _Ear(), None, [], False
        self._numbers = {}

    def free(self):
        self._handle = None


def batch(program, inputs, machine=None, threads=0, seeds=None, statistics=None, untimed=False,
          limit_cycles=0, limit_tokens=0, limit_memory=0):
    """Runs a program for each of some dicts of inputs, in threads (0: one for each processor), and
    returns the Outcomes in their order. They do not depend on the number of threads."""
    program, machine = _program(program), _machine(machine)
    program.refuse_ports("batch")
    inputs = [_dict("inputs", own) for own in _list("inputs", inputs)]
    seeds = None if seeds is None else _list("seeds", seeds)
    if seeds is not None and len(seeds) != len(inputs):
        raise ValueError("expected a seed for each of %d runs, found %d" % (len(inputs), len(seeds)))
    raised, outcomes = [], []
    ear = _Ear()

    def begin(_, handle, number):
        try:
            session = _Borrowed(program, handle)
            if seeds:
                session.reset(seeds[number])
            session.input(inputs[number])
        except BaseException as problem:
            raised.append((number, problem))

    def end(_, handle, number):
        try:
            if not raised:
                outcomes.append(_Borrowed(program, handle, ear).outcome(statistics))
        except BaseException as problem:
            raised.append((number, problem))
        return bool(raised)

    options = _SessionOptions(untimed=untimed, limit_cycles=limit_cycles,
                              limit_tokens=limit_tokens, limit_memory=limit_memory)
    calls = _BEGIN(begin), _END(end)
    work = _Batch(program=program._handle.value, machine=machine._handle if machine else None,
                  options=c.pointer(options), count=len(inputs),
                  threads=threads or os.cpu_count() or 1, begin=calls[0], end=calls[1])
    with _Interrupts(lambda interrupt: raised.append((0, interrupt))):
        status = _lib.hiaton_batch_run(c.byref(work), c.byref(ear.reporter)) if inputs else _OK
    if raised:
        raise min(raised, key=lambda r: r[0])[1]
    ear.check(status == _OK, "batch: %s" % _status_text(status))
    return outcomes


class Table:
    """Rows of a sweep where pandas is not there: table["cycles"] is a column, table.rows are dicts."""

    def __init__(self, rows):
        self.rows = rows
        self.columns = list(dict.fromkeys(key for row in rows for key in row))

    def __getitem__(self, column):
        if column not in self.columns:
            raise KeyError(column)
        values = [row.get(column) for row in self.rows]
        return numpy.array(values) if numpy else values

    def __len__(self):
        return len(self.rows)

    def __repr__(self):
        lines = [self.columns] + [[str(row.get(k, "")) for k in self.columns] for row in self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        return "\n".join(" ".join(w.rjust(n) for w, n in zip(line, widths)) for line in lines)


def _combinations(grid, keys):
    """Places in the lists of the grid, by key, and the values there."""
    for places in itertools.product(*(range(len(grid[k])) for k in keys)):
        yield dict(zip(keys, places)), [grid[k][i] for k, i in zip(keys, places)]


def sweep(program, grid, machine=None, settings=None, statistics=None, threads=0, untimed=False):
    """Runs a program for all combinations of some values, and returns a data frame with a row for
    each: the values, "status", "result" and statistics.

        sweep("fib.df", {"pe.count": [1, 2, 4], "n": range(10), "seed": range(3)})

    A key of the grid is a setting, an input, "seed", or "machine". Where settings have a source
    compiled otherwise, name a file instead of a Program. The first key changes slowest."""
    grid = {key: _list(key, values) for key, values in _dict("grid", grid).items()}
    for key, values in grid.items():
        if not values:
            raise ValueError("%s: expected at least one value" % key)
    known = _program(program)
    known.refuse_ports("sweep")
    for key in ("seed", "machine"):
        if key in grid and key in known.inputs:
            raise ValueError("%s: the program has an input of this name, and a sweep has a key; "
                             "`batch` takes inputs, seeds and a machine apart" % key)
    own = [k for k in grid if k in known.inputs or k == "seed"]
    others = [k for k in grid if k not in own]
    cells = {}
    for far, outer in _combinations(grid, others):
        sets = dict(zip(others, outer))
        which = Machine(sets.pop("machine", machine), {**_dict("settings", settings or {}), **sets})
        loaded = known if isinstance(program, Program) else load(program, machine=which)
        near, inner = zip(*((at, dict(zip(own, v))) for at, v in _combinations(grid, own)))
        seeds = [values.pop("seed") for values in inner] if "seed" in own else None
        outcomes = batch(loaded, inner, which, threads, seeds, statistics, untimed)
        for number, outcome in enumerate(outcomes):
            values = dict(inner[number], **dict(zip(others, outer)))
            if seeds:
                values["seed"] = seeds[number]
            row = {key: values[key] for key in grid}
            row.update(status=outcome.status, result=outcome.value, **outcome.statistics)
            cells[tuple(dict(far, **near[number])[key] for key in grid)] = row
    rows = [cells[key] for key in sorted(cells)]
    return pandas.DataFrame(rows) if pandas else Table(rows)


# --- recordings ----------------------------------------------------------------------------

def replay(path, program=None, sets=()):
    """Makes the run of a recording again, perhaps with other settings ("pe.count=4"), and compares.
    Returns whether they are the same, and the output of `hiaton replay`."""
    ear, sets, program = _Ear(), [_named("sets", s) for s in _list("sets", sets)], _bytes(program)
    recording = _lib.hiaton_recording_open(_named("path", path), c.byref(ear.reporter))
    ear.check(recording, "%s cannot be opened" % path)
    options = _ReplayOptions(program=program, sets=(_text * max(len(sets), 1))(*sets),
                             set_count=len(sets))
    answer = _Replay()
    status = _lib.hiaton_recording_replay(recording, c.byref(options), c.byref(answer),
                                          c.byref(ear.reporter))
    text = _string(answer.text)
    _lib.hiaton_recording_free(recording)
    ear.check(status in (_OK, _DIFFERS), _status_text(status))
    return status == _OK, (text or "").rstrip("\n")

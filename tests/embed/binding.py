"""hiaton.py as a user has it: run by tests/shell/python.sh, with numpy and pandas or without."""

import copy
import gc
import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

import hiaton

FACT = """input n = 5
fact(n) = if n <= 1 then 1 else n * fact(n - 1)
result = fact(n)
"""


def flat(array):
    return array.tolist() if hasattr(array, "tolist") else array


# Parameters of public functions that are numbers for C, with how each is called. Booleans, texts,
# values of inputs and elements are not among them.
def numbers():
    """(function, parameter): a call with a number, on objects of its own."""
    def ported():
        return hiaton.read("port in xs : [int]\nresult = sum(xs)").session()

    def graph():
        g = hiaton.Graph()
        g.declare("function main () -> (int)")
        return g

    def fact():
        return hiaton.read(FACT)
    return {
        ("Program.run", "seed"): lambda x: fact().run(seed=x),
        ("run", "seed"): lambda x: hiaton.run(fact(), seed=x),
        ("Session", "seed"): lambda x: fact().session(seed=x),
        ("Session", "limit_cycles"): lambda x: fact().session(limit_cycles=x),
        ("Session", "limit_tokens"): lambda x: fact().session(limit_tokens=x),
        ("Session", "limit_memory"): lambda x: fact().session(limit_memory=x),
        ("Session.reset", "seed"): lambda x: fact().session().reset(seed=x),
        ("Session.advance", "cycle"): lambda x: fact().session().advance(cycle=x),
        ("Session.advance", "tokens"): lambda x: fact().session().advance(tokens=x),
        ("Session.record", "interval"): lambda x: fact().session().record(print, interval=x),
        ("Session.record", "checkpoint"): lambda x: fact().session().record(print, checkpoint=x),
        ("Session.feed", "cycle"): lambda x: ported().feed("xs", 1, cycle=x),
        ("Session.close", "cycle"): lambda x: ported().close("xs", cycle=x),
        ("Graph.place", "line"): lambda x: graph().place(x),
        ("Graph.place", "column"): lambda x: graph().place(1, column=x),
        ("Graph.place", "span"): lambda x: graph().place(1, span=x),
        ("Graph.arc", "node"): lambda x: graph().arc(x, 0),
        ("Graph.arc", "to"): lambda x: graph().arc(0, x),
        ("Graph.arc", "operand"): lambda x: graph().arc(0, 0, operand=x),
        ("Graph.arc", "output"): lambda x: graph().arc(0, 0, output=x),
        ("batch", "threads"): lambda x: hiaton.batch(fact(), [{}], threads=x),
        ("batch", "seeds"): lambda x: hiaton.batch(fact(), [{}], seeds=[x]),
        ("batch", "limit_cycles"): lambda x: hiaton.batch(fact(), [{}], limit_cycles=x),
        ("batch", "limit_tokens"): lambda x: hiaton.batch(fact(), [{}], limit_tokens=x),
        ("batch", "limit_memory"): lambda x: hiaton.batch(fact(), [{}], limit_memory=x),
        ("sweep", "threads"): lambda x: hiaton.sweep(fact(), {"n": [1]}, threads=x),
    }


# All other parameters: a new one belongs here or above.
OTHERS = set("""self program machine settings untimed inputs more arguments name path strategy params text
folder stage source declaration function opcode operands key value until hear level kinds pe line below
file state element out feeds keys grid statistics sets status data options handle number ear what
trigger name fields
""".split())


class DataTest(unittest.TestCase):
    """Data: of results, and made by a graph."""

    LIST = "constructor Cons of List 1 (int head, data tail)", "constructor Nil of List 0"

    def test_values(self):
        for text in ("Leaf", "Node(5, Node(2, Leaf, Leaf), X'1(-1.5, (true, [1, 2]), []))", "1e+16",
                     "[(1, inf), (2, -inf)]", "P(0.1, 1e-05, In_1)", "-9223372036854775808"):
            value = hiaton.data(text)
            self.assertEqual("".join(hiaton._words(value)), text)
            self.assertEqual(value, hiaton.data(text))
        tree = hiaton.data("Node(5, Leaf, [true])")
        self.assertEqual((tree.name, tree[0], tree[1].name, tree[2], len(tree)),
                         ("Node", 5, "Leaf", [True], 3))
        self.assertEqual(tree, hiaton.Data("Node", 5, hiaton.Data("Leaf"), [True]))
        self.assertNotEqual(tree, hiaton.Data("Node", 5, hiaton.Data("Leaf"), [1]))
        self.assertEqual(len({tree, hiaton.data(str(tree))}), 1)

    def test_no_values(self):
        for text in ("", "Node(", "Node)", "(1]", "1 2", "Node(1, ?)", "node", "[1,,]2"):
            with self.assertRaises(ValueError, msg=text):
                hiaton.data(text)
        for name in ("node", "", "N ode", 5):
            with self.assertRaises(ValueError):
                hiaton.Data(name)
        with self.assertRaises(TypeError):
            hiaton.data(None)

    def test_deep(self):
        count = 20000
        outcome = hiaton.read("input n = 3\nresult = f(0)\n"
                              "f(i) = if i == n then Nil else Cons(i, f(i + 1))\n").run(n=count)
        value = hiaton.data(outcome.value)
        self.assertEqual(str(value), outcome.value)
        for i in range(count):
            self.assertEqual(value[0], i)
            value = value[1]
        self.assertEqual(value, hiaton.Data("Nil"))

    def make(self, value, trigger):
        graph = hiaton.Graph("image", source="mine")
        graph.declare("function main () -> (data)")
        for line in self.LIST + ("constructor Pair of Pair 0 (real, bool, data)",):
            graph.declare(line)
        start = graph.node("main", "const.int", "0") if trigger else None
        made = graph.data("main", value, start)
        graph.arc(made, graph.node("main", "output.data", "_, part 0"))
        return graph.finish().run()

    def test_graphs(self):
        for text in ("Cons(3, Nil)", "Cons(3, Cons(4, Cons(5, Nil)))", "Pair(-0.5, true, Cons(1, Nil))"):
            for trigger in (False, True):
                self.assertEqual(self.make(hiaton.data(text), trigger).value, text)
        pair = hiaton.Data("Pair", (2.5, False), hiaton.Data("Nil"))
        self.assertEqual(self.make(pair, False).value, "Pair(2.5, false, Nil)")

    def test_wrong_graphs(self):
        with self.assertRaisesRegex(ValueError, "expected Data with fields, found Nil"):
            self.make(hiaton.Data("Nil"), False)
        with self.assertRaisesRegex(TypeError, "field 0 of Cons: expected a number"):
            self.make(hiaton.Data("Cons", "x", hiaton.Data("Nil")), False)
        with self.assertRaisesRegex(hiaton.Error, "unknown constructor `None`"):
            self.make(hiaton.Data("None", 1), False)
        with self.assertRaisesRegex(hiaton.Error, "unknown field 2: `Cons` has 2"):
            self.make(hiaton.Data("Cons", 1, hiaton.Data("Nil"), 3), False)


class Numbers(unittest.TestCase):
    def test_none_wraps(self):
        for (function, parameter), call in numbers().items():
            for x in (-1, -5, 2 ** 64, 2 ** 64 + 3, -2 ** 63, 10 ** 30):
                with self.subTest(function=function, parameter=parameter, x=x):
                    with self.assertRaisesRegex(OverflowError, r"%s: expected a number from 0 to \d+, "
                                                "found %d" % (parameter.replace("seeds", "seed"), x)):
                        call(x)
            for x in (1.5, "1"):
                with self.subTest(function=function, parameter=parameter, x=x):
                    with self.assertRaisesRegex(TypeError, "expected a whole number"):
                        call(x)

    def test_all_are_tried(self):
        tried = set(numbers())
        for name in hiaton.__all__:
            thing = getattr(hiaton, name)
            members = {name: thing} if inspect.isfunction(thing) else {
                name if m == "__init__" else "%s.%s" % (name, m): f
                for m, f in vars(thing).items() if inspect.isfunction(f) and (
                    m == "__init__" or not m.startswith("_"))}
            if name in ("Error", "Warning", "Diagnostic", "Outcome", "Event", "Port", "Table"):
                continue  # made by the library
            for function, f in members.items():
                for parameter in inspect.signature(f).parameters:
                    self.assertTrue((function, parameter) in tried or parameter in OTHERS,
                                    (function, parameter))

    def test_ends_of_ranges(self):
        program = hiaton.read("param w : [1] = uniform(0.0, 1.0)\nresult = w")
        texts = {program.run(seed=s).text for s in (0, 1, 2 ** 63, 2 ** 64 - 1)}
        self.assertEqual(len(texts), 4)
        for value in (2 ** 63, -2 ** 63 - 1, 2 ** 64):
            with self.assertRaises(OverflowError):
                hiaton.read(FACT).run(n=value)
            with self.assertRaises(OverflowError):
                hiaton.read("port in xs : [int]\nresult = sum(xs)").session().feed("xs", value)
        if hiaton.numpy:
            with self.assertRaises(OverflowError):
                hiaton.read(FACT).run(n=hiaton.numpy.uint64(2 ** 63))
        for text in ("a\0b", "pe.count\0"):
            with self.assertRaises(ValueError):
                hiaton.Machine(text)
            with self.assertRaises(ValueError):
                hiaton.Machine("ideal")[text]

    def test_end_of_time(self):
        program = hiaton.read("port in xs : [int]\nresult = sum(xs)")
        for cycle in (2 ** 63 - 1, 2 ** 63, 2 ** 64 - 2, 2 ** 64 - 1):
            for machine in ("default", "ideal", "tf-executor", "tf-cluster"):
                session = program.session(machine)
                self.assertEqual(session.advance(cycle=cycle), "advanced")
                self.assertEqual(session.cycle, 2 ** 63 - 1)
                self.assertTrue(session.feed("xs", 4))
                session.close("xs")
                self.assertEqual(session.advance(), "ended")
                self.assertEqual(session.result(), 4)
                self.assertGreaterEqual(session.outcome()["cycles"], 2 ** 63 - 1)


class Names(unittest.TestCase):
    def test_inputs_that_are_arrays(self):
        program = hiaton.read(
            "input a = [1, 2, 3]\ninput e = [(0, 1)]\ninput w = tensor([[1.0, 2.0]])\n"
            "input m : [[real]] = [[0]]\ninput b : [bool] = []\ninput p = [(1, 2.5)]\n"
            "result = (sum(a), length(e), e[length(e) - 1], reduce_sum(w), m[0][0], length(b), p[0])")
        self.assertEqual(program.inputs["e"], "[(int, int)]")
        self.assertEqual(program.inputs["w"], "tensor(real, 2)")
        own = (6, 1, 0, 1, 3.0, 0.0, 0, 1, 2.5)
        self.assertEqual(program.run().value, own)
        given = program.run(a=[4, 5], e=[(1, 2), (3, 4), (5, 6)], w=[[1.0], [2.0]], m=[[7]],
                            b=[True, False], p="[(3, 4)]")
        self.assertEqual(given.value, (9, 3, 5, 6, 3.0, 7.0, 2, 3, 4.0))
        session = program.session()
        long = list(range(1000))
        session.input(a=long)
        session.advance()
        self.assertEqual(session.result()[0], sum(long))
        session.reset()
        session.advance()
        self.assertEqual(session.result(), own)
        session = program.session()
        session.input(a=long, e="[(7, 8)]")
        session.advance(cycle=4)
        other = program.session()
        other.restore(session.save())
        session.advance()
        other.advance()
        self.assertEqual(other.result(), session.result())
        self.assertEqual(other.result()[:4], (sum(long), 1, 7, 8))
        for wrong in ({"a": [1.5]}, {"a": 1}, {"a": [[1]]}, {"e": [(1, 2, 3)]}, {"e": [1, 2]},
                      {"b": [1]}, {"w": [1.0]}, {"a": "[1, x]"}, {"a": "@nowhere.csv"}):
            with self.assertRaises(hiaton.Error, msg=wrong):
                program.run(**wrong)

    def test_inputs_called_as_parameters(self):
        for name in ("machine", "seed", "settings", "untimed", "inputs"):
            program = hiaton.read("input %s = 3\nresult = %s" % (name, name))
            with self.assertRaisesRegex(TypeError, 'inputs={"%s": ' % name):
                program.run(**{name: 4})
            self.assertEqual(program.run(inputs={name: 4}).value, 4)
            self.assertEqual(hiaton.run(program, inputs={name: 4}).value, 4)
            self.assertEqual(program.run().value, 3)
            session = program.session()
            self.assertEqual(session.run(**{name: 5}).value, 5)
            self.assertEqual(session.run({name: 6}).value, 6)
            session.reset()
            session.input(**{name: 7})
            session.advance()
            self.assertEqual(session.result(), 7)
            if name in ("seed", "machine"):
                with self.assertRaisesRegex(ValueError, name):
                    hiaton.sweep(program, {name: range(3)})
            self.assertEqual([o.value for o in hiaton.batch(program, [{name: 1}, {name: 2}])], [1, 2])
        for name in ("self", "program", "name", "more"):
            program = hiaton.read("input %s = 3\nresult = %s" % (name, name))
            self.assertEqual(program.run(**{name: 4}).value, 4)
            self.assertEqual(hiaton.run(program, **{name: 4}).value, 4)
            self.assertEqual(program.session().run(**{name: 4}).value, 4)
        program = hiaton.read("input seed = 3\nparam w : [1] = uniform(0.0, 1.0)\nresult = (seed, w)")
        self.assertNotEqual(flat(program.run(seed=1, inputs={}).value[1]),
                            flat(program.run(seed=2, inputs={}).value[1]))

    def test_ports_called_as_parameters(self):
        for name in ("out", "feeds", "self", "more"):
            program = hiaton.read("port in %s : [int]\nport out ys = [x + 1 | x <- %s]\nresult = 0" % (
                name, name))
            self.assertEqual(list(program.session().stream("ys", feeds={name: [1, 2]})), [2, 3])
        with self.assertRaisesRegex(TypeError, "in that dict"):
            list(program.session().stream("ys", feeds=[1, 2]))


class Runs(unittest.TestCase):
    def setUp(self):
        self.program = hiaton.read(FACT, name="fact.df")

    def test_run(self):
        self.assertEqual(self.program.inputs, {"n": "int"})
        self.assertEqual(self.program.results, ("int",))
        outcome = self.program.run(n=6)
        self.assertEqual((outcome.value, outcome.text, outcome.status), (720, "720", "completed"))
        self.assertTrue(outcome.completed)
        self.assertEqual(len(outcome["value_digest"]), 16)
        self.assertGreater(self.program.run(settings={"pe.count": 1}, n=6)["utilisation"], 0)
        self.assertEqual(self.program.run("ideal", n=6)["timing_digest"],
                         hiaton.read(self.program.image).run("ideal", n=6)["timing_digest"])
        untimed = self.program.run(untimed=True, n=6)
        self.assertEqual(untimed.value, 720)
        self.assertNotIn("cycles", untimed.statistics)

    def test_values(self):
        value = hiaton.read("result = ([[10 * i + j | j <- 0 .. 2] | i <- 1 .. 2], 0.5, true, "
                            "[x > 1 | x <- 0 .. 2], [x | x <- 1 .. 0], 7)").run().value
        self.assertEqual(flat(value[0]), [[10, 11, 12], [20, 21, 22]])
        self.assertEqual(value[1:3], (0.5, True))
        self.assertIs(value[2], True)
        self.assertEqual(flat(value[3]), [False, False, True])
        self.assertEqual(flat(value[4]), [])
        self.assertEqual(value[5], 7)
        if hiaton.numpy:
            self.assertEqual([str(v.dtype) for v in value[0:1] + value[3:5]], ["int64", "bool", "int64"])
        uneven = hiaton.read("result = [[j | j <- 0 .. i] | i <- 0 .. 2]").run()
        self.assertEqual(uneven.value, "[[0], [0, 1], [0, 1, 2]]")
        tensor = hiaton.read("result = matmul(tensor([[1.0, 2.0]]), tensor([[3.0], [4.0]]))")
        self.assertEqual(flat(tensor.run().value), [[11.0]])

    def test_inputs(self):
        program = hiaton.read("input x = 1.5\ninput b = true\nresult = if b then x else 0.0")
        self.assertEqual(program.run(x=2, b=True).value, 2.0)
        self.assertEqual(program.run(x=2.5, b=False).value, 0.0)
        for inputs, error in (({"y": 1}, KeyError), ({"x": True}, hiaton.Error),
                              ({"x": "1"}, TypeError), ({"b": 1}, hiaton.Error)):
            with self.assertRaises(error):
                program.run(**inputs)
        with self.assertRaises(OverflowError):
            self.program.run(n=2 ** 63)
        if hiaton.numpy:
            self.assertEqual(program.run(x=hiaton.numpy.float32(0.5)).value, 0.5)
            self.assertEqual(self.program.run(n=hiaton.numpy.int32(4)).value, 24)

    def test_errors(self):
        with self.assertRaises(hiaton.Error) as caught:
            hiaton.read("result = n + 1\n", name="mine.df")
        d = caught.exception.diagnostics[0]
        self.assertEqual((d.code, d.file, d.line, d.column, d.node), ("name", "mine.df", 1, 10, None))
        self.assertIn("unknown name `n`", d.text)
        with self.assertRaises(hiaton.Error):
            hiaton.load("/there/is/no/such/file")
        with self.assertRaises(hiaton.Error):
            hiaton.Machine("no such machine")
        with self.assertRaises(KeyError):
            hiaton.Machine()["no.setting"]
        with self.assertRaises(KeyError):
            hiaton.Machine()["no.setting"] = 1
        with self.assertRaises(hiaton.Error):
            hiaton.Machine()["pe.count"] = -1
        with self.assertRaises(KeyError):
            self.program.session().statistic("no statistic")
        with self.assertRaises(hiaton.Error):
            self.program.session().result()
        trapped = hiaton.read("input n = 0\nresult = 1 / n").run()
        self.assertEqual((trapped.status, trapped.line, trapped.value), ("trapped", 2, None))
        self.assertIn("division by zero", str(trapped))
        loops = hiaton.read("f(n) = if n < 0 then 0 else f(n + 1)\nresult = f(0)").session(limit_cycles=1000).run()
        self.assertEqual((loops.status, loops.limit), ("limit", "limits.cycles"))

    def test_machines(self):
        machine = hiaton.Machine("ideal", {"pe.count": 3})
        self.assertEqual(machine["pe.count"], "3")
        machine["pe.count"] = 4
        self.program.run(machine)
        with self.assertRaises(hiaton.Error):
            machine["pe.count"] = 5

    def test_session(self):
        whole = self.program.run(n=7)
        with self.program.session() as session:
            session.input(n=7)
            steps = 0
            while session.advance(tokens=3) == "advanced":
                steps += 1
            self.assertGreater(steps, 3)
            self.assertEqual(session.outcome().statistics, whole.statistics)
            self.assertEqual(session.run(n=4).value, 24)
            self.assertEqual(session.run().value, 120)
            session.reset()
            self.assertEqual(session.advance(cycle=20), "advanced")
            state, cycle = session.save(), session.cycle
            self.assertGreaterEqual(cycle, 20)
            self.assertEqual(session.advance(until=lambda: True), "advanced")
            session.restore(state)
            self.assertEqual(session.cycle, cycle)
            self.assertEqual(session.run(n=7).statistics, whole.statistics)
            session.reset()
            session.cancel()
            self.assertEqual(session.advance(), "cancelled")

    def test_events_and_recordings(self):
        session = self.program.session()
        events = session.listen(kinds=("call", "end"))
        pieces = []
        session.record(pieces.append)
        self.assertEqual(session.advance(), "ended")
        self.assertEqual([e.name for e in events], ["call"] * 5 + ["end"])
        self.assertEqual(events[0].fields["activation"], events[0]["activation"])
        with open("fact.rec", "wb") as file:
            file.write(b"".join(pieces))
        self.assertTrue(hiaton.replay("fact.rec")[0])
        self.assertFalse(hiaton.replay("fact.rec", sets=["pe.count=1"])[0])
        with self.assertRaises(hiaton.Error):
            hiaton.replay("no.rec")

    def test_listener_hears_one_run(self):
        for first in (True, False):
            with self.program.session() as session:
                for n in (3, 4):
                    session.reset(n)
                    if first:
                        session.input(n=n)
                    events = session.listen(kinds=("present", "end"))
                    if not first:
                        session.input(n=n)
                    session.advance()
                    self.assertEqual([(e.name, e.fields.get("how")) for e in events],
                                     [("present", None), ("end", "completed")])

    def test_exceptions_of_callbacks(self):
        class Mine(Exception):
            pass

        def fail(*_):
            raise Mine
        session = self.program.session()
        session.listen(fail)
        with self.assertRaises(Mine):
            session.advance()
        with self.assertRaises(Mine):
            self.program.session().advance(until=fail)
        with self.assertRaises(Mine):
            session = self.program.session()
            session.record(fail)
            session.advance()

    def test_interrupt(self):
        session = hiaton.read("f(n) = if n < 0 then 0 else f(n + 1)\nresult = f(0)").session()
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        start = time.time()
        with self.assertRaises(KeyboardInterrupt):
            while session.advance() != "ended":
                pass
        self.assertLess(time.time() - start, 30)
        timer.join()


class ManyRuns(unittest.TestCase):
    def setUp(self):
        with open("fact.df", "w") as file:
            file.write(FACT)

    def test_batch(self):
        inputs = [{"n": n} for n in range(200)]
        batches = [hiaton.batch("fact.df", inputs, "ideal", threads) for threads in (1, 4)]
        for one, many in zip(*batches):
            self.assertEqual(str(one), str(many))
            self.assertEqual(one.statistics, many.statistics)
        self.assertEqual(batches[0][10].value, 3628800)
        self.assertEqual(batches[0][30].status, "trapped")
        self.assertEqual(hiaton.batch("fact.df", []), [])
        seeds = hiaton.batch("fact.df", [{}] * 3, hiaton.Machine(None, {"placement.policy": "random"}),
                             seeds=[1, 2, 1])
        self.assertEqual(seeds[0].statistics, seeds[2].statistics)
        self.assertNotEqual(seeds[0]["timing_digest"], seeds[1]["timing_digest"])
        for seeds in ([1], [1, 2, 3], []):
            with self.assertRaisesRegex(ValueError, "a seed for each of 2 runs"):
                hiaton.batch("fact.df", [{}, {}], seeds=seeds)
        with self.assertRaisesRegex(ValueError, "n: expected at least one value"):
            hiaton.sweep("fact.df", {"n": []})
        with self.assertRaises(KeyError):
            hiaton.batch("fact.df", [{"n": 1}, {"m": 1}])
        with self.assertRaisesRegex(KeyError, "did you mean `cycles`"):
            hiaton.batch("fact.df", [{}], statistics=["cycle"])

    def test_sweep(self):
        table = hiaton.sweep("fact.df", {"n": [3, 5], "pe.count": [1, 2, 4]},
                             statistics=["cycles", "energy"])
        self.assertEqual(len(table), 6)
        columns = {k: list(table[k]) for k in ("n", "pe.count", "result", "cycles")}
        self.assertEqual(columns["n"], [3, 3, 3, 5, 5, 5])
        self.assertEqual(columns["pe.count"], [1, 2, 4] * 2)
        self.assertEqual(columns["result"], [6] * 3 + [120] * 3)
        alone = hiaton.run("fact.df", settings={"pe.count": 2}, n=5)
        self.assertEqual(columns["cycles"][4], alone["cycles"])
        self.assertEqual(type(table).__name__, "DataFrame" if hiaton.pandas else "Table")
        machines = hiaton.sweep(hiaton.load("fact.df"), {"machine": ["ideal", None], "seed": [0, 1]})
        self.assertEqual(list(machines["machine"]), ["ideal", "ideal", None, None])
        self.assertIn("cycles", list(machines.columns))
        self.assertIn("seed", repr(machines))
        with self.assertRaises(KeyError):
            hiaton.sweep("fact.df", {"no.setting": [1]})


class Ports(unittest.TestCase):
    SUMS = ("port in xs : [int]\nsums = [if i == 0 then x else sums[i - 1] + x | x <- xs at i]\n"
            "port out ys = sums\nresult = length(sums)\n")

    def test_stream(self):
        program = hiaton.read(self.SUMS)
        self.assertEqual(program.results, ("int",))
        asked = []

        def elements():
            for _ in range(20):
                asked.append(len(found))
                yield (found[-1] if found else 0) + 1
        for untimed in (False, True):
            found, asked = [], []
            session = program.session(untimed=untimed)
            for y in session.stream("ys", xs=elements()):
                found.append(y)
            self.assertEqual(found, [2 ** i - 1 for i in range(1, 21)])
            self.assertEqual(asked, list(range(20)))
            self.assertEqual((session.result(), session.status), (20, "completed"))
        self.assertEqual(list(program.session().stream(xs=range(5))), [])
        with self.assertRaises(hiaton.Error):
            list(program.session().stream("ys"))
        with self.assertRaises(hiaton.Error):
            program.run()
        with self.assertRaises(ZeroDivisionError):
            list(program.session().stream("ys", xs=(1 // i for i in (1, 0))))
        with self.assertRaisesRegex(KeyError, "no port zs"):
            list(program.session().stream("ys", zs=range(5)))
        with self.assertRaisesRegex(TypeError, "open for writing"):
            program.session().record("ports.rec")
        with self.assertRaisesRegex(hiaton.Error, "sweep: .* ports xs"):
            hiaton.sweep(program, {"pe.count": [1, 2]})
        with self.assertRaisesRegex(hiaton.Error, "batch: .* ports xs"):
            hiaton.batch(program, [{}])

    def test_feed(self):
        program = hiaton.read(self.SUMS)
        session, other = program.session("ideal"), program.session("ideal")
        for s in (session, other):
            pieces = []
            s.record(pieces.append)
            s.feed("xs", 3)
            self.assertEqual(s.advance(cycle=50), "advanced")
            s.feed("xs", 4)
            s.feed("xs", 5, cycle=90)
            s.close("xs", cycle=90)
            if s is session:
                while s.advance(cycle=s.cycle + 1) != "ended":
                    pass
            self.assertEqual(s.advance(), "ended")
            self.assertEqual(s.take("ys"), [3, 7, 12])
            self.assertEqual(s.take("ys"), [])
            port = s.port("ys")
            self.assertEqual((port.fed, port.taken, port.is_input), (3, 3, False))
        self.assertEqual(session.outcome().statistics, other.outcome().statistics)
        with open("ports.rec", "wb") as file:
            file.write(b"".join(pieces))
        self.assertTrue(hiaton.replay("ports.rec")[0])
        for call in (lambda: session.feed("xs", 1), lambda: session.feed("ys", 1)):
            with self.assertRaises(hiaton.Error):
                call()
        with self.assertRaises(KeyError):
            session.feed("zs", 1)
        session.reset()
        for wrong in (2.5, True, [1]):
            with self.assertRaises(hiaton.Error):
                session.feed("xs", wrong)
        self.assertEqual(session.ports["xs"].types, ("int",))
        self.assertTrue(session.feed("xs", 1))

    def test_parts(self):
        program = hiaton.read("port in xs : [(tensor(real, 1), int)]\n"
                              "port out ys = [let (t, i) = x in (t * t, i + 1) | x <- xs]\n"
                              "result = let (_, i) = xs[0] in i\n")
        session = program.session()
        vector = [1.5, -2.0, 3.0]
        if hiaton.numpy:
            vector = hiaton.numpy.array(vector)[::-1][::-1]
        found = [(flat(t), i) for t, i in session.stream("ys", xs=[(vector, 4), ([0.5], 5)])]
        self.assertEqual(found, [([2.25, 4.0, 9.0], 5), ([0.25], 6)])
        with self.assertRaises(TypeError):
            program.session().feed("xs", (1,))

    def test_room(self):
        session = hiaton.read(self.SUMS).session(hiaton.Machine(None, {"port.capacity": 2}))
        self.assertEqual(session.advance(), "waiting")
        fed = 0
        while session.feed("xs", 1):
            fed += 1
        self.assertGreater(fed, 0)
        self.assertEqual(session.port("xs").room, 0)
        self.assertEqual(len(list(session.stream("ys", xs=[1] * 10))), fed + 10)


class Misuse(unittest.TestCase):
    """What would end or hang the interpreter raises an exception instead."""

    def test_copies(self):
        program = hiaton.read(FACT)
        for thing in (program, program.session(), hiaton.Machine(), hiaton.Graph()):
            for way in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "is not copied or pickled"):
                    way(thing)
        gc.collect()
        self.assertEqual(program.run().value, 120)

    def test_objects_made_by_hand(self):
        for handle in (1, -1, "x", None, 2 ** 63):
            with self.assertRaisesRegex(TypeError, "load, read or Graph.finish make a Program"):
                hiaton.Program(handle, "x")
        with self.assertRaisesRegex(hiaton.Error, "the session was not made"):
            hiaton.Session.__new__(hiaton.Session).advance()
        session = hiaton.read(FACT).session()
        with self.assertRaisesRegex(hiaton.Error, "made once"):
            session.__init__(session.program)

    def test_types(self):
        program, graph = hiaton.read(FACT), hiaton.Graph()
        for call in (lambda: hiaton.load(None), lambda: hiaton.replay(None), lambda: hiaton.read(5),
                     lambda: hiaton.read(None), lambda: hiaton.read(FACT, machine="ideal"),
                     lambda: graph.finish(machine="ideal"), lambda: hiaton.batch(program, {"n": 1}),
                     lambda: hiaton.batch(program, [5]), lambda: hiaton.batch(program, 5),
                     lambda: hiaton.batch(program, [{}], seeds=5), lambda: hiaton.sweep(program, 5),
                     lambda: hiaton.sweep(program, {"n": 5}), lambda: program.run(settings=5),
                     lambda: hiaton.sweep(program, {"machine": "ideal"}),
                     lambda: hiaton.replay("x", sets="pe.count=4"),
                     lambda: program.session().statistics("cycles"),
                     lambda: program.session().statistic(None),
                     lambda: program.session().listen(kinds=5), lambda: program.session().listen(5),
                     lambda: program.session().listen(0), lambda: program.session().advance(until=0),
                     lambda: program.session().advance(until=5),
                     lambda: program.session().restore("x"), lambda: program.session().input(5)):
            with self.assertRaisesRegex(TypeError, "expected"):
                call()

    def test_values(self):
        itself, nested = [], 1
        itself.append(itself)
        for _ in range(5000):
            nested = [nested]
        session = hiaton.read("port in xs : [int]\nresult = sum(xs)").session()
        for value in (itself, nested):
            with self.assertRaisesRegex(ValueError, "at most 20 axes"):
                hiaton.read(FACT).run(n=value)
            with self.assertRaisesRegex(ValueError, "at most 20 axes"):
                session.feed("xs", value)
        if hiaton.numpy:
            with self.assertRaisesRegex(ValueError, "at most 20 axes, found 32"):
                session.feed("xs", hiaton.numpy.zeros((1,) * 32))
            with self.assertRaisesRegex(TypeError, "masked"):
                session.feed("xs", hiaton.numpy.ma.masked_array([1, 2], [0, 1]))

    def test_freed(self):
        session = hiaton.read(FACT).session()
        session.free()
        session.free()
        session.cancel()
        for call in (session.advance, session.run, session.reset, session.result, session.outcome,
                     session.save, session.statistics, session.listen, lambda: session.cycle,
                     lambda: session.status, lambda: session.ports, lambda: session.input(n=1)):
            with self.assertRaisesRegex(hiaton.Error, "the session is freed"):
                call()

    def test_callbacks(self):
        """A callback reads its session; it does not change it under the call that it came in."""
        for change in ("run", "advance", "reset", "free", "__del__", "listen"):
            for way in ("listen", "until", "record"):
                session, seen = hiaton.read(FACT).session(), []

                def callback(*_):
                    if not seen:
                        seen.append((session.cycle, session.status, session.statistic("tokens")))
                        with self.assertRaisesRegex(hiaton.Error, "in a call already"):
                            getattr(session, change)()
                if way != "until":
                    getattr(session, way)(callback)
                session.advance(until=callback if way == "until" else None)
                self.assertEqual(session.result(), 120, (change, way))
                self.assertEqual(seen[0][1], "running")

    def test_reset_of_recorded(self):
        """Reset sends events to the listener: it still exists. Freed memory is filled."""
        code = ("import hiaton\nsession, written = hiaton.read(%r).session(), []\n"
                "session.listen()\nsession.record(written.append)\nsession.advance(tokens=3)\n"
                "session.reset()\n"
                "assert session.run().value == 120" % FACT)
        subprocess.run([sys.executable, "-c", code], check=True,
                       env=dict(os.environ, PYTHONMALLOC="debug"))

    def test_threads(self):
        session, refused = hiaton.read("f(n) = if n <= 0 then 0 else f(n - 1)\ninput n = 300000\n"
                                       "result = f(n)").session(), []
        thread = threading.Thread(target=session.advance)
        thread.start()
        deadline = time.monotonic() + 20
        for call in (session.free, session.reset, session.save, session.statistics, session.advance):
            while time.monotonic() < deadline and thread.is_alive():
                try:
                    call() if session._user else time.sleep(0.001)
                except hiaton.Error as error:
                    refused.append(str(error))
                    break
        session.cancel()
        thread.join(20)
        self.assertFalse(thread.is_alive())
        self.assertEqual(len(refused), 5)
        for text in refused:
            self.assertRegex(text, "in use by another thread")
        session.free()

    def test_many_threads(self):
        """Sessions that several threads advance, reset and free at once."""
        sessions = [hiaton.read(FACT).session() for _ in range(2)]
        calls = [lambda s: s.advance(tokens=3), lambda s: s.reset(), lambda s: s.record(len),
                 lambda s: s.listen(), lambda s: s.save(), lambda s: s.outcome(), lambda s: s.cancel(),
                 lambda s: s.free()]

        def work(first):
            for i in range(300):
                try:
                    calls[(first + i * i) % len(calls)](sessions[i % 2])
                except hiaton.Error:
                    sessions[i % 2] = hiaton.read(FACT).session()
        threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            self.assertFalse(thread.is_alive())

    @unittest.skipUnless(hasattr(signal, "SIGALRM"), "no signals")
    def test_signal_handler(self):
        """The exception of a handler, as that of a time limit, is not lost."""
        def handle(*_):
            raise ZeroDivisionError("late")
        before = signal.signal(signal.SIGALRM, handle)
        try:
            session = hiaton.read("f(n) = if n <= 0 then 0 else f(n - 1)\ninput n = 3000000\n"
                                  "result = f(n)").session()
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with self.assertRaisesRegex(ZeroDivisionError, "late"):
                session.advance()
            self.assertIs(signal.getsignal(signal.SIGALRM), handle)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


class Graphs(unittest.TestCase):
    def test_graph(self):
        graph = hiaton.Graph("image", source="mine")
        graph.declare("function main () -> (int)")
        graph.declare("input n int = 3")
        n = graph.node("main", "const.int", "$n")
        graph.place(4, 2)
        twice = graph.node("main", "add.int", "_, _")
        graph.place(0)
        graph.arc(n, twice, 0)
        graph.arc(twice, graph.node("main", "output.int", "_, part 0"))
        with self.assertRaises(hiaton.Error) as caught:
            graph.finish()
        d = caught.exception.diagnostics[0]
        self.assertEqual((d.node, d.line, d.column), (twice, 4, 2))
        graph.arc(n, twice, 1)
        self.assertEqual(graph.finish().run(n=21).value, 42)

    def test_warnings(self):
        text = ("hiaton assembly 1\nstage image\ninput yes bool = true\nfunction top () -> (int)\n"
                "in top\n %v const.int 3 -> %s.0\n %s switch.int _, $yes -> %o.0 | -\n"
                " %o output.int _, part 0\n")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            program = hiaton.read(text)
        self.assertEqual([w.category for w in caught], [hiaton.Warning])
        self.assertIn("comes only where input yes is true", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)
        self.assertEqual(program.run(yes=False).status, "deadlocked")


if __name__ == "__main__":
    print("numpy: %s, pandas: %s" % tuple(
        m.__version__ if m else "none" for m in (hiaton.numpy, hiaton.pandas)))
    sys.stdout.flush()
    unittest.main(verbosity=0)

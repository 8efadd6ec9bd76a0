/* A report: zoom of the timeline and of the flame graph. All else is read without it. Drawn is what
 * analysis/report/gantt_draw.c draws, of a part of the run. */
(function () {
    "use strict";
    document.documentElement.classList.add("js");

    function make(name, attributes, parent) {
        var element = document.createElementNS(parent.namespaceURI, name);
        Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
        parent.appendChild(element);
        return element;
    }
    function empty(element) {
        while (element.firstChild) element.removeChild(element.firstChild);
    }
    function say(id, text) {
        document.getElementById(id).textContent = text;
    }

    /* --- the timeline ------------------------------------------------------------------------ */

    function startGantt() {
        var place = document.getElementById("gantt-data");
        if (!place) return;
        var data = JSON.parse(place.textContent);
        var svg = document.getElementById("gantt"), marks = document.getElementById("gantt-marks");
        var axis = document.getElementById("gantt-axis"), all = data.cycles, from = 0, to = all;
        var bottom = data.top + data.rows * data.height, most = 3000;
        var firings = [], flights = [], longest = 1;
        var clip = make("clipPath", {id: "gantt-clip"}, svg);
        make("rect", {x: data.left, y: 0, width: data.right - data.left, height: bottom}, clip);
        marks.setAttribute("clip-path", "url(#gantt-clip)");
        if (data.firings) {
            var cycle = 0, i;
            for (i = 0; i < data.firings.length; i += 5) {
                cycle += data.firings[i];
                firings.push([cycle, data.firings[i + 1], data.firings[i + 2], data.firings[i + 3], data.firings[i + 4]]);
                longest = Math.max(longest, data.firings[i + 1]);
            }
            for (i = 0; i < data.flights.length; i += 4)
                flights.push(data.flights.slice(i, i + 4));
        }
        function x(cycle) { return data.left + (data.right - data.left) * (cycle - from) / (to - from); }
        function y(row) { return data.top + row * data.height; }
        function row(pe) { return Math.floor(pe / data.perRow); }
        function drawAxis() {
            var step = 1, i = 0, at;
            while ((to - from) / step > 10) { step = i % 3 === 1 ? step / 2 * 5 : step * 2; i++; }
            empty(axis);
            for (at = Math.ceil(from / step) * step; at <= to; at += step) {
                make("path", {d: "M" + x(at).toFixed(1) + " " + (data.top - 4) + "V" + bottom}, axis);
                make("text", {x: x(at).toFixed(1), y: data.top - 8}, axis).textContent = String(at);
            }
        }
        function drawEach(shown, flying) {
            var group = make("g", {"class": "firings"}, marks), slot = (data.height - 2) / data.slots;
            shown.forEach(function (f) {
                var node = data.nodes[f[4]], width = x(f[0] + f[1]) - x(f[0]);
                var mark = make("rect", {"class": "c" + node[0], x: x(f[0]).toFixed(2), y: (y(row(f[2])) + 1 + f[3] * slot).toFixed(1),
                    width: (width > 0.6 ? width * 0.92 : width).toFixed(2), height: slot.toFixed(1)}, group);
                make("title", {}, mark).textContent = "cycle " + f[0] + ", " + data.place + " " + f[2] + ", " + node[1];
            });
            group = make("g", {"class": "flights"}, marks);
            flying.forEach(function (f) {
                make("path", {d: "M" + x(f[0]).toFixed(1) + " " + (y(row(f[2])) + data.height / 2) + "L" + x(f[1]).toFixed(1) + " " +
                    (y(row(f[3])) + data.height / 2)}, group);
            });
        }
        function drawLevels() {
            var first = Math.floor(from / data.width), last = Math.ceil(to / data.width);
            var each = Math.max(1, Math.ceil((last - first) / 256)), group = make("g", {"class": "levels"}, marks);
            var paths = ["", "", "", "", "", "", "", "", "", ""], r, s, k, end, level;
            for (r = 0; r !== data.rows; r++)
                for (s = first; s < last; s += each) {
                    end = Math.min(s + each, data.levels[r].length);
                    for (level = 0, k = s; k < end; k++)
                        level += Number(data.levels[r].charAt(k));
                    level = end > s ? Math.ceil(level / (end - s)) : 0;
                    if (level)
                        paths[level] += "M" + x(s * data.width).toFixed(1) + " " + y(r) + "H" +
                            x(Math.min(all, (s + each) * data.width)).toFixed(1) + "v" + (data.height - (data.height > 4 ? 1 : 0)) +
                            "H" + x(s * data.width).toFixed(1) + "z";
                }
            for (level = 1; level !== 10; level++)
                make("path", {"class": "u" + level, d: paths[level]}, group);
            group = make("g", {"class": "flows"}, marks);
            for (k = 0; k < data.flows.length; k += 5)
                if (data.flows[k] < to && data.flows[k + 1] > from) {
                    var line = make("path", {d: "M" + x(data.flows[k]).toFixed(1) + " " + (y(data.flows[k + 3]) + data.height / 2) +
                        "L" + x(Math.min(all, data.flows[k + 1])).toFixed(1) + " " + (y(data.flows[k + 4]) + data.height / 2)}, group);
                    line.style.strokeWidth = String(0.4 + 2.2 * data.flows[k + 2] / data.flows[2]);
                    make("title", {}, line).textContent = data.flows[k + 2] + " tokens";
                }
        }
        function drawPath() {
            var d = "", i;
            for (i = 0; i < data.path.length; i += 3)
                d += (i ? "L" : "M") + x(data.path[i]).toFixed(1) + " " + (y(data.path[i + 2]) + data.height / 2) + "H" + x(data.path[i + 1]).toFixed(1);
            if (d) make("path", {"class": "critical", d: d}, marks);
        }
        function draw() {
            var shown = firings.filter(function (f) { return f[0] < to && f[0] + f[1] > from; });
            var flying = flights.filter(function (f) { return f[0] < to && f[1] > from; });
            drawAxis();
            empty(marks);
            if (data.firings && most >= shown.length && most >= flying.length) drawEach(shown, flying);
            else drawLevels();
            drawPath();
            say("gantt-place", "Cycles " + Math.floor(from) + " to " + Math.ceil(to) + " of " + all);
        }
        function show(a, b, isAsked) {
            var least = Math.min(all, data.firings ? 8 : 8 * data.width);
            var width = Math.min(all, Math.max(least, b - a));
            from = Math.min(Math.max(0, a), all - width);
            to = from + width;
            draw();
            if (isAsked) history.replaceState(null, "", from === 0 && to === all ? "#timeline" : "#gantt=" + Math.floor(from) + "-" + Math.ceil(to));
        }
        function zoom(factor, at) {
            var center = at === undefined ? (from + to) / 2 : at;
            show(center - (center - from) * factor, center + (to - center) * factor, true);
        }
        function pan(part) { var by = (to - from) * part; show(from + by, to + by, true); }
        function toggle(id, what) {
            return function () {
                say(id, (svg.classList.toggle("no-" + what) ? "Show " : "Hide ") + what);
            };
        }
        var actions = {
            "gantt-in": function () { zoom(0.5); }, "gantt-out": function () { zoom(2); },
            "gantt-left": function () { pan(-0.25); }, "gantt-right": function () { pan(0.25); },
            "gantt-all": function () { show(0, all, true); },
            "gantt-tokens": toggle("gantt-tokens", "tokens"), "gantt-path": toggle("gantt-path", "path")
        };
        Object.keys(actions).forEach(function (id) { document.getElementById(id).addEventListener("click", actions[id]); });
        var area = document.getElementById("gantt-area");
        area.addEventListener("keydown", function (event) {
            var keys = {"+": "gantt-in", "=": "gantt-in", "-": "gantt-out", "ArrowLeft": "gantt-left", "ArrowRight": "gantt-right", "0": "gantt-all"};
            if (keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
                actions[keys[event.key]]();
                event.preventDefault();
            }
        });
        function cycleAt(event) {
            var box = svg.getBoundingClientRect(), at = (event.clientX - box.left) / box.width * 1000;
            return from + (at - data.left) / (data.right - data.left) * (to - from);
        }
        svg.addEventListener("wheel", function (event) {
            if (!event.ctrlKey) return;
            zoom(event.deltaY > 0 ? 1.25 : 0.8, cycleAt(event));
            event.preventDefault();
        }, {passive: false});
        var begun = null, chosen = null; /* the cycle at which a drag began, and the mark over what it covers */
        function endDrag() {
            if (chosen) svg.removeChild(chosen);
            begun = chosen = null;
        }
        svg.addEventListener("pointerdown", function (event) {
            endDrag();
            if (event.button === 0 && event.pointerType !== "touch") begun = cycleAt(event);
            if (begun !== null) svg.setPointerCapture(event.pointerId);
        });
        svg.addEventListener("pointermove", function (event) {
            if (begun === null) return;
            if (!chosen) chosen = make("rect", {"class": "chosen", y: data.top, height: bottom - data.top}, svg);
            var a = x(Math.max(from, Math.min(begun, cycleAt(event)))), b = x(Math.min(to, Math.max(begun, cycleAt(event))));
            chosen.setAttribute("x", a.toFixed(1));
            chosen.setAttribute("width", Math.max(0, b - a).toFixed(1));
        });
        svg.addEventListener("pointerup", function (event) {
            var start = begun, end = cycleAt(event), small = (to - from) / 50;
            endDrag();
            if (start !== null && Math.abs(end - start) > small) show(Math.min(start, end), Math.max(start, end), true);
        });
        svg.addEventListener("pointercancel", endDrag);
        function follow() {
            var named = /^#gantt=([0-9]+)-([0-9]+)$/.exec(location.hash);
            if (!named) return;
            show(Number(named[1]), Number(named[2]), false);
            document.getElementById("timeline").scrollIntoView();
        }
        window.addEventListener("hashchange", follow);
        say("gantt-place", "Cycles 0 to " + all + " of " + all);
        follow();
    }

    /* --- the flame graph ------------------------------------------------------------------------ */

    function startFlame() {
        var svg = document.getElementById("flame");
        if (!svg) return;
        var frames = Array.prototype.map.call(svg.querySelectorAll(".f"), function (element) {
            var rect = element.querySelector("rect");
            return {element: element, rect: rect, text: element.nextElementSibling, name: element.getAttribute("data-n"),
                x: Number(element.getAttribute("data-x")), width: Number(element.getAttribute("data-w")),
                y: Number(rect.getAttribute("y")), isShown: true};
        });
        var height = Math.min.apply(null, frames.map(function (f) { return frames[0].y - f.y || Infinity; }));
        var at = frames[0]; /* the one that the key Tab comes to */
        function choose(frame) {
            at.element.setAttribute("tabindex", "-1");
            at = frame;
            at.element.setAttribute("tabindex", "0");
        }
        function go(frame) {
            if (!frame) return;
            choose(frame);
            frame.element.focus();
        }
        function show(x, width) {
            frames.forEach(function (f) {
                var left = (f.x - x) * 1000 / width;
                var a = Math.max(0, left), b = Math.min(1000, left + f.width * 1000 / width);
                f.isShown = b - a > 0.5;
                f.element.style.display = f.isShown ? "" : "none";
                f.rect.setAttribute("x", a.toFixed(2));
                f.rect.setAttribute("width", Math.max(0, b - a).toFixed(2));
                f.text.setAttribute("x", (a + 3).toFixed(2));
                f.text.textContent = b - a > 21 ? f.name.slice(0, Math.floor((b - a - 6) / 7)) : "";
            });
            if (!at.isShown) choose(frames[0]);
        }
        /* Frames beside, above and below: rows are of one height, and children lie within their parent. */
        function isWithin(inner, outer) {
            var middle = inner.x + inner.width / 2;
            return middle >= outer.x && middle <= outer.x + outer.width;
        }
        function widest(list) {
            return list.reduce(function (best, f) { return best && best.width >= f.width ? best : f; }, null);
        }
        function shownAt(y) { return frames.filter(function (f) { return f.isShown && f.y === y; }); }
        function beside(frame, step) {
            var row = shownAt(frame.y).sort(function (a, b) { return a.x - b.x; });
            return row[row.indexOf(frame) + step];
        }
        function zoom(frame) { show(frame.x, frame.width); }
        var keys = {
            "Enter": function (f) { zoom(f); }, " ": function (f) { zoom(f); },
            "Escape": function () { show(0, 1000); },
            "Home": function () { go(frames[0]); },
            "ArrowUp": function (f) { go(widest(shownAt(f.y - height).filter(function (c) { return isWithin(c, f); }))); },
            "ArrowDown": function (f) { go(shownAt(f.y + height).filter(function (p) { return isWithin(f, p); })[0]); },
            "ArrowLeft": function (f) { go(beside(f, -1)); }, "ArrowRight": function (f) { go(beside(f, 1)); }
        };
        svg.setAttribute("role", "group");
        frames.forEach(function (frame) {
            var element = frame.element;
            element.setAttribute("role", "button");
            element.setAttribute("tabindex", frame === at ? "0" : "-1");
            element.setAttribute("aria-label", element.querySelector("title").textContent);
            element.addEventListener("click", function () { choose(frame); zoom(frame); });
            element.addEventListener("keydown", function (event) {
                if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
                keys[event.key](frame);
                event.preventDefault();
            });
        });
        document.getElementById("flame-all").addEventListener("click", function () { show(0, 1000); });
    }

    /* The graph as large as it was drawn, or as wide as the page. */
    function startGraph() {
        var button = document.getElementById("graph-size");
        button.addEventListener("click", function () {
            var whole = document.querySelector(".drawing").classList.toggle("whole");
            say("graph-size", whole ? "Fit the page" : "Full size");
        });
    }

    /* A link into what is folded opens it. */
    function openTarget() {
        var name = location.hash.slice(1), target = name && document.getElementById(name);
        for (var at = target; at; at = at.parentElement)
            if (at.tagName.toLowerCase() === "details") at.open = true;
        if (target) target.scrollIntoView();
    }
    startGantt();
    startFlame();
    startGraph();
    window.addEventListener("hashchange", openTarget);
    if (location.hash.indexOf("=") === -1) openTarget();
}());
